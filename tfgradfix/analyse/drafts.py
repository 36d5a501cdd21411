"""Findings while they are being put together: one draft a place and code, and the gradient calls that need it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from tfgradfix.analyse.facts.codes import CODES
from tfgradfix.analyse.modules import Module
from tfgradfix.model import Extent, Finding, Level, Operand, Step


@dataclass
class Draft:
    """A finding in the making. ``events`` are the gradient calls (by number) whose repair needs it."""

    code: str
    syntax: ast.AST
    module: Module
    symbol: str = ""
    source: str = "the source"
    level: Level = Level.SAFE
    extent: Extent = Extent.WHOLE
    reason: str = ""
    nodes: set[int] = field(default_factory=set)
    operands: tuple[Operand, ...] = ()
    path: tuple[Step, ...] = ()
    facts: dict[str, str] = field(default_factory=dict)
    events: set[int] = field(default_factory=set)
    tensorflow: str | None = None
    #: Names a part of the unit that may stay as it is when it cannot be rewritten (an eager `if` works).
    part: str = ""

    def finish(self, unit: str) -> Finding:
        """The finding that leaves the analysis."""
        code = CODES[self.code]
        message = code.message.format(symbol=self.symbol, source=self.source)
        if self.reason:
            message += f" ({self.reason})"
        return Finding(
            self.code,
            code.name,
            self.module.span(self.syntax),
            message,
            self.level,
            self.extent,
            self.path,
            unit,
            self.symbol,
            self.operands,
            self.tensorflow,
            tuple(sorted(self.facts.items())),
        )


class Drafts:
    """All drafts of a program, one for each place and code."""

    def __init__(self) -> None:
        self._drafts: dict[tuple[str, int], Draft] = {}

    def __iter__(self) -> Iterator[Draft]:
        return iter(self._drafts.values())

    def add(self, draft: Draft, event: int) -> Draft:
        """Enter a draft, or join it into the one that is there."""
        key = (draft.code, id(draft.syntax))
        kept = self._drafts.setdefault(key, draft)
        kept.events.add(event)
        if kept is not draft:
            kept.part = kept.part if draft.part else ""
            kept.nodes |= draft.nodes
            if draft.extent is Extent.WHOLE:
                kept.extent = Extent.WHOLE
            kept.facts.update(draft.facts)
            if kept.level is Level.MANUAL or draft.level is Level.MANUAL:
                kept.level, kept.reason = Level.MANUAL, kept.reason or draft.reason
            elif Level.SAFE in (kept.level, draft.level):
                kept.level = Level.SAFE
        return kept

    def units(self) -> dict[int, str]:
        """The fix unit of each gradient call: calls that share a place to mend are mended together."""
        parents: dict[int, int] = {}

        def root(event: int) -> int:
            while parents.setdefault(event, event) != event:
                event = parents[event]
            return event

        for draft in self._drafts.values():
            if draft.extent is Extent.PARTIAL:
                continue
            first, *others = sorted(draft.events)
            for other in others:
                parents[root(other)] = root(first)
            root(first)
        roots = sorted({root(event) for event in parents})
        return {event: f"unit-{roots.index(root(event)) + 1}" for event in parents}

    def unit_of(self, draft: Draft, units: dict[int, str]) -> str:
        """The unit of a draft. A partial cut is one of its own: the gradient is there without its repair.

        A name with a slash is a part that is only applied with the unit before the slash.
        """
        if draft.extent is Extent.PARTIAL:
            return f"partial-{min(draft.events) + 1}"
        return units[min(draft.events)] + draft.part
