"""Fix units: the findings that are repaired together or not at all, and what may stand in the way of one."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tfgradfix.model import Level

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping
    from pathlib import Path

    from tfgradfix.model import Finding


@dataclass(frozen=True)
class Located:
    """A finding of some round, the module it is in, and the same finding in the text as it was at first.

    ``is_new`` says that it was not there at first, so that ``origin`` only gives it the place its lines had.
    """

    path: Path
    finding: Finding
    origin: Finding
    is_new: bool


@dataclass(frozen=True)
class Unit:
    """The findings of one name, wherever they are."""

    name: str
    members: tuple[Located, ...]

    @property
    def whole(self) -> str:
        """The unit that this one is a part of, itself if it is none: a part is only applied with its whole."""
        return self.name.partition("/")[0]

    @property
    def targets(self) -> frozenset[tuple[str, int]]:
        """Where the gradients are asked for that this unit brings back."""
        return frozenset(target for member in self.members for target in targets_of(member))

    @property
    def paths(self) -> frozenset[Path]:
        """The modules that its findings are in."""
        return frozenset(member.path for member in self.members)


@dataclass(frozen=True)
class Terms:
    """What may be rewritten: which modules, findings, levels and codes.

    ``vain`` gives the findings whose repair was tried and came to nothing, and why. ``graph_ready`` is what the
    analysis of each round is asked for.
    """

    editable: Collection[Path]
    select: Callable[[Finding], bool]
    unsafe: bool
    codes: Collection[str]
    vain: Mapping[Finding, str] = field(default_factory=dict)
    graph_ready: bool = False


def units_of(located: Iterable[Located]) -> tuple[Unit, ...]:
    """The units of a program in the order of their first findings; a finding without one is a unit of its own."""
    grouped: dict[str, list[Located]] = defaultdict(list)
    for number, member in enumerate(located):
        grouped[member.finding.unit or f"#{number}"].append(member)
    return tuple(Unit(name, tuple(members)) for name, members in grouped.items())


def unit_of(finding: Finding) -> object:
    """What is repaired together with ``finding``: the name of its whole fix unit, or the finding itself."""
    return finding.unit.partition("/")[0] or finding


def targets_of(member: Located) -> frozenset[tuple[str, int]]:
    """File and row of what the gradient is asked of, the end of the path; empty when the analysis gave no path."""
    return frozenset((step.span.filename, step.span.start.row) for step in member.origin.path[-1:])


def obstacle(unit: Unit, terms: Terms) -> str | None:
    """Why ``unit`` cannot be repaired under ``terms``, or None when it may be tried."""
    for member in unit.members:
        reason = _obstacle_of(member, terms)
        if reason is not None:
            return reason if len(unit.members) == 1 else f"{place(member.origin)} {reason}"
    return None


def place(finding: Finding) -> str:
    """How a message names a finding: code, name and position."""
    start = finding.span.start
    return f"{finding.code} {finding.name} at {start.row}:{start.column}"


def _obstacle_of(member: Located, terms: Terms) -> str | None:
    finding = member.finding
    if finding.level is Level.MANUAL:
        return f"has no automatic repair: {finding.message}"
    if finding.level is Level.UNSAFE and not terms.unsafe:
        return "needs --unsafe-fixes: something observable besides the gradient may change"
    if finding.code not in terms.codes:
        return "is a kind of cut that no codemod repairs"
    if member.path not in terms.editable:
        return f"is in {member.path}, which is not among the files to be changed"
    if not terms.select(member.origin):
        return "is not selected"
    return terms.vain.get(member.origin)
