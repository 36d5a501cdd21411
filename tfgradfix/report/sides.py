"""A file before and after, side by side: rows of lines with syntax colours and marks on the words that differ."""

from __future__ import annotations

import difflib
import itertools
import re
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Final

from tfgradfix.read.source import split_lines

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

#: Unchanged lines shown round a change.
CONTEXT: Final = 3
#: Lines less alike than this are shown as removed and added, without marks inside.
_ALIKE: Final = 0.35
_WORDS: Final = re.compile(r"\w+|\s+|.")


@dataclass(frozen=True)
class Row:
    """One row: the line numbers and the HTML of both sides, None where a side has no line, and whether it changed.

    A row of which both numbers are None stands for lines that are left out.
    """

    old: int | None
    new: int | None
    left: str
    right: str
    changed: bool


def rows(before: str, after: str, wanted: Collection[int] = ()) -> tuple[Row, ...]:
    """The changed lines with some context, and the old lines ``wanted``, counted from 1."""
    every = list(_all(before, after))
    shown = {
        near for index, row in enumerate(every) if row.changed for near in range(index - CONTEXT, index + CONTEXT + 1)
    }
    picked: list[Row] = []
    last = -1
    for index, row in enumerate(every):
        if index in shown or row.old in wanted:
            if index != last + 1:
                picked.append(Row(None, None, "", "", changed=False))
            picked.append(row)
            last = index
    return tuple(picked)


def row_after(before: str, after: str) -> dict[int, int]:
    """For each old line the new one in its place, both counted from 1."""
    found = {row.old: row.new for row in _pairs(split_lines(before), split_lines(after))}
    return {old: new for old, new in found.items() if old is not None and new is not None}


def _all(before: str, after: str) -> Iterator[Row]:
    old, new = split_lines(before), split_lines(after)
    left, right = _coloured(before), _coloured(after)
    for pair in _pairs(old, new):
        marks: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
        if pair.changed and pair.old is not None and pair.new is not None:
            marks = _marks(old[pair.old - 1], new[pair.new - 1])
        yield Row(
            pair.old,
            pair.new,
            "" if pair.old is None else _html(left[pair.old - 1], marks[0]),
            "" if pair.new is None else _html(right[pair.new - 1], marks[1]),
            pair.changed,
        )


def _pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[Row]:
    """Which line stands beside which."""
    # difflib passes over lines that stand everywhere, as empty ones do: with them a long file would take minutes.
    for tag, a, b, c, d in difflib.SequenceMatcher(a=old, b=new).get_opcodes():
        for step in range(max(b - a, d - c)):
            first = a + step + 1 if a + step < b else None
            second = c + step + 1 if c + step < d else None
            yield Row(first, second, "", "", tag != "equal")


def _marks(old: str, new: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The stretches of characters that differ between two lines."""
    words = _WORDS.findall(old.strip("\r\n")), _WORDS.findall(new.strip("\r\n"))
    matcher = difflib.SequenceMatcher(a=words[0], b=words[1], autojunk=False)
    if matcher.ratio() < _ALIKE:
        return [], []
    sides: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            for side, text, first, last in ((0, words[0], a, b), (1, words[1], c, d)):
                start = sum(map(len, text[:first]))
                end = start + sum(map(len, text[first:last]))
                if end > start:
                    sides[side].append((start, end))
    return sides


@lru_cache(maxsize=64)
def _coloured(text: str) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Each line of ``text`` as pairs of a colour's class and characters."""
    from pygments.lexers.python import PythonLexer
    from pygments.token import STANDARD_TYPES

    lines: list[list[tuple[str, str]]] = [[]]
    for kind, value in PythonLexer(stripnl=False, ensurenl=False).get_tokens(text.replace("\f", " ")):
        name = STANDARD_TYPES.get(kind, "")
        first, *others = value.split("\n")
        lines[-1].append((name, first))
        for part in others:
            lines.append([(name, part)])
    return tuple(tuple(line) for line in lines)


def _html(tokens: Sequence[tuple[str, str]], marks: Sequence[tuple[int, int]]) -> str:
    parts, position = list[str](), 0
    for name, text in tokens:
        for piece, marked in _split(text, position, marks):
            safe = escape(piece)
            coloured = f'<span class="{name}">{safe}</span>' if name and piece.strip() else safe
            parts.append(f"<mark>{coloured}</mark>" if marked else coloured)
        position += len(text)
    return "".join(parts)


def _split(text: str, position: int, marks: Sequence[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
    """``text`` in pieces that lie wholly inside or outside ``marks``."""
    edges = {0, len(text)} | {edge - position for mark in marks for edge in mark if 0 < edge - position < len(text)}
    cuts = sorted(edges)
    for start, end in itertools.pairwise(cuts):
        yield text[start:end], any(first <= position + start < last for first, last in marks)
