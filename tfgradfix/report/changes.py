"""The changes of a report, each with the findings that it repairs: what is applied together is one change."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tfgradfix.report.bodies import bodies
from tfgradfix.report.places import Places
from tfgradfix.rewrite.units import unit_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from tfgradfix.model import Finding, Report, Span
    from tfgradfix.report.bodies import Body

#: The share of characters that a mended line has in common with the old one, at least.
_ALIKE: Final = 0.5
#: The names that a line brings in: by an import, a definition, an assignment.
_NAMED: Final = re.compile(r"^\s*(?:(?:from\s.+\s)?import\s.*?(\w+)\s*$|(?:def|class)\s+(\w+)|(\w+)\s*=[^=])", re.M)


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
    def text(self) -> str:
        """Its new lines."""
        return "".join(self.body.new[self.start : self.stop])

    @property
    def content(self) -> tuple[object, ...]:
        """What tells two blocks apart that change the same file."""
        return self.body.path, self.body.name, self.first, self.last, self.text


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
        self._of_file: dict[str, list[Finding]] = {}
        self._steps: dict[str, list[tuple[object, Span]]] = {}
        for one in self.fixed:
            self._of_file.setdefault(one.span.filename, []).append(one)
            for step in one.path:
                self._steps.setdefault(step.span.filename, []).append((unit_of(one), step.span))
        compared = (body for file in report.files for body in bodies(file, folder, self.places, whole=whole))
        self.blocks = tuple((body, _served(list(self._blocks(body)))) for body in compared)

    @cached_property
    def all(self) -> tuple[Change, ...]:
        """The changes, in the order of their first findings."""
        every = [block for _, blocks in self.blocks for block in blocks]
        groups = self._together(every)
        group_of = {unit: number for number, units in enumerate(groups) for unit in units}
        findings: dict[int, list[Finding]] = {number: [] for number in range(len(groups))}
        mine: dict[int, list[Block]] = {number: [] for number in range(len(groups))}
        for finding in self.fixed:
            if (group := group_of.get(unit_of(finding))) is not None:
                findings[group].append(finding)
        for block in every:
            for group in dict.fromkeys(group_of[unit] for unit in block.units):
                mine[group].append(block)
        return tuple(Change(group + 1, tuple(findings[group]), tuple(mine[group])) for group in mine)

    def _together(self, blocks: Iterable[Block]) -> list[frozenset[object]]:
        """The fix units of ``blocks``, those in one set that have a block in common which changes places of each."""
        sets = {unit: frozenset([unit]) for block in blocks for unit in block.units}
        order = dict.fromkeys(unit_of(finding) for finding in self.fixed)
        for block in blocks:
            if block.findings:
                joined = frozenset[object]().union(*(sets[unit] for unit in block.units))
                sets.update(dict.fromkeys(joined, joined))
        return list(dict.fromkeys(sets[unit] for unit in [*order, *sets] if unit in sets))

    def _blocks(self, body: Body) -> Iterator[Block]:
        # difflib passes over lines that stand everywhere, as empty ones do: with them a long file would take minutes.
        matcher = difflib.SequenceMatcher(None, body.old, body.new)
        for tag, first, last, start, stop in matcher.get_opcodes():
            if tag != "equal":
                yield from self._by_lines(self._owned(Block(body, first, last, start, stop)))

    def _by_lines(self, block: Block) -> Sequence[Block]:
        """``block`` in its lines, where each of them is an old line mended, at the place of some finding."""
        old, new = block.body.old[block.first : block.last], block.body.new[block.start : block.stop]
        if len(block.units) == 1 or len(old) != len(new) or not all(map(_alike, old, new)):
            return [block]
        shift = block.start - block.first
        rows = range(block.first, block.last)
        lines = [self._owned(Block(block.body, row, row + 1, row + shift, row + shift + 1)) for row in rows]
        return lines if all(line.findings for line in lines) else [block]

    def _owned(self, block: Block) -> Block:
        """``block`` with what it is for: the findings at its lines, else those whose path passes, else all."""
        findings = self._at(block)
        units = {unit_of(finding) for finding in findings} or self._near(block)
        return replace(block, findings=findings, units=frozenset(units))

    def _at(self, block: Block) -> tuple[Finding, ...]:
        """The findings at the lines of ``block``, at each line those that reach over the fewest lines."""
        near = self._of_file.get(str(block.body.path), ())
        reach = {one: rows for one in near if (rows := block.body.rows(one.span)) and _meet(block, rows)}
        narrowest: set[Finding] = set()
        first, last = _lines(block)
        for row in range(first, last + 1):
            sizes = {one: rows[1] - rows[0] for one, rows in reach.items() if rows[0] <= row <= rows[1]}
            narrowest.update(one for one, size in sizes.items() if size == min(sizes.values()))
        return tuple(one for one in reach if one in narrowest)

    def _near(self, block: Block) -> set[object]:
        """The units whose gradient path passes ``block``, else all of its file, else all."""
        name = str(block.body.path)
        passing = {unit for unit, span in self._steps.get(name, ()) if _passes(block, span)}
        return passing or {unit_of(one) for one in self._of_file.get(name, self.fixed)}


def _served(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """``blocks``, of which those that put new names into the text are for the fix units that use these."""
    words = [set(re.findall(r"\w+", block.text)) for block in blocks]
    served: list[Block] = []
    for block in blocks:
        names = {name for found in _NAMED.findall(block.text) for name in found if name}
        users = [other.units for other, used in zip(blocks, words, strict=True) if other is not block and names & used]
        if block.first == block.last and users:
            served.append(replace(block, findings=(), units=frozenset[object]().union(*users)))
        else:
            served.append(block)
    return tuple(served)


def _alike(old: str, new: str) -> bool:
    """Whether ``new`` is ``old`` with some words changed, and not another line in its place."""
    same_depth = len(old) - len(old.lstrip()) == len(new) - len(new.lstrip())
    return same_depth and difflib.SequenceMatcher(None, old, new, autojunk=False).ratio() > _ALIKE


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
