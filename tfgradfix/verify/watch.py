"""Follows one program from its start to its end or to its limit, and reads what it tells and prints."""

from __future__ import annotations

import dataclasses
import os
import selectors
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tfgradfix.verify.kept_output import KeptOutput
from tfgradfix.verify.limits import Limits
from tfgradfix.verify.records import Failure, HarnessError, Report, Run, original, read_weights

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tfgradfix.verify.launch import Launch
    from tfgradfix.verify.mirror import Mirror, Version
    from tfgradfix.verify.server import Forked

#: Seconds for the import of TensorFlow, which is not the program's own time.
IMPORT: Final = 120.0
#: Seconds for the interpreter to shut down once the program has ended.
GRACE: Final = 10.0
#: Seconds between two looks at how much a program takes, and at whether it is to be given up.
LOOK: Final = 0.2
#: Bytes of one line of a report, and of a whole one: far more than any of ours, so that they are somebody else's.
LONGEST_LINE: Final = 64_000_000
LONGEST_REPORT: Final = 1_000_000_000


@dataclass
class Watch:
    """One program, what it says, and when it has to end.

    Args:
        timeout: seconds for the program, from the moment when TensorFlow is there.
        cancelled: asked a few times a second; the run is given up once it says so.
        limits: what it may take beside time.
    """

    timeout: float
    cancelled: Callable[[], bool] = bool
    limits: Limits = field(default_factory=Limits)
    report: Report = field(default_factory=Report)
    output: KeptOutput = field(default_factory=KeptOutput)
    errors: KeptOutput = field(default_factory=KeptOutput)
    partial: list[bytes] = field(default_factory=list)
    waiting: int = 0
    taken: int = 0
    killed: bool = False
    passed: str | None = None
    status: int | None = None
    began: float = field(default_factory=time.monotonic)
    deadline: float = field(default_factory=lambda: time.monotonic() + IMPORT)
    next_look: float = field(default_factory=lambda: time.monotonic() + LOOK)

    def start(self, launch: Launch, order: Mapping[str, object]) -> None:
        """Run the program to its end or to its limit; nothing of it is left running.

        Raises:
            HarnessError: the program could not be started, or the report is not ours.
        """
        reading, writing = os.pipe()
        try:
            child = launch.start(order, writing)
        except (OSError, HarnessError) as error:
            os.close(reading)
            raise HarnessError(f"{launch.python} cannot be started: {error}") from error
        finally:
            os.close(writing)
        with os.fdopen(reading, "rb", buffering=0) as report:
            try:
                self._follow(child, report.fileno())
            finally:
                child.kill_all()
                self.status = child.wait()

    def _follow(self, child: Forked, report: int) -> None:
        """Read all three pipes until the program is gone."""
        takers = {report: self._take, child.stdout.fileno(): self.output.add, child.stderr.fileno(): self.errors.add}
        with selectors.DefaultSelector() as selector:
            for descriptor in takers:
                os.set_blocking(descriptor, False)
                selector.register(descriptor, selectors.EVENT_READ, takers[descriptor])
            selector.register(child.ending.fileno(), selectors.EVENT_READ)
            while True:
                gone = child.poll() is not None
                ready = selector.select(0 if gone else max(0.0, min(LOOK, self.deadline - time.monotonic())))
                read = [key for key, _ in ready if key.data is not None]
                for key in read:
                    data = os.read(key.fd, 1 << 16)
                    if data:
                        key.data(data)
                    else:
                        selector.unregister(key.fd)
                if (gone and not read) or self._over(child):
                    return

    def _over(self, child: Forked) -> bool:
        """Whether the program has had what it was to have."""
        now = time.monotonic()
        if self.report.end is not None:
            self.deadline = min(self.deadline, now + GRACE)
        if now >= self.next_look:
            self.passed = self.limits.passed(child.keeper) if child.keeper else None
            self.next_look = time.monotonic() + LOOK
        if now > self.deadline or self.passed is not None or self.cancelled():
            self.killed = self.report.end is None
            return True
        return False

    def _take(self, data: bytes) -> None:
        """Read what has come of the report, line by line.

        Raises:
            HarnessError: it is not ours.
        """
        self.taken += len(data)
        self.waiting += len(data)
        self.partial.append(data)
        if self.waiting > LONGEST_LINE or self.taken > LONGEST_REPORT:
            raise HarnessError("the report of the run is garbled: the program writes where only the harness should")
        if b"\n" not in data:
            return
        waiting = self.report.start is None
        *lines, rest = b"".join(self.partial).split(b"\n")
        self.partial, self.waiting = [rest], len(rest)
        self.report.read(line.decode("utf-8", "replace") for line in lines)
        if waiting and self.report.start is not None:
            self.began = time.monotonic()
            self.deadline = self.began + self.timeout

    def require_start(self, errors: str) -> None:
        """Hold that the program was reached.

        Raises:
            HarnessError: it was not; ``errors`` is what was complained of.
        """
        if self.report.unusable is not None:
            raise HarnessError(f"TensorFlow cannot be imported: {self.report.unusable}")
        if self.report.start is None:
            reason = f"TensorFlow's import is not over after {IMPORT:.0f} s" if self.killed else f"status {self.status}"
            raise HarnessError(f"the program could not be started ({reason}): {errors[-500:].strip()}")

    def result(self, copy: Mirror, version: Version) -> Run:
        """The records of the run, with the user's own paths.

        Raises:
            HarnessError: the program was never reached.
        """
        report, end = self.report, self.report.end or {}
        errors = original(self.errors.text(), copy.folder, version.folder)
        self.require_start(errors)
        totals = end.get("counts", ())
        return Run(
            calls=tuple(sorted(report.calls, key=lambda call: call.order)),
            ended=self._ended(),
            limit=self._limit(),
            failure=_explained(report.failure),
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
            traces={(str(file), str(name)): int(count) for file, name, count in end.get("traces", ())},
            stand_ins=tuple(end.get("stand_ins", ())),
            capped=tuple((str(file), int(line), int(turns)) for file, line, turns in end.get("capped", ())),
        )

    def _ended(self) -> str:
        end = self.report.end
        if self.killed:
            return "limit" if self.passed else "time limit"
        if end is None:
            return "killed"
        if end["stopped"]:
            return "stopped"
        return "error" if self.report.failure is not None or end["status"] else "finished"

    def _limit(self) -> str:
        """What the program was ended for, as words after its name."""
        if not self.killed:
            return ""
        return self.passed or f"is not over at the time limit of {self.timeout:.0f} s"


def _explained(failure: Failure | None) -> Failure | None:
    """An error that is of our own making is told as such."""
    if failure is None or not failure.refused:
        return failure
    hint = "a program under proof writes in its scratch copy only"
    first, *rest = failure.message.splitlines()
    return dataclasses.replace(failure, message="\n".join([f"{first} ({hint})", *rest]))
