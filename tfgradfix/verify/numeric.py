"""Are the gradients the slopes of their targets? What ``inside/checker.py`` found, and what it means for the proof.

A gradient that stops half-way on a path is there, finite and of the right target. Only numbers tell: the target is
computed again with the weights moved a little, and the difference has to be what the gradient says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tfgradfix.verify.observe import Observations, Weight
from tfgradfix.verify.values import Agreement

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tfgradfix.verify.mirror import Version
    from tfgradfix.verify.records import Run
    from tfgradfix.verify.verdict import Row

#: Seconds for all runs of a check.
LIMIT: Final = 60.0


@dataclass(frozen=True)
class Numeric:
    """One gradient call checked as numbers.

    ``outcome`` is "agrees", "differs" or "not checkable"; ``why`` tells the last. ``directions`` are the directions in
    which the weights were moved, ``error`` the worst relative difference among those that agree. Where they differ,
    ``slope`` is what the gradient says and ``difference`` what the target does, by unit of the move.
    """

    file: str | None
    line: int
    library: str | None
    method: str
    index: int
    outcome: str
    why: str = ""
    directions: int = 0
    error: float | None = None
    slope: float | None = None
    difference: float | None = None


def read_numbers(fields: Mapping[str, Any]) -> tuple[Numeric, ...]:
    """The outcomes of a ``numbers`` record."""
    return tuple(
        Numeric(
            file=call["site"]["file"],
            line=call["site"]["line"],
            library=call["site"]["library"],
            method=call["method"],
            index=call["index"],
            outcome=call["outcome"],
            why=call.get("why", ""),
            directions=call.get("directions", 0),
            error=call.get("error"),
            slope=call.get("slope"),
            difference=call.get("difference"),
        )
        for call in fields["calls"]
    )


def is_same(before: Version, after: Version, run: Run) -> bool:
    """Whether the program that was run has not been changed at all."""
    modules = sorted((run.modules or frozenset()) - {after.entry})
    pairs = [(before.entry, after.entry), *((file, file) for file in modules)]
    try:
        return all(before.read(mine) == after.read(own) for mine, own in pairs)
    except OSError:
        return False


def judge(found: Sequence[Numeric], rows: Sequence[Row], seen: Observations) -> None:
    """Say what the numbers mean for the proof."""
    agreeing = [each for each in found if each.outcome == "agrees"]
    # A gradient that was as wrong before is not the change's fault, unless it is what the change was to mend.
    as_before = Weight.NOTE if _has_effect(rows) else Weight.OPEN
    for each in found:
        where = f"line {each.line} of {each.file}" if each.file else "a call"
        if each.outcome == "differs":
            told = f"it says {each.slope:.6g}, the target changes by {each.difference:.6g}"
            text = f"the gradient in {where} is not the slope of its target: moved a little, {told}"
            seen.say(as_before if _as_before(each, rows) else Weight.FAILURE, text)
        elif each.outcome == "not checkable":
            seen.say(Weight.NOTE, f"the gradient in {where} was not checked as numbers: {each.why}")
    if agreeing:
        worst = max(each.error or 0.0 for each in agreeing)
        lines = ", ".join(dict.fromkeys(str(each.line) for each in agreeing))
        plural = "s" if "," in lines else ""
        seen.say(Weight.NOTE, f"the gradients in line{plural} {lines} are the slopes of their targets, to {worst:.0e}")


def _has_effect(rows: Sequence[Row]) -> bool:
    """Whether the change has made any gradient another than it was."""
    sources = [source for row in rows for source in row.sources]
    return any(source.none_before is not False or source.gradient is Agreement.DIFFERENT for source in sources)


def _as_before(each: Numeric, rows: Sequence[Row]) -> bool:
    """Whether the program before had the same gradients at that call: then the change is not to blame."""
    same = [row for row in rows if row.line_after == each.line and row.file == each.file and row.index == each.index]
    sources = [source for row in same for source in row.sources]
    return bool(sources) and all(
        source.none_before is False and source.gradient in (Agreement.EQUAL, Agreement.CLOSE) for source in sources
    )
