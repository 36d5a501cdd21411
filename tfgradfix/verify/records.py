"""What one run of a program showed, as frozen records, and how they are read from the harness's lines."""

from __future__ import annotations

import array
import base64
import json
import re
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path


#: File, line, library, method, whether in a graph: what the child tells call sites apart by.
Site = tuple[str | None, int, str | None, str, bool]


class HarnessError(Exception):
    """The harness could not do its work: no interpreter with TensorFlow, no such script, a garbled report."""


@dataclass(frozen=True)
class Value:
    """A tensor, variable or number at one moment.

    In a graph there is no value yet: only ``dtype`` and ``shape`` are known, the rest is None. ``numbers`` are the
    values, or a fixed linear map of them when there are many; None also where a later call was not kept whole.
    """

    dtype: str
    shape: tuple[int | None, ...] | None = None
    finite: bool | None = None
    zero: bool | None = None
    norm: float | None = None
    numbers: tuple[float, ...] | None = None

    def __str__(self) -> str:
        if self.numbers is not None and len(self.numbers) == 1:
            return f"{self.numbers[0]:.6g}"
        shape = "?" if self.shape is None else ", ".join("?" if size is None else str(size) for size in self.shape)
        norm = "" if self.norm is None else f", norm {self.norm:.6g}"
        return f"{self.dtype} ({shape}){norm}"


@dataclass(frozen=True)
class Source:
    """One source of a gradient call. ``gradient`` is None when TensorFlow answered None.

    ``variable`` tells a variable from a tensor.
    """

    name: str
    value: Value | None
    gradient: Value | None
    variable: bool = True


@dataclass(frozen=True)
class Place:
    """The user's line from which a gradient call came.

    ``file`` is relative to the program's folder, absolute outside it, None when no line of the user's is on the stack.
    ``library`` names the library function that asked on the user's behalf (Keras' train_step under ``fit``).
    """

    file: str | None
    line: int
    function: str = ""
    library: str | None = None


@dataclass(frozen=True)
class GradientCall:
    """One call of ``gradient``, ``jacobian`` or ``batch_jacobian``.

    ``index`` counts the calls of this place from 0, ``order`` all calls of the run; ``updates`` is how often weights
    had been changed by then. A call that raised has ``error`` and no gradients to speak of. ``drawn`` stands for the
    states of NumPy's generators of random numbers; None where they were not looked at.
    """

    place: Place
    method: str
    graph: bool
    index: int
    order: int
    updates: int
    targets: tuple[Value | None, ...]
    sources: tuple[Source, ...]
    error: str | None = None
    drawn: int | None = None

    @property
    def site(self) -> Site:
        """What the child tells call sites apart by."""
        return (self.place.file, self.place.line, self.place.library, self.method, self.graph)

    @property
    def missing(self) -> tuple[str, ...]:
        """The names of the sources whose gradient is None."""
        return tuple(source.name for source in self.sources if source.gradient is None)

    @property
    def finite(self) -> bool | None:
        """Whether all gradients are finite; None when no value is known."""
        known = [source.gradient.finite for source in self.sources if source.gradient is not None]
        answers = [answer for answer in known if answer is not None]
        return all(answers) if answers else None


@dataclass(frozen=True)
class Failure:
    """An exception that ended the program, or one of its threads, with the user's lines it passed (innermost last)."""

    type: str
    message: str
    frames: tuple[Place, ...] = ()

    @property
    def place(self) -> Place | None:
        """The innermost line of the user's."""
        return self.frames[-1] if self.frames else None

    @property
    def refused(self) -> bool:
        """Whether the program may not write where it wanted to, as Python, TensorFlow and HDF5 say it."""
        return bool(
            re.search(r"PermissionError|PermissionDenied|Permission denied|errno = 13", f"{self.type} {self.message}")
        )

    @property
    def reason(self) -> str:
        """The type and the one line of the message that matters."""
        return f"{self.type}: {_reason(self.message)}".removesuffix(": ")[:300]

    def __str__(self) -> str:
        return f"{self.reason} at line {self.place.line} of {self.place.file}" if self.place else self.reason


def _reason(message: str) -> str:
    """The one line of a message that tells the reason: Keras and AutoGraph put lines before and after it."""
    plain = re.sub(r"\x1b\[\d+m", "", message).split("Arguments received by")[0]
    lines = [line.strip() for line in plain.splitlines() if line.strip()]
    wrapped = "in user code:" in plain or plain.startswith("Exception encountered when calling")
    reason = re.sub(r"^\w+(Error|Exception): ", "", lines[-1 if wrapped else 0]) if lines else ""
    return reason.split(". ")[0]


@dataclass(frozen=True)
class Run:
    """One run of one version.

    ``ended`` is how it came to its end: "finished", "error", "time limit", "limit" (of something else; ``limit`` says
    of what), "stopped" (we had seen enough), or "killed" (by a signal, or gone without a word). ``totals`` maps the
    line, library, method and mode of a site to its number of calls, and ``modules`` are the user's files that were
    loaded; both are known at the end only.
    ``troubles`` are failures of the recording itself, ``linked`` what was too big to be copied for the run, ``capped``
    file, line and turns of the training loops that were ended early, ``stand_ins`` the data sets that could not be had,
    ``traces`` how often each tf.function, by file and name, was traced.
    """

    calls: tuple[GradientCall, ...] = ()
    ended: str = "finished"
    failure: Failure | None = None
    status: int | None = None
    weights: tuple[Value | None, ...] = ()
    totals: Mapping[Site, int] = field(default_factory=dict)
    modules: frozenset[str] | None = None
    output: str = ""
    errors: str = ""
    seconds: float = 0.0
    versions: Mapping[str, str] = field(default_factory=dict)
    troubles: tuple[str, ...] = ()
    linked: tuple[str, ...] = ()
    limit: str = ""
    stand_ins: tuple[str, ...] = ()
    capped: tuple[tuple[str, int, int], ...] = ()
    traces: Mapping[tuple[str, str], int] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        """Whether the program came to its own end without an error."""
        return self.ended in ("finished", "stopped") and self.failure is None


def read_value(fields: Mapping[str, Any] | None) -> Value | None:
    """The value of one record, or None."""
    if fields is None:
        return None
    numbers = fields.get("numbers")
    shape = fields["shape"]
    return Value(
        dtype=fields["dtype"],
        shape=None if shape is None else tuple(shape),
        finite=fields.get("finite"),
        zero=fields.get("zero"),
        norm=fields.get("norm"),
        numbers=None if numbers is None else _numbers(numbers),
    )


def _numbers(encoded: str) -> tuple[float, ...]:
    numbers = array.array("d", base64.b64decode(encoded))
    if sys.byteorder == "big":
        numbers.byteswap()
    return tuple(numbers)


def _read_call(fields: Mapping[str, Any]) -> GradientCall:
    sources = tuple(
        Source(each["name"], read_value(each["value"]), read_value(each.get("gradient")), each["variable"])
        for each in fields["sources"]
    )
    return GradientCall(
        place=Place(**fields["site"]),
        method=fields["method"],
        graph=fields["graph"],
        index=fields["index"],
        order=fields["order"],
        updates=fields["updates"],
        targets=tuple(read_value(each) for each in fields["targets"]),
        sources=sources,
        error=fields["error"],
        drawn=fields["drawn"],
    )


def _read_failure(fields: Mapping[str, Any]) -> Failure:
    frames = tuple(Place(**frame) for frame in fields["frames"])
    return Failure(("in a thread: " if fields["thread"] else "") + fields["type"], fields["message"], frames)


@dataclass
class Report:
    """The records of one run, as they come in."""

    calls: list[GradientCall] = field(default_factory=list)
    failure: Failure | None = None
    end: Mapping[str, Any] | None = None
    start: Mapping[str, str] | None = None
    unusable: str | None = None
    troubles: list[str] = field(default_factory=list)
    numbers: Mapping[str, Any] | None = None

    def read(self, lines: Iterable[str]) -> None:
        """Take in whole lines of the harness.

        Raises:
            HarnessError: a line is not one of the harness's.
        """
        for line in lines:
            try:
                self.take(json.loads(line))
            except (ValueError, KeyError, TypeError) as error:
                raise HarnessError(f"the report of the run is garbled ({error}): {line[:80]}") from error

    def take(self, record: dict[str, Any]) -> None:
        """Take in one record.

        Raises:
            ValueError: it is of no kind that is known; KeyError and TypeError: it lacks something.
        """
        kind = record.pop("kind")
        if kind == "call":
            self.calls.append(_read_call(record))
        elif kind == "error":
            self.failure = self.failure or _read_failure(record)
        elif kind == "broken":
            self.troubles.append(record["message"])
        elif kind == "end":
            self.end = record
        elif kind == "start":
            self.start = record
        elif kind == "numbers":
            self.numbers = record
        elif kind == "unusable":
            self.unusable = record["message"]
        else:
            raise ValueError(f"unknown record {kind}")


def read_weights(end: Mapping[str, Any]) -> tuple[Value | None, ...]:
    """The trained weights of an ``end`` record."""
    return tuple(read_value(each) for each in end.get("weights", ()))


def original(text: str, scratch: Path, folder: Path) -> str:
    """``text`` with the paths of the scratch copy turned back into those of the user."""
    return text.replace(str(scratch), str(folder))
