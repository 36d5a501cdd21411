"""Starts a program under the harness, in a process group of its own, within limits of time and output."""

from __future__ import annotations

import os
import selectors
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tfgradfix.verify.launch import Fresh, Launch
from tfgradfix.verify.mirror import Mirror, Version, mirror
from tfgradfix.verify.numeric import LIMIT, Numeric, read_numbers
from tfgradfix.verify.records import HarnessError, Report, Run, original, read_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tfgradfix.verify.server import Forked

#: Bytes kept of each of the two outputs: so many from the beginning, as many from the end.
KEPT: Final = 64_000
#: Seconds for the import of TensorFlow, which is not the program's own time.
IMPORT: Final = 120.0
#: Seconds for the interpreter to shut down once the program has ended.
GRACE: Final = 10.0
SEED: Final = 20


def run(
    version: Version,
    *,
    python: Path,
    arguments: Sequence[str] = (),
    timeout: float = 120.0,
    eager: bool = False,
    stop_after: int | None = None,
    cancelled: Callable[[], bool] = bool,
    keep: Path | None = None,
    given: Path | None = None,
    lenient: bool = False,
    capped: bool = False,
) -> Run:
    """Run one version once and tell what its gradient calls gave.

    Args:
        version: what to run; it is run in a scratch copy.
        python: an interpreter that has TensorFlow.
        arguments: the command line of the script.
        timeout: seconds after which the program and all it started are killed; TensorFlow's import is not counted.
        eager: run every ``tf.function`` eagerly, so that values are known inside.
        stop_after: end the run after so many gradient calls.
        cancelled: asked a few times a second; the run is given up once it says so.
        keep: a folder to keep all gradients in, whole.
        given: such a folder, whose gradients the program gets in place of its own.
        capped: end training loops early (see ``inside/caps.py``).
        lenient: let it come further than TensorFlow does, for its values (see ``inside/lenient.py``).

    Raises:
        HarnessError: the program could not be started, or the report is garbled.
    """
    if os.name != "posix":
        raise HarnessError("programs can be run on Linux and macOS only")
    with tempfile.TemporaryDirectory(prefix="tfgradfix-", ignore_cleanup_errors=True) as scratch:
        base = Path(scratch).resolve()
        copy = mirror(version, base / "program")
        (base / "tmp").mkdir()
        order = {
            "script": str(copy.script),
            "arguments": list(arguments),
            "folder": str(copy.folder),
            "seed": SEED,
            "eager": eager,
            "stop_after": stop_after,
            "keep": None if keep is None else str(keep),
            "given": None if given is None else str(given),
            "lenient": lenient,
            "capped": capped,
        }
        watch = _Watch(timeout, cancelled)
        watch.start(Launch(python, version, copy, base / "tmp"), order)
        return watch.result(copy, version)


def check_numbers(
    version: Version,
    *,
    python: Path,
    arguments: Sequence[str] = (),
    timeout: float = 120.0,
    stops: list[str] | None = None,
    capped: bool = False,
) -> tuple[Numeric, ...]:
    """Check the gradients of a version as numbers, by running it with its weights moved.

    Args:
        version: what to run; it is run in a scratch copy.
        python: an interpreter that has TensorFlow.
        arguments: the command line of the script.
        timeout: seconds for all runs together.
        stops: lines whose `tf.stop_gradient` is the author's own; None for every one.
        capped: end training loops early, as in the runs that were compared.

    Raises:
        HarnessError: the program could not be started, or the report is garbled.
    """
    with tempfile.TemporaryDirectory(prefix="tfgradfix-", ignore_cleanup_errors=True) as scratch:
        base = Path(scratch).resolve()
        copy = mirror(version, base / "program")
        (base / "tmp").mkdir()
        (base / "stops").mkdir()
        order = {
            "script": str(copy.script),
            "arguments": list(arguments),
            "folder": str(copy.folder),
            "seed": SEED,
            "probe": min(timeout, LIMIT),
            "stops": stops,
            "capped": capped,
            "scratch": str(base / "stops"),
        }
        watch = _Watch(timeout + GRACE, bool)
        watch.start(Launch(python, version, copy, base / "tmp"), order)
        return read_numbers(watch.report.numbers) if watch.report.numbers is not None else ()


@dataclass
class _Kept:
    """The beginning and the end of an output of any length."""

    head: bytes = b""
    tail: bytes = b""
    dropped: int = 0

    def add(self, data: bytes) -> None:
        free = KEPT - len(self.head)
        self.head += data[:free]
        tail = self.tail + data[free:] if free < len(data) else self.tail
        self.dropped += max(0, len(tail) - KEPT)
        self.tail = tail[-KEPT:]

    def text(self) -> str:
        gap = f"\n… {self.dropped:,} bytes left out …\n".encode() if self.dropped else b""
        return (self.head + gap + self.tail).decode("utf-8", "replace")


@dataclass
class _Watch:
    """One child process, what it says, and when it has to end."""

    timeout: float
    cancelled: Callable[[], bool]
    report: Report = field(default_factory=Report)
    output: _Kept = field(default_factory=_Kept)
    errors: _Kept = field(default_factory=_Kept)
    partial: bytes = b""
    killed: bool = False
    status: int | None = None
    began: float = field(default_factory=time.monotonic)
    deadline: float = field(default_factory=lambda: time.monotonic() + IMPORT)

    def start(self, launch: Launch, order: dict[str, object]) -> None:
        """Run the child to its end or to its limit; nothing of its group is left running."""
        reading, writing = os.pipe()
        try:
            child = launch.forked(order, writing) or launch.fresh(order, writing)
        except OSError as error:
            os.close(reading)
            raise HarnessError(f"{launch.python} cannot be started: {error}") from error
        finally:
            os.close(writing)
        with os.fdopen(reading, "rb", buffering=0) as report:
            try:
                self._follow(child, report.fileno())
            finally:
                # The group outlives its leader when the program left processes behind.
                child.kill_all()
            self.status = child.wait()

    def _follow(self, child: Fresh | Forked, report: int) -> None:
        """Read all three pipes until the child is gone."""
        takers = {report: self._take, child.stdout.fileno(): self.output.add, child.stderr.fileno(): self.errors.add}
        with selectors.DefaultSelector() as selector:
            for descriptor in takers:
                os.set_blocking(descriptor, False)
                selector.register(descriptor, selectors.EVENT_READ)
            while True:
                gone = child.poll() is not None
                ready = selector.select(0 if gone else max(0.0, min(0.2, self.deadline - time.monotonic())))
                for key, _ in ready:
                    data = os.read(key.fd, 1 << 16)
                    if data:
                        takers[key.fd](data)
                    else:
                        selector.unregister(key.fd)
                if gone and not ready:
                    return
                if time.monotonic() > self.deadline or self.cancelled():
                    self.killed = self.report.end is None
                    return
                if self.report.end is not None:
                    self.deadline = min(self.deadline, time.monotonic() + GRACE)

    def _take(self, data: bytes) -> None:
        waiting = self.report.start is None
        *lines, self.partial = (self.partial + data).split(b"\n")
        self.report.read(line.decode("utf-8", "replace") for line in lines)
        if waiting and self.report.start is not None:
            self.began = time.monotonic()
            self.deadline = self.began + self.timeout

    def result(self, copy: Mirror, version: Version) -> Run:
        """The records of the run, with the user's own paths."""
        report, end = self.report, self.report.end or {}
        errors = original(self.errors.text(), copy.folder, version.folder)
        if report.unusable is not None:
            raise HarnessError(f"TensorFlow cannot be imported: {report.unusable}")
        if report.start is None:
            reason = f"TensorFlow's import is not over after {IMPORT:.0f} s" if self.killed else f"status {self.status}"
            raise HarnessError(f"the program could not be started ({reason}): {errors[-500:].strip()}")
        totals = end.get("counts", ())
        return Run(
            calls=tuple(sorted(report.calls, key=lambda call: call.order)),
            ended=self._ended(),
            failure=report.failure,
            status=end.get("status", self.status),
            weights=read_weights(end),
            totals={(file, line, library, method, graph): n for file, line, library, method, graph, n in totals},
            modules=frozenset(end["modules"]) if end else None,
            output=original(self.output.text(), copy.folder, version.folder),
            errors=errors,
            seconds=time.monotonic() - self.began,
            versions=report.start or {},
            troubles=tuple(report.troubles),
            linked=copy.linked,
            stand_ins=tuple(end.get("stand_ins", ())),
            capped=tuple((str(file), int(line), int(turns)) for file, line, turns in end.get("capped", ())),
        )

    def _ended(self) -> str:
        end = self.report.end
        if self.killed:
            return "time limit"
        if end is None:
            return "killed"
        if end["stopped"]:
            return "stopped"
        return "error" if self.report.failure is not None or end["status"] else "finished"
