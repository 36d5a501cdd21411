"""Imports go one way, and nothing but the harness's child process imports TensorFlow."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

#: From left to right; a module imports from its own layer and from those to its left.
LAYERS = (
    ("tfgradfix",),
    ("tfgradfix.model",),
    ("tfgradfix.config_verify",),
    ("tfgradfix.config",),
    ("tfgradfix.discover",),
    ("tfgradfix.read",),
    ("tfgradfix.analyse",),
    ("tfgradfix_codemods",),
    ("tfgradfix.rewrite",),
    ("tfgradfix.restore",),
    ("tfgradfix.write",),
    ("tfgradfix.verify",),
    ("tfgradfix.testing",),
    ("tfgradfix.explaining",),
    ("tfgradfix.driving",),
    ("tfgradfix.prove",),
    ("tfgradfix.report",),
    ("tfgradfix.pipeline",),
    ("tfgradfix.migrate",),
    ("tfgradfix.options",),
    ("tfgradfix.commands",),
    ("tfgradfix.cli",),
    ("tfgradfix.__main__",),
)
ORDER = {name: index for index, layer in enumerate(LAYERS) for name in layer}

#: What runs in the user's interpreter, where nothing else of ours is installed.
INSIDE = tuple(ROOT / "tfgradfix" / part / "inside" for part in ("verify", "explaining"))
#: A program that is run in the user's project as one of its own scripts.
DRIVER = ROOT / "tfgradfix" / "driving" / "inside" / "driver.py"
FILES = sorted([*(ROOT / "tfgradfix").rglob("*.py"), *(ROOT / "codemods").rglob("*.py")])


def dotted(path: Path) -> str:
    base = ROOT / "codemods" if path.is_relative_to(ROOT / "codemods") else ROOT
    return ".".join(path.relative_to(base).with_suffix("").parts).removesuffix(".__init__")


def layer(module: str) -> int | None:
    """The layer of a module of ours; None for a module of others."""
    parts = module.split(".")
    if parts[0] not in {"tfgradfix", "tfgradfix_codemods"}:
        return None
    depth = 2 if parts[0] == "tfgradfix" and len(parts) > 1 else 1
    return ORDER[".".join(parts[:depth])]


def imports(path: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            inside = path.parent in INSIDE  # loaded under a name of its own where tfgradfix is not installed
            assert node.level == int(inside and node.level), f"{path}:{node.lineno}: imports are absolute"
            yield node.lineno, f"{dotted(path.parent)}.{node.module}" if node.level else node.module or ""


@pytest.mark.parametrize("path", FILES, ids=dotted)
def test_imports_go_to_the_left(path: Path) -> None:
    own = layer(dotted(path))
    assert own is not None, f"{path} is in no layer"
    for line, module in imports(path):
        other = layer(module)
        assert other is None or other <= own, f"{path}:{line}: {dotted(path)} imports {module}, which is to its right"


@pytest.mark.parametrize("path", [path for path in FILES if path != DRIVER], ids=dotted)
def test_tensorflow_stays_in_the_child_process(path: Path) -> None:
    foreign = {module.split(".")[0] for _, module in imports(path)}
    assert not foreign & {"tensorflow", "keras", "numpy", "scipy"}


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.is_relative_to(ROOT / "tfgradfix" / "analyse")], ids=dotted
)
def test_the_analysis_stands_on_the_standard_library(path: Path) -> None:
    assert "libcst" not in {module.split(".")[0] for _, module in imports(path)}


@pytest.mark.parametrize("path", [path for path in FILES if path.parent in INSIDE], ids=dotted)
def test_the_inside_stands_on_the_standard_library(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body.clear()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        else:
            continue
        assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names
