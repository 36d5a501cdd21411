"""What LibCST drops comes back.

LibCST does not give back every file as it was: it drops, for example, blank lines with blanks in them, and comments,
that stand indented at the end of a file. So a rewritten text is compared with what LibCST makes of the original by
itself, and only the difference between these two goes into the original.
"""

from __future__ import annotations

import ast
import difflib
from dataclasses import dataclass

from tfgradfix.read.source import split_lines


@dataclass(frozen=True, order=True)
class _Change:
    """Lines ``first`` up to ``last`` (of the text that LibCST gives back unedited) become ``lines``."""

    first: int
    last: int
    lines: tuple[str, ...]


def restore(original: str, rewritten: str) -> str | None:
    """``rewritten`` with everything in it that LibCST dropped of ``original``; None if that place was edited itself."""
    returned = _returned(original)
    if returned == original:
        return rewritten
    changes = sorted([*_changes(returned, original), *_changes(returned, rewritten)])
    lines, merged, position = split_lines(returned), list[str](), 0
    for before, change in zip([None, *changes], changes, strict=False):
        if before is not None and (change.first < before.last or (change.first, change.last) == (before.first,) * 2):
            return None
        merged += [*lines[position : change.first], *change.lines]
        position = change.last
    merged += lines[position:]
    result = "".join(merged)
    return result if ast.dump(ast.parse(result)) == ast.dump(ast.parse(rewritten)) else None


def _returned(text: str) -> str:
    """What LibCST gives back for ``text``, again and again until it stays."""
    import libcst as cst

    while (code := cst.parse_module(text).code) != text:
        text = code
    return text


def _changes(before: str, after: str) -> list[_Change]:
    old, new = split_lines(before), split_lines(after)
    matcher = difflib.SequenceMatcher(a=old, b=new, autojunk=False)
    return [
        _Change(first, last, tuple(new[start:stop]))
        for tag, first, last, start, stop in matcher.get_opcodes()
        if tag != "equal"
    ]
