"""Which calls with generated inputs work, and what code they run: tried once in each version."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tfgradfix.config_verify import InputSpec
from tfgradfix.driving.calls import Call, trial_of
from tfgradfix.verify.interpreter import find_python
from tfgradfix.verify.run import run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from tfgradfix.driving.units import Changed
    from tfgradfix.driving.where import Where
    from tfgradfix.model import FileOutcome
    from tfgradfix.verify import Run

#: What the driver puts before each line for us.
MARK: Final = "tfgradfix-driver: "


@dataclass(frozen=True)
class Attempt:
    """One call that was tried: why it shows nothing (None: it does), and the lines of the module that it ran.

    ``asks``: it asks for gradients by itself, as the training step of a model does.
    """

    call: Call
    why: str | None
    lines: frozenset[int]
    asks: bool = False

    def runs(self, changed: Changed) -> bool:
        """Whether it runs a changed statement."""
        return any(line in self.lines for line in range(changed.start, changed.end + 1))


@dataclass
class Trial:
    """What was tried, by name, before and after."""

    before: Mapping[str, list[Attempt]] = field(default_factory=dict)
    after: Mapping[str, list[Attempt]] = field(default_factory=dict)
    error: str | None = None

    def choose(self, names: Sequence[str], changed: Iterable[Changed]) -> tuple[list[Call], list[Changed]]:
        """The fewest calls that run all of ``changed``, in the order of ``names``, and what none of them runs."""
        left = list(changed)
        calls: list[Call] = []
        for name in names:
            found = self._working(name)
            reached = [] if found is None else [each for each in left if found.runs(each)]
            if found is not None and reached:
                calls.append(found.call)
                left = [each for each in left if each not in reached]
        return calls, left

    def why(self, names: Sequence[str]) -> str:
        """Why nothing could be driven, in one line."""
        if self.error:
            return self.error
        told = [
            f"{name}: {attempts[0].why}" for name in names if (attempts := self.after.get(name)) and attempts[0].why
        ]
        return "; ".join(told[:3]) or "no call runs what was changed"

    def _working(self, name: str) -> Attempt | None:
        """The attempt that works in both versions, else after, else before; with the lines that it runs after."""
        before = [attempt.why is None for attempt in self.before.get(name, [])]
        after = self.after.get(name, [])
        good = [attempt for attempt in after if attempt.why is None]
        both = [attempt for attempt, worked in zip(after, before, strict=False) if worked and attempt.why is None]
        old = [attempt for attempt, worked in zip(after, before, strict=False) if worked]
        return next(iter((*both, *good, *old)), None)


def try_calls(
    module: Path,
    names: Sequence[str],
    files: Sequence[FileOutcome],
    where: Where,
    python: Path | None,
    timeout: float,
) -> Trial:
    """Try each of ``names`` in the file ``module``, before and after the change of ``files``.

    Args:
        module: the changed file.
        names: functions, classes, methods.
        files: the changed files.
        where: the project.
        python: the interpreter that has TensorFlow; None to look for it.
        timeout: seconds for the trial of each version.

    Raises:
        HarnessError: nothing can be run.
    """
    drive = trial_of(module, names, files, where)
    old, new = drive.versions()
    python = find_python(old.folder, python)
    after = run(new, python=python, arguments=drive.arguments, timeout=timeout)
    found = _attempts(after)
    # A training without gradients ends at its first step, whatever the data.
    calls = [name for name in names if not any(attempt.asks for attempt in found.get(name, ()))]
    drive = trial_of(module, calls, files, where)
    before = run(old, python=python, arguments=drive.arguments, timeout=timeout) if calls else None
    return Trial(_attempts(before) if before else {}, found, _trouble(after))


def _attempts(run: Run) -> dict[str, list[Attempt]]:
    found: dict[str, list[Attempt]] = {}
    for line in run.output.splitlines():
        _, mark, told = line.partition(MARK)
        if mark:
            record = json.loads(told)
            found.setdefault(record["name"], []).append(_attempt(record))
    return found


def _attempt(record: Mapping[str, Any]) -> Attempt:
    inputs = tuple(InputSpec(tuple(shape), dtype) for shape, dtype in record.get("inputs", ()))
    call = Call(record["name"], inputs, tuple(record.get("wrt", ())))
    return Attempt(call, record.get("why"), frozenset(record.get("lines", ())), record.get("asks", False))


def _trouble(run: Run) -> str | None:
    if run.ended == "time limit":
        return f"the calls are not over at the time limit of {run.seconds:.0f} s"
    return str(run.failure) if run.failure is not None else None
