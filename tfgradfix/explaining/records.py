"""What an explaining run found, as frozen records, and how they are read from the lines of the child."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

from tfgradfix.verify.records import Place, Report

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tfgradfix.verify.records import Failure


class Reason(str, Enum):
    """Why a gradient is None."""

    LEFT = "left"
    NUMPY_FUNCTION = "numpy_function"
    BEFORE = "before the tape"
    AFTER = "after the tape"
    OTHER_TAPE = "another tape"
    OUTSIDE = "outside the tape"
    STOPPED = "recording stopped"
    NOT_WATCHED = "not watched"
    WATCHED_LATE = "watched late"
    ASKED_TWICE = "asked twice"
    NO_GRADIENT = "no gradient"
    INTEGER = "integer"
    INTEGER_SOURCE = "integer source"
    STOP_GRADIENT = "stop_gradient"
    REPLACED = "replaced"
    ASSIGN = "assign"
    NO_SOURCES = "no sources"
    EARLY_LIST = "list taken early"
    NO_TENSOR = "no tensor"
    CONDITION = "condition"
    GRAPH_VALUE = "graph value"
    GRAPH_CONDITION = "graph condition"
    GRAPH_LIST = "graph list"
    ITEM_ASSIGNMENT = "item assignment"
    UNCONNECTED = "unconnected"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Step:
    """One step of the recorded path; ``cut`` says why no gradient passes here, None when it does."""

    name: str
    place: Place | None
    cut: Reason | None


@dataclass(frozen=True)
class Cause:
    """One cause of a None gradient.

    ``chain`` are the user's lines at the cut, the innermost first, so that its first is the line to look at; ``numpy``
    the lines between the exit and ``entry``, where the value came back. ``how`` names what was called.
    ``presumed`` marks what the record suggests and does not show; ``partial`` a value that joins a way which is cut
    elsewhere: were only that mended, the gradient would lack a term. ``eager`` is set when it was seen with functions
    run eagerly.
    """

    reason: Reason
    chain: tuple[Place, ...] = ()
    sources: tuple[str, ...] = ()
    numpy: tuple[Place, ...] = ()
    entry: tuple[Place, ...] = ()
    how: str = ""
    presumed: bool = False
    partial: bool = False
    eager: bool = False
    path: tuple[Step, ...] = ()

    @property
    def place(self) -> Place | None:
        """The line that cuts."""
        return self.chain[0] if self.chain else None

    @property
    def lines(self) -> tuple[Place, ...]:
        """The lines that are named: the cut, and those in NumPy after it."""
        return tuple(dict.fromkeys((*self.chain[:1], *self.numpy)))


@dataclass(frozen=True)
class Missing:
    """One gradient call with a None, or one that raised: where, how many of its sources, and why."""

    method: str
    call: tuple[Place, ...]
    sources: int
    lost: int
    causes: tuple[Cause, ...]
    error: str | None = None


@dataclass(frozen=True)
class Explanation:
    """One explaining run.

    ``graph`` are the faults that end the program: what it died of, and what the second run, which goes on past them
    with functions eager, saw behind it.
    ``hooks`` names what the self-test found missing: causes that need it are told as unknown.
    ``ran`` are the lines (file, number) at which an operation ran or a value left TensorFlow.
    ``ended`` is "finished", "error", "time limit" or "killed".
    """

    script: str
    missing: tuple[Missing, ...] = ()
    graph: tuple[Cause, ...] = ()
    failure: Failure | None = None
    calls: int = 0
    ended: str = "finished"
    hooks: tuple[str, ...] = ()
    troubles: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    ran: frozenset[tuple[str, int]] = frozenset()

    @property
    def causes(self) -> tuple[Cause, ...]:
        """All causes, each once."""
        found = [cause for missing in self.missing for cause in missing.causes]
        return (*self.graph, *found)

    @property
    def named(self) -> frozenset[tuple[str, int]]:
        """File and line of all cuts, and of what stands in NumPy behind them."""
        return frozenset((place.file or "", place.line) for cause in self.causes for place in cause.lines)

    @property
    def called(self) -> frozenset[tuple[str, int]]:
        """The same of the calls that led to a cut, and of the lines where a value came back."""
        return frozenset(
            (place.file or "", place.line) for cause in self.causes for place in (*cause.chain, *cause.entry)
        )


@dataclass
class Told(Report):
    """The records of one run, as they come in."""

    eager: bool = False
    hooks: tuple[str, ...] = ()
    missing: list[Missing] = field(default_factory=list)
    behind: tuple[Cause, ...] = ()
    ran: frozenset[tuple[str, int]] = frozenset()

    def take(self, record: dict[str, Any]) -> None:
        """Take in one record."""
        kind = record["kind"]
        if kind == "missing":
            self.missing.append(_missing(record, self.eager))
        elif kind == "behind":
            self.behind = tuple(
                Cause(Reason(each["reason"]), _places(each["chain"]), how=each["how"], eager=True)
                for each in record["faults"]
            )
        elif kind == "ran":
            self.ran = frozenset((file, line) for file, line in record["lines"])
        elif kind == "hooks":
            self.hooks = tuple(record["missing"])
        else:
            super().take(record)


def _missing(record: Mapping[str, Any], eager: bool) -> Missing:
    causes = tuple(_cause(each, eager) for each in record["causes"])
    return Missing(
        record["method"], _places(record["call"]), record["sources"], record["lost"], causes, record["error"]
    )


def _cause(record: Mapping[str, Any], eager: bool) -> Cause:
    return Cause(
        reason=Reason(record["reason"]),
        chain=_places(record["chain"]),
        sources=tuple(dict.fromkeys(record["sources"])),
        numpy=_places(record["numpy"]),
        entry=_places(record["entry"]),
        how=record["how"],
        presumed=record["presumed"],
        partial=record["partial"],
        eager=eager,
        path=tuple(_step(each) for each in record["path"]),
    )


def _step(record: Mapping[str, Any]) -> Step:
    places = _places(record["lines"])
    return Step(record["name"], places[0] if places else None, Reason(record["cut"]) if record["cut"] else None)


def _places(lines: list[dict[str, Any]]) -> tuple[Place, ...]:
    return tuple(Place(line["file"], line["line"], line["function"]) for line in lines)
