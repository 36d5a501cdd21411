"""The codemods, their documentation, the codes of the analysis and the tests agree with each other."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest
from tfgradfix_codemods.base import GradientCommand

from tfgradfix.analyse.facts.codes import CODES
from tfgradfix.model import Level
from tfgradfix.rewrite.registry import (
    HEADINGS,
    Entry,
    RegistryError,
    check_unique,
    command_of,
    commands,
    entries,
    entry,
    in_order,
    read_entry,
)
from tfgradfix.rewrite.together import handled_nodes

ROOT = Path(__file__).resolve().parent.parent
CODEMODS = ROOT / "codemods" / "tfgradfix_codemods"
CASES = ROOT / "tests" / "codemods"
EVERY = [pytest.param(known, id=known.name) for known in entries()]
ACTING = [pytest.param(known, id=known.name) for known in entries() if known.repairs]


def made(name: str, code: str = "", after: tuple[str, ...] = ()) -> Entry:
    return Entry(code or name.upper(), name, Level.SAFE, after, f"{name}_module", "", ())


@pytest.mark.parametrize("known", EVERY)
def test_the_analysis_uses_the_same_name(known: Entry) -> None:
    assert CODES[known.code].name == known.name


@pytest.mark.parametrize("known", EVERY)
def test_the_file_is_named_after_the_fault(known: Entry) -> None:
    assert known.module == known.name.replace("-", "_")


@pytest.mark.parametrize("known", EVERY)
def test_the_documentation_is_whole(known: Entry) -> None:
    assert known.summary.endswith(".")
    assert tuple(heading for heading, _ in known.sections) == HEADINGS
    assert all(text.strip() for _, text in known.sections)
    example = dict(known.sections)["Example"]
    assert ">>> " in example
    assert "<<< " in example


@pytest.mark.parametrize("known", ACTING)
def test_the_example_is_python(known: Entry) -> None:
    lines = dict(known.sections)["Example"].splitlines()
    for mark in (">>> ", "<<< "):
        code = "\n".join(line[4:] for line in lines if line.startswith(mark))
        ast.parse(f"{code}\n    pass" if code.endswith(":") else code)


@pytest.mark.parametrize("known", ACTING)
def test_the_command_is_named_after_the_file(known: Entry) -> None:
    command = command_of(known)
    assert command.__name__ == "".join(part.capitalize() for part in known.name.split("-")) + "Command"
    assert command.DESCRIPTION != GradientCommand.DESCRIPTION
    assert command.RULE.code == known.code
    assert handled_nodes(command)


@pytest.mark.parametrize("known", ACTING)
def test_no_method_that_the_common_walk_does_not_serve(known: Entry) -> None:
    """It calls `visit_Node` and `leave_Node` and nothing else; matcher decorators and attribute methods do not run."""
    command = command_of(known)
    assert all("_" not in node for node in handled_nodes(command))
    source = (CODEMODS / f"{known.module}.py").read_text(encoding="utf-8")
    assert "@m." not in source


@pytest.mark.parametrize("known", ACTING)
def test_its_tests_have_refused_cases(known: Entry) -> None:
    tests = "".join(path.read_text(encoding="utf-8") for path in CASES.glob(f"test_{known.module}*.py"))
    assert known.module in tests, "no tests of its own"
    if known.name != "array-consumer":  # it adds to an expression and drops nothing
        assert re.search("declined|refus", tests, re.IGNORECASE)


def test_commands_act_in_order() -> None:
    order = list(commands())
    by_name = {known.name: known.code for known in entries()}
    for known in entries():
        for before in known.after if known.repairs else ():
            assert order.index(by_name[before]) < order.index(known.code)


def test_rules_are_found_by_code_and_name() -> None:
    assert entry("TGF103") == entry(" tgf103 ") == entry("numpy-detach")
    assert entry("TGF999") is None


def test_documentation_is_read_without_libcst(monkeypatch: pytest.MonkeyPatch) -> None:
    text = (CODEMODS / "numpy_detach.py").read_text(encoding="utf-8")
    monkeypatch.setattr(importlib, "import_module", None)
    known = read_entry("numpy_detach", text)
    assert known is not None
    assert known.level is Level.SAFE


def test_a_file_without_a_rule_is_no_codemod() -> None:
    assert read_entry("nodes", '"""Nodes."""\nRULES = 3\n') is None


def test_a_claim_made_twice() -> None:
    with pytest.raises(RegistryError, match="claimed by a_module and b_module"):
        check_unique([made("a", "TGF1"), made("b", "TGF1")])


def test_a_circle() -> None:
    with pytest.raises(RegistryError, match="circle: a, b"):
        in_order([made("a", after=("b",)), made("b", after=("a",))])


def test_a_stranger() -> None:
    with pytest.raises(RegistryError, match="no rule: z"):
        in_order([made("a", after=("z",))])


def test_order_is_by_code_where_nothing_is_said() -> None:
    assert [known.name for known in in_order([made("b"), made("c", after=("b",)), made("a", after=("c",))])] == [
        "b",
        "c",
        "a",
    ]


def test_a_module_without_a_command() -> None:
    with pytest.raises(RegistryError, match="one command"):
        command_of(Entry("TGF401", "x", Level.SAFE, (), "no_gradient_operation", "", ()))
