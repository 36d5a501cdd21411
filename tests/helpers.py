"""What the tests of codemods share: findings made by hand, and the checks that every rewrite must pass."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypedDict

import libcst as cst
from libcst.codemod import CodemodContext
from libcst.metadata import MetadataWrapper
from tfgradfix_codemods.base import Findings

from tfgradfix.model import Extent, Finding, Level, Operand, Position, Span
from tfgradfix.rewrite.together import Edited, edit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tfgradfix_codemods.base import GradientCommand
    from typing_extensions import Unpack

#: The name of the module in findings made by hand.
MODULE = "module.py"


def position(text: str, offset: int) -> Position:
    """The row and column of an offset in ``text``."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return Position(before.count("\n") + 1, len(before) - before.rfind("\n"))


def unmark(marked: str) -> tuple[str, list[Span]]:
    """``marked`` without its marks, and the spans between them; ``«`` and ``»`` may be nested."""
    text, spans, opened = "", list[Span](), list[int]()
    for character in marked:
        if character == "«":
            opened.append(len(text))
        elif character == "»":
            start = opened.pop()
            spans.append(Span(MODULE, Position(start, 0), Position(len(text), 0)))
        else:
            text += character
    ordered = sorted(spans, key=lambda span: (span.start.row, -span.end.row))
    return text, [Span(MODULE, position(text, span.start.row), position(text, span.end.row)) for span in ordered]


class About(TypedDict, total=False):
    """What a finding made by hand may say besides its code and place."""

    symbol: str
    operands: Sequence[Operand]
    tensorflow: str | None
    unit: str
    level: Level
    facts: Mapping[str, str]


def finding(command: type[GradientCommand], span: Span, **about: Unpack[About]) -> Finding:
    """A finding of ``command``'s code."""
    return Finding(
        code=command.RULE.code,
        name=command.RULE.name,
        span=span,
        message="made by hand",
        level=about.get("level", Level.SAFE),
        extent=Extent.WHOLE,
        unit=about.get("unit", ""),
        symbol=about.get("symbol", ""),
        operands=tuple(about.get("operands", ())),
        tensorflow=about.get("tensorflow", "tf"),
        facts=tuple(about.get("facts", {}).items()),
    )


def apply(text: str, findings: Sequence[Finding], *commands: type[GradientCommand]) -> Edited:
    """``text`` after ``commands``, run together; the result parses."""
    edited = edit(text, findings, commands)
    ast.parse(edited.text)
    return edited


def edited_at_marks(command: type[GradientCommand], marked: str, about: About) -> tuple[str, Edited]:
    """The text without marks, and what ``command`` makes of it where the marks are: together and alone the same."""
    text, spans = unmark(marked)
    findings = [finding(command, span, **about) for span in spans]
    together = apply(text, findings, command)
    assert not together.unanswered, "no node has this span"
    assert alone(command, text, findings) == together.text
    return text, together


def alone(command: type[GradientCommand], text: str, findings: Sequence[Finding]) -> str:
    """``text`` after ``command`` was run as LibCST's own runner runs it."""
    wrapper = MetadataWrapper(cst.parse_module(text), cache={Findings: tuple(findings)})
    context = CodemodContext(wrapper=wrapper)
    instance = command(context)
    with instance.resolve(wrapper):
        return instance.transform_module_impl(wrapper.module).code


def rewritten(command: type[GradientCommand], marked: str, **about: Unpack[About]) -> str:
    """The text after ``command`` acted where the marks are; fails when it refuses."""
    _, edited = edited_at_marks(command, marked, about)
    assert not edited.declined, edited.declined
    return edited.text


def refusal(command: type[GradientCommand], marked: str, **about: Unpack[About]) -> str:
    """Why ``command`` leaves alone what the marks are round; fails when it does not."""
    text, edited = edited_at_marks(command, marked, about)
    assert edited.text == text
    assert edited.declined
    return edited.declined[0].reason
