"""What the proof says, as frozen records that any report can show."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from enum import Enum
from typing import Any

from tfgradfix.verify.numeric import Numeric  # noqa: TC001  # a field of the public record
from tfgradfix.verify.records import GradientCall, Run, Value  # noqa: TC001  # fields of the public records
from tfgradfix.verify.values import Agreement


class Status(str, Enum):
    """The three answers; there is no fourth that means "probably"."""

    PROVEN = "proven"
    FAILED = "failed"
    UNPROVEN = "unproven"


@dataclass(frozen=True)
class SourceRow:
    """One source of one gradient call, before and after; None where that side has no such source or no answer."""

    name: str
    none_before: bool | None
    none_after: bool | None
    finite_after: bool | None
    zero_after: bool | None
    gradient: Agreement


@dataclass(frozen=True)
class Row:
    """One gradient call, before and after.

    ``eager`` marks a call of the second pair of runs, in which every ``tf.function`` ran eagerly so that values
    inside could be seen. ``target`` says how the target's value compares where it had to be the same.
    """

    file: str | None
    line_before: int | None
    line_after: int | None
    method: str
    library: str | None
    graph: bool
    eager: bool
    index: int
    sources: tuple[SourceRow, ...]
    target_before: tuple[str, ...]
    target_after: tuple[str, ...]
    target: Agreement
    error_before: str | None
    error_after: str | None


@dataclass(frozen=True)
class SiteRow:
    """All calls of one site: how many sources had no gradient at some call, and how the targets compare."""

    file: str | None
    line_before: int | None
    line_after: int | None
    method: str
    graph: bool
    eager: bool
    calls_before: int
    calls_after: int
    sources_before: int
    sources_after: int
    none_before: int
    none_after: int
    compared: int
    equal: bool


@dataclass(frozen=True)
class Verdict:
    """The answer, why it is not "proven", and what was seen.

    ``notes`` limit what a proof rests on (values that could not be compared). ``numbers`` are the gradient calls that
    were checked as numbers.
    """

    status: Status
    reasons: tuple[str, ...]
    notes: tuple[str, ...]
    rows: tuple[Row, ...]
    before: Run
    after: Run
    numbers: tuple[Numeric, ...] = ()

    @property
    def proven(self) -> bool:
        """Whether the change may stay."""
        return self.status is Status.PROVEN

    @property
    def sites(self) -> tuple[SiteRow, ...]:
        """The rows summed up by call site, in order of appearance."""
        groups: dict[tuple[Any, ...], list[Row]] = {}
        for row in self.rows:
            line = ("only before", row.line_before) if row.line_after is None else ("after", row.line_after)
            groups.setdefault((row.file, line, row.method, row.graph, row.eager), []).append(row)
        return tuple(_site(rows) for rows in groups.values())

    def record(self) -> dict[str, Any]:
        """The verdict as plain data for a machine-readable report."""
        return {
            "status": self.status.value,
            "reasons": list(self.reasons),
            "notes": list(self.notes),
            "calls": [dataclasses.asdict(row, dict_factory=_plain) for row in self.rows],
            "numbers": [dataclasses.asdict(each) for each in self.numbers],
            "before": _told(self.before),
            "after": _told(self.after),
        }


def shown(values: tuple[Value | None, ...]) -> tuple[str, ...]:
    """Targets as text."""
    return tuple("None" if value is None else str(value) for value in values)


def describe(call: GradientCall) -> str:
    """Where a gradient call stands, for a sentence."""
    place = call.place
    file = f" of {place.file}" if place.file else ""
    through = f" (through {place.library})" if place.library else ""
    return f"line {place.line}{file}{through}" if place.file else f"a call{through}"


def _site(rows: list[Row]) -> SiteRow:
    first = rows[0]
    compared = [row.target for row in rows if row.target is not Agreement.UNKNOWN]
    sources = [source for row in rows for source in row.sources]
    return SiteRow(
        file=first.file,
        line_before=first.line_before,
        line_after=first.line_after,
        method=first.method,
        graph=first.graph,
        eager=first.eager,
        calls_before=sum(row.line_before is not None for row in rows),
        calls_after=sum(row.line_after is not None for row in rows),
        sources_before=len({source.name for source in sources if source.none_before is not None}),
        sources_after=len({source.name for source in sources if source.none_after is not None}),
        none_before=len({source.name for source in sources if source.none_before}),
        none_after=len({source.name for source in sources if source.none_after}),
        compared=len(compared),
        equal=Agreement.DIFFERENT not in compared,
    )


def _plain(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {name: value.value if isinstance(value, Enum) else value for name, value in pairs}


def _told(run: Run) -> dict[str, Any]:
    failure = run.failure
    return {
        "ended": run.ended,
        "status": run.status,
        "error": str(failure) if failure else None,
        "file": failure.place.file if failure and failure.place else None,
        "line": failure.place.line if failure and failure.place else None,
        "calls": sum(run.totals.values()) if run.totals else len(run.calls),
        "seconds": round(run.seconds, 2),
        "versions": dict(run.versions),
    }
