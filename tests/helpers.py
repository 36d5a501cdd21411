"""What the tests of codemods share: findings made by hand, and the checks that every rewrite must pass."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypedDict

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
    return Position(before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1)


class About(TypedDict, total=False):
    """What a finding made by hand may say besides its code and place."""

    symbol: str
    operands: Sequence[Operand]
    tensorflow: str | None
    unit: str
    level: Level
    facts: Mapping[str, str]


def find(command: type[GradientCommand], text: str, snippet: str, nth: int = 0, **about: Unpack[About]) -> Finding:
    """A finding of ``command``'s code on the ``nth`` place where ``snippet`` stands in ``text``."""
    offset = -1
    for _ in range(nth + 1):
        offset = text.index(snippet, offset + 1)
    return Finding(
        code=command.RULE.code,
        name=command.RULE.name,
        span=Span(MODULE, position(text, offset), position(text, offset + len(snippet))),
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


def rewritten(command: type[GradientCommand], text: str, snippet: str, **about: Unpack[About]) -> str:
    """``text`` after ``command`` acted on ``snippet``; fails when it refuses."""
    edited = apply(text, [find(command, text, snippet, **about)], command)
    assert not edited.declined, edited.declined
    return edited.text


def refusal(command: type[GradientCommand], text: str, snippet: str, **about: Unpack[About]) -> str:
    """Why ``command`` leaves ``snippet`` alone; fails when it does not."""
    edited = apply(text, [find(command, text, snippet, **about)], command)
    assert edited.text == text
    (declined,) = edited.declined
    return declined.reason
