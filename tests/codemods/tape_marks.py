"""Findings about tapes, made by hand: `¤` stands before the tape's `with`, and «» round what the finding names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.helpers import MODULE, apply, finding, position, unmark
from tfgradfix.model import Finding, Position, Span, Step

if TYPE_CHECKING:
    from tfgradfix_codemods.base import GradientCommand

    from tfgradfix.rewrite.together import Edited

#: Imports above the programs of tables.
HEAD = "import numpy as np\nimport tensorflow as tf\n"


def found(command: type[GradientCommand], marked: str, **facts: str) -> tuple[str, list[Finding]]:
    """The text without marks, and its findings; `¦` marks where the path is cut, when that is told."""
    plain, spans = unmark(marked.replace("¤", "").replace("¦", ""))
    at = {mark: place_of(marked, mark) for mark in "¤¦"}
    tape = at["¤"]
    known = {"tape": "tape", "with": f"{tape.row}:{tape.column}" if tape else "", **facts}
    findings = [finding(command, span, facts=known) for span in spans]
    cut = at["¦"]
    if cut is not None:
        findings = [replace(one, path=(Step(Span(MODULE, cut, cut), "CUT here"),)) for one in findings]
    return plain, findings


def place_of(marked: str, mark: str) -> Position | None:
    """Where ``mark`` stands in the text without marks."""
    if mark not in marked:
        return None
    before = marked[: marked.index(mark)].translate({ord(one): None for one in "«»¤¦"})
    return position(before, len(before))


def edited(command: type[GradientCommand], marked: str, **facts: str) -> tuple[str, Edited]:
    """The text without marks, and what ``command`` makes of it."""
    text, findings = found(command, marked, **facts)
    result = apply(text, findings, command)
    assert not result.unanswered, "no node has this span"
    return text, result


def moved(command: type[GradientCommand], marked: str, **facts: str) -> str:
    """The text, below the usual imports, after ``command`` acted; fails when it refuses."""
    newline = "\r\n" if "\r\n" in marked else "\n"
    head = HEAD.replace("\n", newline)
    _, result = edited(command, head + marked, **facts)
    assert not result.declined, result.declined
    assert not result.postponed, result.postponed
    return result.text.removeprefix(head)


def refused(command: type[GradientCommand], marked: str, **facts: str) -> str:
    """Why ``command`` leaves all of the text alone; fails when it does not."""
    text, result = edited(command, HEAD + marked, **facts)
    assert result.text == text
    assert result.declined
    return result.declined[0].reason
