"""Tests of the project as drivers: pytest where the user's interpreter has it, else unittest."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from tfgradfix.driving.reach import Reach
    from tfgradfix.driving.where import Where

#: Files of tests that are run for one changed file.
MOST: Final = 2
_NAME: Final = re.compile(r"test_.*|.*_test|test|tests")

# What tests print goes to standard error: the time that they took is in it, and differs from run to run.
_SCRIPT: Final = """\
import contextlib
import os
import sys

folder = os.path.dirname(os.path.abspath(__file__))
os.chdir(folder)
sys.path[:0] = [folder, os.path.join(folder, "src")]
with contextlib.redirect_stdout(sys.stderr):
{run}
sys.exit(status)
"""
_PYTEST: Final = """\
    import pytest

    options = ["-q", "-x", "-o", "addopts=", "-p", "no:cacheprovider", "-p", "no:randomly"]
    status = int(pytest.main([*options, {file!r}]))
"""
_EITHER: Final = """\
    try:
        import pytest
    except ImportError:
        import importlib.util
        import unittest

        sys.path.insert(0, os.path.dirname({file!r}))
        spec = importlib.util.spec_from_file_location({name!r}, {file!r})
        module = importlib.util.module_from_spec(spec)
        sys.modules[{name!r}] = module
        spec.loader.exec_module(module)
        suite = unittest.defaultTestLoader.loadTestsFromModule(module)
        status = int(not unittest.TextTestRunner(failfast=True).run(suite).wasSuccessful())
    else:
        options = ["-q", "-x", "-o", "addopts=", "-p", "no:cacheprovider", "-p", "no:randomly"]
        status = int(pytest.main([*options, {file!r}]))
"""


def is_test(path: Path) -> bool:
    """Whether a file is one of tests, by its name."""
    return path.suffix == ".py" and _NAME.fullmatch(path.stem) is not None


def nearest_tests(
    reach: Reach, changed: Collection[Path], missing: Collection[Path], where: Callable[[Path], Where]
) -> dict[Path, tuple[Path, ...]]:
    """The files of tests that reach the files ``missing``, nearest first, each with all of ``changed`` that it uses.

    ``where`` tells the project of a file, in which its tests are.
    """
    found: dict[Path, tuple[Path, ...]] = {}
    for path in missing:
        root = where(path).folder
        tests = [test for test in reach.leading_to([path]) if is_test(test) and test.is_relative_to(root)]
        tests = [test for test in tests if _tests_something(reach.tree(test))]
        for test in sorted(tests, key=lambda test: (len(reach.of(test)), str(test)))[:MOST]:
            found[test] = tuple(each for each in changed if each in reach.of(test))
    return found


def script_of(test: Path, folder: Path, tree: ast.Module | None) -> bytes:
    """The script that runs a file of tests, made to lie in ``folder``, that of the project."""
    file = test.relative_to(folder).as_posix()
    run = _EITHER if tree is not None and _has_case(tree) else _PYTEST
    return _SCRIPT.format(run=run.format(file=file, name=test.stem).rstrip("\n")).encode()


def _has_case(tree: ast.Module) -> bool:
    bases = [base for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for base in node.bases]
    return any(ast.unparse(base).split(".")[-1] == "TestCase" for base in bases)


def _tests_something(tree: ast.Module | None) -> bool:
    nodes = ast.walk(tree) if tree is not None else ()
    return any(
        isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test") for node in nodes
    )
