"""The change of a file as edits, and which of them repair which finding."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tfgradfix.model import Position
from tfgradfix.read.source import Source, decode, split_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from tfgradfix.model import FileOutcome, Finding


@dataclass(frozen=True)
class Edit:
    """The text from ``start`` up to ``end`` becomes ``content``."""

    start: Position
    end: Position
    content: str


def fixes(file: FileOutcome) -> Mapping[Finding, tuple[Edit, ...]]:
    """The edits that repair each fixed finding of ``file``.

    Findings of one unit share their edits. An edit that touches no finding (an import) belongs to every unit.
    """
    if file.after is None or not file.fixed:
        return {}
    edits = text_edits(text_of(file.path, file.before), text_of(file.path, file.after))
    owned = [(edit, _owners(edit, file.fixed)) for edit in edits]
    return {
        finding: tuple(edit for edit, units in owned if not units or finding.unit in units) for finding in file.fixed
    }


def text_edits(before: str, after: str) -> tuple[Edit, ...]:
    """The edits that make ``after`` out of ``before``, in order, none overlapping another."""
    old, new = split_lines(before), split_lines(after)
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    return tuple(
        _narrow(old[first:last], "".join(new[start:stop]), first)
        for tag, first, last, start, stop in matcher.get_opcodes()
        if tag != "equal"
    )


def text_of(path: Path, data: bytes) -> str:
    """The text in ``data``, the bytes of ``path``; empty if they hold none."""
    source = decode(path, data)
    return source.text if isinstance(source, Source) else ""


def _narrow(old: Sequence[str], content: str, first: int) -> Edit:
    """The edit that replaces the lines ``old`` (the first has the number ``first``, from 0), less equal ends."""
    text = "".join(old)
    most = min(len(text), len(content))
    head = next((i for i in range(most) if text[i] != content[i]), most)
    rest = most - head
    tail = next((i for i in range(rest) if text[-1 - i] != content[-1 - i]), rest)
    start, end = _position(text[:head], first), _position(text[: len(text) - tail], first)
    return Edit(start, end, content[head : len(content) - tail])


def _position(text: str, first: int) -> Position:
    """The place right after ``text``, whose first line has the number ``first``, counted from 0."""
    lines = split_lines(text) or [""]
    if lines[-1].endswith(("\n", "\r")):
        lines.append("")
    return Position(first + len(lines), len(lines[-1]) + 1)


def _owners(edit: Edit, fixed: Sequence[Finding]) -> frozenset[str]:
    return frozenset(
        finding.unit
        for finding in fixed
        if finding.span.start.row <= edit.end.row and edit.start.row <= finding.span.end.row
    )
