"""The changes of a report, each with the findings that it repairs: what is applied together is one change."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tfgradfix.report.bodies import bodies
from tfgradfix.report.places import Places
from tfgradfix.rewrite.units import unit_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tfgradfix.model import Finding, Report, Span
    from tfgradfix.report.bodies import Body


@dataclass(frozen=True, eq=False)
class Block:
    """The lines ``first`` up to ``last`` of a body, counted from 0, become its new lines ``start`` up to ``stop``.

    ``findings`` are those whose place it changes; ``units`` are the fix units that need it, also where it changes the
    place of none (an import).
    """

    body: Body
    first: int
    last: int
    start: int
    stop: int
    findings: tuple[Finding, ...] = ()
    units: frozenset[object] = frozenset()

    @property
    def content(self) -> tuple[object, ...]:
        """What tells two blocks apart that change the same file."""
        return self.body.path, self.body.name, self.first, self.last, tuple(self.body.new[self.start : self.stop])


@dataclass(frozen=True, eq=False)
class Change:
    """One or more fix units that cannot be told apart in the text: their findings, and all blocks that they need."""

    number: int
    findings: tuple[Finding, ...]
    blocks: tuple[Block, ...]


class Changes:
    """All changes of one report."""

    def __init__(self, report: Report, folder: Path, *, whole: bool = False) -> None:
        """Compare the files of ``report``; names are seen from ``folder``, ``whole`` is that of ``bodies``."""
        self.places = Places(report)
        self.fixed = tuple(finding for file in report.files for finding in file.fixed)
        compared = (body for file in report.files for body in bodies(file, folder, self.places, whole=whole))
        self.blocks = tuple((body, tuple(self._blocks(body))) for body in compared)

    @cached_property
    def all(self) -> tuple[Change, ...]:
        """The changes, in the order of their first findings."""
        found: list[Change] = []
        every = [block for _, blocks in self.blocks for block in blocks]
        for units in self._together(every):
            mine = tuple(block for block in every if units & block.units)
            if mine:
                findings = tuple(finding for finding in self.fixed if unit_of(finding) in units)
                found.append(Change(len(found) + 1, findings, mine))
        return tuple(found)

    def _together(self, blocks: Iterable[Block]) -> list[frozenset[object]]:
        """The fix units in sets; those of one set have a block in common that changes the places of all of them."""
        sets = {unit: frozenset([unit]) for block in blocks for unit in block.units}
        order = dict.fromkeys(unit_of(finding) for finding in self.fixed)
        for block in blocks:
            if block.findings:
                joined = frozenset[object]().union(*(sets[unit] for unit in block.units))
                sets.update(dict.fromkeys(joined, joined))
        return list(dict.fromkeys(sets[unit] for unit in [*order, *sets] if unit in sets))

    def _blocks(self, body: Body) -> Iterator[Block]:
        matcher = difflib.SequenceMatcher(None, body.old, body.new, autojunk=False)
        for tag, first, last, start, stop in matcher.get_opcodes():
            if tag != "equal":
                yield from self._by_lines(self._owned(Block(body, first, last, start, stop)))

    def _by_lines(self, block: Block) -> Sequence[Block]:
        """``block`` in its lines, where each of them changes the place of some finding."""
        if block.last - block.first != block.stop - block.start or len(block.units) == 1:
            return [block]
        shift = block.start - block.first
        rows = range(block.first, block.last)
        lines = [self._owned(Block(block.body, row, row + 1, row + shift, row + shift + 1)) for row in rows]
        return lines if all(line.findings for line in lines) else [block]

    def _owned(self, block: Block) -> Block:
        """``block`` with what it is for: the findings at its lines, else those whose path passes, else all."""
        findings = self._at(block)
        units = {unit_of(finding) for finding in findings} or self._near(block)
        return Block(block.body, block.first, block.last, block.start, block.stop, findings, frozenset(units))

    def _at(self, block: Block) -> tuple[Finding, ...]:
        """The findings at the lines of ``block``, at each line those that reach over the fewest lines."""
        reach = {one: rows for one in self.fixed if (rows := block.body.rows(one.span)) and _meet(block, rows)}
        narrowest: set[Finding] = set()
        first, last = _lines(block)
        for row in range(first, last + 1):
            sizes = {one: rows[1] - rows[0] for one, rows in reach.items() if rows[0] <= row <= rows[1]}
            narrowest.update(one for one, size in sizes.items() if size == min(sizes.values()))
        return tuple(one for one in reach if one in narrowest)

    def _near(self, block: Block) -> set[object]:
        passing = {unit_of(one) for one in self.fixed if any(_passes(block, step.span) for step in one.path)}
        return passing or self._in_file(block) or {unit_of(one) for one in self.fixed}

    def _in_file(self, block: Block) -> set[object]:
        return {unit_of(one) for one in self.fixed if one.span.filename == str(block.body.path)}


def _passes(block: Block, span: Span) -> bool:
    rows = block.body.rows(span)
    return rows is not None and _meet(block, rows)


def _meet(block: Block, rows: tuple[int, int]) -> bool:
    """Whether ``block`` changes one of ``rows``, or puts lines right before or after them."""
    first, last = _lines(block)
    return rows[0] <= last and first <= rows[1]


def _lines(block: Block) -> tuple[int, int]:
    """The first and the last line that ``block`` touches, counted from 1."""
    # What is put between two lines has no row of its own.
    return (block.first + 1, block.last) if block.last > block.first else (block.first, block.first + 1)
