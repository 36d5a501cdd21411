"""What a changed place is headed by: the code, the reason and the gradient path, each in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tfgradfix.model import CUT
from tfgradfix.report.text import shown
from tfgradfix.rewrite.units import unit_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tfgradfix.model import Finding, Step
    from tfgradfix.report.changes import Changes
    from tfgradfix.report.hunks import Hunk
    from tfgradfix.report.places import Places

#: Longer texts of steps are cut.
_LONGEST: Final = 40
#: Of a longer path only the ends and the cut are told.
_MOST: Final = 4


def reason(finding: Finding, places: Places) -> str:
    """Code, name and message of ``finding``."""
    message = " ".join(places.told(finding.span.filename, finding.message).split())
    return f"{finding.code} {finding.name}: {message}"


def path_line(finding: Finding, places: Places) -> str:
    """The gradient path of ``finding`` from a source to the target; empty where the analysis gave none."""
    steps = finding.path
    last = len(steps) - 1
    kept = [index for index, step in enumerate(steps) if index in (0, last) or step.cuts]
    if len(steps) <= _MOST:
        kept = list(range(len(steps)))
    parts: list[str] = []
    for before, index in zip([-1, *kept], kept, strict=False):
        parts += ["…"] if index > before + 1 else []
        parts.append(_step(steps[index], finding, places))
    return " → ".join(parts)


def title(hunk: Hunk, changes: Changes) -> str:
    """What ``hunk`` repairs, in one line; empty where the report does not say."""
    own = dict.fromkeys(finding for block in hunk.blocks for finding in block.findings)
    if own:
        return heading(list(own), changes.places)
    units = frozenset[object]().union(*(block.units for block in hunk.blocks))
    served = [finding for finding in changes.fixed if unit_of(finding) in units]
    return f"needed by {heading(served, changes.places)}" if served else ""


def numbered(changes: Changes) -> Callable[[Hunk], str]:
    """What tells the numbers of the changes that a hunk is for."""
    number = {unit: change.number for change in changes.all for unit in map(unit_of, change.findings)}

    def told(hunk: Hunk) -> str:
        units = frozenset[object]().union(*(block.units for block in hunk.blocks))
        return ", ".join(str(one) for one in sorted({number[unit] for unit in units if unit in number}))

    return told


def heading(findings: Sequence[Finding], places: Places) -> str:
    """All that is told of one place in one line: of the first finding everything, of the others their codes."""
    first = next((finding for finding in findings if finding.path), findings[0])
    others = dict.fromkeys(f"{one.code} {one.name}" for one in findings if one.code != first.code)
    more = f" (with {', '.join(others)})" if others else ""
    path = path_line(first, places)
    return reason(first, places) + more + (f" | {path}" if path else "")


def _step(step: Step, finding: Finding, places: Places) -> str:
    text = step.source
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    start = places.of(step.span.filename, step.span.start)
    row = f"{start.row}" if start.cell is None else f"cell {start.cell}:{start.row}"
    other = "" if step.span.filename == finding.span.filename else f"{shown(step.span.filename)}:"
    return f"{CUT if step.cuts else ''}{text} ({other}{row})"
