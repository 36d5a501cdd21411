"""``[tool.tfgradfix]``: what it holds, where it is found, and what is said when it is wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tfgradfix.config import ConfigError, Settings, load_settings, overrule
from tfgradfix.model import Extent, Finding, Level, Position, Span


def finding(code: str, name: str) -> Finding:
    return Finding(code, name, Span("a.py", Position(1, 1), Position(1, 2)), "", Level.SAFE, Extent.WHOLE)


def test_the_nearest_table_counts(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.tfgradfix]\nselect = ["TGF1"]\nignore = ["math-call"]\nexclude = ["old/"]\nunsafe-fixes = true\n'
    )
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/pyproject.toml").write_text("[project]\nname = 'x'\n")
    settings = load_settings(tmp_path / "pkg")
    assert settings == Settings(("TGF1",), ("math-call",), ("old/",), True, tmp_path.resolve())


def test_a_repository_ends_the_search(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.tfgradfix]\nselect = ['TGF1']\n")
    (tmp_path / "repo/.git").mkdir(parents=True)
    assert load_settings(tmp_path / "repo").select == ()


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("selct = []", "has no setting 'selct'; it has select, ignore, exclude, unsafe-fixes"),
        ("select = 'TGF101'", "select must be a list of strings"),
        ("exclude = [1]", "exclude must be a list of strings"),
        ("unsafe-fixes = 'yes'", "unsafe-fixes must be true or false"),
        ("select = [", "Invalid value"),
    ],
)
def test_a_mistake_is_said(tmp_path: Path, table: str, message: str) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.tfgradfix]\n{table}\n")
    with pytest.raises(ConfigError, match=re.escape(message)) as error:
        load_settings(tmp_path)
    assert str(tmp_path / "pyproject.toml") in str(error.value)


def test_a_table_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool]\ntfgradfix = 1\n")
    with pytest.raises(ConfigError, match="is not a table"):
        load_settings(tmp_path)


@pytest.mark.parametrize(
    ("select", "ignore", "wanted"),
    [
        ((), (), True),
        (("TGF101",), (), True),
        (("tgf1",), (), True),
        (("numpy-call",), (), True),
        (("TGF2",), (), False),
        ((), ("TGF101",), False),
        (("TGF1",), ("numpy-call",), False),
        ((), ("numpy",), True),
    ],
)
def test_selection(select: tuple[str, ...], ignore: tuple[str, ...], wanted: bool) -> None:
    assert Settings(select, ignore).wants(finding("TGF101", "numpy-call")) is wanted


def test_flags_overrule_the_table() -> None:
    settings = Settings(select=("TGF1",), ignore=("TGF2",), unsafe_fixes=True)
    assert overrule(settings, (), (), None) == settings
    changed = overrule(settings, ("TGF3",), ("TGF4",), False)
    assert (changed.select, changed.ignore, changed.unsafe_fixes) == (("TGF3",), ("TGF2", "TGF4"), False)


def test_exclude_patterns_count_from_the_table(tmp_path: Path) -> None:
    for name in ("old/a.py", "pkg/old/a.py", "pkg/gen_a.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    excluded = Settings(exclude=("/old/", "gen_*.py"), root=tmp_path).excludes()
    assert excluded is not None
    assert excluded(tmp_path / "old")
    assert not excluded(tmp_path / "pkg/old")
    assert excluded(tmp_path / "pkg/gen_a.py")
    assert not excluded(tmp_path.parent / "old")
    assert Settings().excludes() is None
