"""The change of a file as edits, and which of them repair which finding."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tfgradfix.model import Position
from tfgradfix.read.magics import stretches
from tfgradfix.read.source import Source, decode, split_lines
from tfgradfix.report.places import notebook_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from tfgradfix.model import FileOutcome, Finding
    from tfgradfix.read.notebook import Notebook


@dataclass(frozen=True)
class Edit:
    """The text from ``start`` up to ``end`` becomes ``content``; in a notebook the text of one cell."""

    start: Position
    end: Position
    content: str
    cell: int | None = None


def fixes(file: FileOutcome) -> Mapping[Finding, tuple[Edit, ...]]:
    """The edits that repair each fixed finding of ``file``.

    Findings of one unit share their edits. An edit that touches no finding (an import) belongs to every unit.
    """
    if file.after is None or not file.fixed:
        return {}
    before, after = notebook_of(file.path, file.before), notebook_of(file.path, file.after)
    above: dict[int | None, int] = {}
    if before is None or after is None:
        edits = text_edits(text_of(file.path, file.before), text_of(file.path, file.after))
    else:
        edits = cell_edits(before, after)
        above = {place.cell: row for row, place in enumerate(before.lines) if place.line == 1}
    owned = [(edit, _owners(edit, file.fixed, above.get(edit.cell, 0))) for edit in edits]
    return {
        finding: tuple(edit for edit, units in owned if not units or finding.unit in units) for finding in file.fixed
    }


def cell_edits(before: Notebook, after: Notebook) -> tuple[Edit, ...]:
    """The edits that make the cells of ``after`` out of those of ``before``; none touches a magic that stays."""
    return tuple(
        replace(edit, cell=index)
        for index in before.fields
        for edit in _edits_of_cell(before.source(index), after.source(index))
    )


def _edits_of_cell(before: str, after: str) -> Iterator[Edit]:
    old, new = stretches(before), stretches(after)
    if len(old) != len(new):
        # A magic has gone with its block to the cell above.
        old, new = [(0, before)], [(0, after)]
    for (above, text), (_, replacement) in zip(old, new, strict=True):
        yield from text_edits(text, replacement, above)


def text_edits(before: str, after: str, above: int = 0) -> tuple[Edit, ...]:
    """The edits that make ``after`` out of ``before``, in order, none overlapping another.

    Args:
        before: the old text.
        after: the new text.
        above: how many rows stand above ``before`` where rows are counted.
    """
    old, new = split_lines(before), split_lines(after)
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    return tuple(
        _narrow(old[first:last], "".join(new[start:stop]), first + above)
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


def _owners(edit: Edit, fixed: Sequence[Finding], above: int) -> frozenset[str]:
    start, end = edit.start.row + above, edit.end.row + above
    return frozenset(
        finding.unit for finding in fixed if finding.span.start.row <= end and start <= finding.span.end.row
    )
