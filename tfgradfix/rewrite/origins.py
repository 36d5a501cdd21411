"""Where the findings of a later round come from: the same findings in the text as the user knows it.

Edits move lines and change what stands beside a finding. So a finding of a later round is recognised by its code,
symbol and text, else by its code and symbol; one that is new is given the rows that its lines had at first.
"""

from __future__ import annotations

import difflib
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from tfgradfix.model import Position
from tfgradfix.read.source import split_lines
from tfgradfix.rewrite.units import Located

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from pathlib import Path

    from tfgradfix.model import Finding, Span


class Origins:
    """Recognises findings of the program as it was at first."""

    def __init__(self, texts: Mapping[Path, str], found: Mapping[Path, tuple[Finding, ...]]) -> None:
        """Take the first texts and what was found in them."""
        self.texts = texts
        self.found = found

    def locate(
        self, texts: Mapping[Path, str], found: Mapping[Path, tuple[Finding, ...]], gone: Collection[Finding]
    ) -> tuple[Located, ...]:
        """The findings of a later round, each with its origin; ``gone`` are the origins that were repaired."""
        return tuple(
            located for path, findings in found.items() for located in self._in_file(path, texts[path], findings, gone)
        )

    def _in_file(self, path: Path, text: str, findings: Sequence[Finding], gone: Collection[Finding]) -> list[Located]:
        first = self.texts[path]
        candidates = [finding for finding in self.found.get(path, ()) if finding not in gone]
        known = same(candidates, first, findings, text)
        old_row = row_in(first, text)
        return [
            Located(path, finding, known.get(finding) or moved(finding, old_row), is_new=finding not in known)
            for finding in findings
        ]


def same(
    candidates: Sequence[Finding], first: str, findings: Sequence[Finding], text: str
) -> Mapping[Finding, Finding]:
    """Which of ``candidates``, found in ``first``, each of ``findings``, found in ``text``, is."""
    known: dict[Finding, Finding] = {}
    for with_text in (True, False):
        waiting: dict[tuple[str, ...], list[Finding]] = defaultdict(list)
        taken = set(known.values())
        for candidate in candidates:
            if candidate not in taken:
                waiting[key(candidate, first, with_text)].append(candidate)
        for finding in findings:
            same_key = waiting[key(finding, text, with_text)]
            if finding not in known and same_key:
                known[finding] = same_key.pop(0)
    return known


def key(finding: Finding, text: str, with_text: bool) -> tuple[str, ...]:
    """What a finding is recognised by."""
    return (finding.code, finding.symbol, text_of(text, finding.span) if with_text else "")


def text_of(text: str, span: Span) -> str:
    """The characters of a span."""
    lines = split_lines(text)[span.start.row - 1 : span.end.row]
    if not lines:
        return ""
    lines[-1] = lines[-1][: span.end.column - 1]
    lines[0] = lines[0][span.start.column - 1 :]
    return "".join(lines)


def moved(finding: Finding, row: Callable[[int], int]) -> Finding:
    """``finding`` with its rows, and those of its path in this file, put back to where their lines were at first."""
    filename = finding.span.filename
    path = tuple(
        replace(step, span=moved_span(step.span, row)) if step.span.filename == filename else step
        for step in finding.path
    )
    return replace(finding, span=moved_span(finding.span, row), path=path)


def moved_span(span: Span, row: Callable[[int], int]) -> Span:
    """``span`` with other rows."""
    start = Position(row(span.start.row), span.start.column)
    return replace(span, start=start, end=Position(row(span.end.row), span.end.column))


def row_in(first: str, text: str) -> Callable[[int], int]:
    """A function from rows of ``text`` to rows of ``first``; a changed line gets the row of what it replaced."""
    if first == text:
        return lambda row: row
    before, after = split_lines(first), split_lines(text)
    rows: dict[int, int] = {}
    matcher = difflib.SequenceMatcher(a=before, b=after, autojunk=False)
    for _, old_start, old_end, start, end in matcher.get_opcodes():
        last = max(old_end - 1, old_start)
        rows.update((start + step + 1, min(old_start + step, last) + 1) for step in range(end - start))
    return lambda row: rows.get(row, row)
