"""The programs of ``tests/programs/``: healthy ones stay as they are, and those that were mended once stay mended."""

from __future__ import annotations

import ast
import sys
from difflib import unified_diff
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from scripts.case_floor import floor_of
from tfgradfix.rewrite.apply import Rewritten, rewrite

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

PROGRAMS: Final = Path(__file__).resolve().parent / "programs"
#: The programs that are known to be mended right.
FLOOR: Final = floor_of(Path(__file__).with_name("programs-floor.txt"))


def about(name: str) -> dict[str, object]:
    """What ``case.toml`` says of a program."""
    return tomllib.loads((PROGRAMS / name / "case.toml").read_text(encoding="utf-8"))


def named(expect: str) -> list[str]:
    """The programs of which ``expect`` is to be shown."""
    return sorted(
        path.parent.name for path in PROGRAMS.glob("*/case.toml") if about(path.parent.name)["expect"] == expect
    )


def program(name: str) -> dict[Path, str]:
    """The modules of a program, newlines as they are."""
    folder = PROGRAMS / name
    if (folder / "before").is_dir():
        folder /= "before"
        return {path.relative_to(folder): path.read_bytes().decode() for path in sorted(folder.rglob("*.py"))}
    return {Path("before.py"): (folder / "before.py").read_bytes().decode()}


@cache
def outcome(name: str) -> Rewritten:
    """What comes of a program."""
    return rewrite(program(name))


def lines(name: str) -> set[tuple[str, int]]:
    """The places that ``case.toml`` gives as those of the cuts."""
    given = about(name)["break_lines"]
    assert isinstance(given, list)
    pairs = [str(place).rpartition(":") for place in given]
    return {(file or "before.py", int(row)) for file, _, row in pairs}


@pytest.mark.parametrize("name", named("unchanged"))
def test_a_healthy_program_is_left_alone(name: str) -> None:
    result = outcome(name)
    assert not result.texts
    assert not any(result.findings.values())


@pytest.mark.parametrize("name", named("diagnose"))
def test_what_no_rewrite_mends_is_named_and_left_alone(name: str) -> None:
    result = outcome(name)
    assert not result.texts
    found = {(path.as_posix(), finding.span.start.row) for path, ones in result.findings.items() for finding in ones}
    assert found & lines(name)


@pytest.mark.parametrize("name", FLOOR)
def test_a_broken_program_is_mended_again(name: str, diff: SnapshotAssertion) -> None:
    before, result = program(name), outcome(name)
    assert result.texts
    for text in result.texts.values():
        ast.parse(text)
    patches = [
        "".join(
            unified_diff(before[path].splitlines(keepends=True), text.splitlines(keepends=True), str(path), str(path))
        )
        for path, text in sorted(result.texts.items())
    ]
    assert "".join(patches) == diff(name=name)
    assert not rewrite({**before, **result.texts}).texts, "a second run changes it again"


def test_the_floor_names_programs_that_are_to_be_mended() -> None:
    assert sorted(set(FLOOR)) == list(FLOOR)
    assert set(FLOOR) <= set(named("fix"))
