"""The check that an edit stays where a finding is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.helpers import unmark
from tfgradfix.model import Extent, Finding, Level
from tfgradfix.rewrite.untouched import changed_elsewhere

KEPT = [
    pytest.param("«y = 1»\nz = 2\n", "y = 3\nz = 2\n", id="the statement of the finding"),
    pytest.param("y = f(\n    «1»,\n)\n", "y = f(\n    2,\n)\n", id="part of a statement over several lines"),
    pytest.param("«for i in x:»\n    y = i\n    z = i\n", "y = z = 0\n", id="the whole of a compound statement"),
    pytest.param("if «a»:\n    y = 1\n", "if b:\n    y = 1\n", id="the head of a compound statement"),
    pytest.param("«a»\nwith t:\n    y = 1\nz = y\n", "with t:\n    y = 1\n    z = y\n", id="a statement that moves"),
    pytest.param("«a»\n", "import tensorflow as tf\na\n", id="a statement more"),
    pytest.param("try: pass\nexcept E: «a»\n", "try: pass\nexcept E: b\n", id="in a handler"),
    pytest.param("match x:\n    case 1:\n        «a»\n", "match x:\n    case 1:\n        b\n", id="in a case"),
]
CHANGED = [
    pytest.param("«y = 1»\nz = 2\n", "y = 1\nz = 3\n", 2, id="another statement"),
    pytest.param("«y = 1»\nz = 2\nz = 2\n", "y = 1\nz = 2\n", 3, id="one of two equal statements"),
    pytest.param("if «a»:\n    y = 1\n", "if b:\n    y = 2\n", 2, id="the block of a head"),
    pytest.param("while a:\n    «y»\n", "while b:\n    y\n", 1, id="the head of a block"),
]


def finding(marked: str) -> tuple[str, Finding]:
    text, (span,) = unmark(marked)
    return text, Finding("TGF101", "numpy-call", span, "", Level.SAFE, Extent.WHOLE)


FACTS = [
    pytest.param(("until", "3"), id="until a later row"),
    pytest.param(("also", "2,3"), id="single rows elsewhere"),
]


@pytest.mark.parametrize("fact", FACTS)
def test_kept_by_a_fact(fact: tuple[str, str]) -> None:
    before, here = finding("«y = 1»\nz = 2\nw = 3\n")
    assert changed_elsewhere(before, "y = 0\n", [replace(here, facts=(fact,))]) is None


@pytest.mark.parametrize(("marked", "after"), KEPT)
def test_kept(marked: str, after: str) -> None:
    before, here = finding(marked)
    assert changed_elsewhere(before, after, [here]) is None


@pytest.mark.parametrize(("marked", "after", "row"), CHANGED)
def test_changed(marked: str, after: str, row: int) -> None:
    before, here = finding(marked)
    statement = changed_elsewhere(before, after, [here])
    assert statement is not None
    assert statement.lineno == row


def test_what_is_not_python() -> None:
    with pytest.raises(SyntaxError):
        changed_elsewhere("y = 1\n", "y = = 1\n", [])
