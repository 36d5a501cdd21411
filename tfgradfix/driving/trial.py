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
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from tfgradfix.driving.units import Changed
    from tfgradfix.driving.where import Where
    from tfgradfix.model import FileOutcome
    from tfgradfix.verify import Run

    Tried = tuple[dict[str, list["Attempt"]], str | None]

#: What the driver puts before each line for us.
MARK: Final = "tfgradfix-driver: "
#: Runs of one version: so often one call may end the process, or not end.
RUNS: Final = 3


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
    python = find_python(where.folder, python)

    def tried(side: int, names: Sequence[str]) -> Tried:
        def start(names: Sequence[str]) -> Run:
            drive = trial_of(module, names, files, where)
            return run(drive.versions()[side], python=python, arguments=drive.arguments, timeout=timeout)

        return _tried(names, start)

    after, error = tried(1, names)
    # A training without gradients ends at its first step, whatever the data.
    calls = [name for name in names if not any(attempt.asks for attempt in after.get(name, ()))]
    return Trial(tried(0, calls)[0], after, error)


def _tried(names: Sequence[str], start: Callable[[Sequence[str]], Run]) -> Tried:
    """What came of each of ``names``; one that ends the process, or does not end, is left out and the rest tried."""
    found: dict[str, list[Attempt]] = {}
    left = list(names)
    for _ in range(RUNS):
        if not left:
            break
        done = start(left)
        last = _read(done.output, found)
        if last is None or last not in left:
            return found, str(done.failure) if done.failure is not None and last == "" else None
        late = done.ended == "time limit"
        why = f"it is not over at the time limit of {done.seconds:.0f} s" if late else "it ends the process"
        found.setdefault(last, []).append(Attempt(Call(last, ()), why, frozenset()))
        left = left[left.index(last) + 1 :]
    return found, None


def _read(output: str, found: dict[str, list[Attempt]]) -> str | None:
    """Add the attempts that ``output`` tells.

    Returns:
        The name that was not over at its end; None if all were, the empty string if none had begun.
    """
    last: str | None = ""
    for line in output.splitlines():
        _, mark, told = line.partition(MARK)
        if mark:
            try:
                record = json.loads(told)
            except json.JSONDecodeError:
                continue  # the middle of a long output is not kept
            if "trying" in record:
                last = record["trying"]
            else:
                found.setdefault(record["name"], []).append(_attempt(record))
    return last


def _attempt(record: Mapping[str, Any]) -> Attempt:
    inputs = tuple(InputSpec(tuple(shape), dtype) for shape, dtype in record.get("inputs", ()))
    call = Call(record["name"], inputs, tuple(record.get("wrt", ())))
    return Attempt(call, record.get("why"), frozenset(record.get("lines", ())), record.get("asks", False))
