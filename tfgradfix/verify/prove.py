"""The proof: run both versions, compare what their gradient calls gave, and say proven, failed or unproven."""

from __future__ import annotations

import os
import re
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tfgradfix.verify.compare import Comparison
from tfgradfix.verify.ends import judge_end, judge_reach
from tfgradfix.verify.extent import tell_caps, tell_extent, tell_traces
from tfgradfix.verify.interpreter import find_python
from tfgradfix.verify.mirror import Version, version_of
from tfgradfix.verify.numeric import Numeric, is_same, judge
from tfgradfix.verify.observe import Observations, Weight
from tfgradfix.verify.output import ROOM, first_difference
from tfgradfix.verify.run import check_numbers, run
from tfgradfix.verify.stops import stops_of
from tfgradfix.verify.verdict import Status, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from tfgradfix.verify.records import Run

#: Gradient calls of the second pair of runs, in which functions run eagerly so that their values can be seen.
EAGER_CALLS: Final = 40
#: What TensorFlow says of a failure while a graph is built: run eagerly, the program gets further.
_GRAPH: Final = re.compile(r"in user code:|symbolic|\bGraph\b|InaccessibleTensor")
_STATUS: Final = {Weight.NOTE: Status.PROVEN, Weight.OPEN: Status.UNPROVEN}


def verify(
    before: Path,
    after: Path,
    *,
    entry: str | None = None,
    python: Path | None = None,
    arguments: Sequence[str] = (),
    timeout: float = 120.0,
    partial: bool | None = None,
) -> Verdict:
    """Run a program before and after a change and judge whether the change mended its gradients.

    Args:
        before: the script, or the folder of the program, as it was.
        after: the same as it is now.
        entry: the script to run, relative to the folder, where ``before`` and ``after`` are folders.
        python: an interpreter that has TensorFlow; by default one is looked for.
        arguments: the command line of the script.
        timeout: seconds for each run, TensorFlow's import not counted.
        partial: whether a finding said that some gradient lacks a part. Then another gradient than before is
            expected; where none said so it is a failure; None leaves it open.

    Raises:
        HarnessError: a version cannot be run at all.
    """
    versions = version_of(before, entry), version_of(after, entry)
    return verify_versions(*versions, python=python, arguments=arguments, timeout=timeout, partial=partial)


def verify_versions(
    before: Version,
    after: Version,
    *,
    python: Path | None = None,
    arguments: Sequence[str] = (),
    timeout: float = 120.0,
    partial: bool | None = None,
) -> Verdict:
    """The same for two versions that need not be on the disk: see :class:`Version`.

    Raises:
        HarnessError: a version cannot be run at all.
    """
    python = find_python(before.script.parent, python)
    return _Proof((before, after), python, tuple(arguments), timeout, partial).verdict()


@dataclass
class _Proof:
    """One proof and the runs that it takes."""

    versions: tuple[Version, Version]
    python: Path
    arguments: tuple[str, ...]
    timeout: float
    partial: bool | None
    kept: Mapping[bool, Path] = field(default_factory=dict)
    capped: bool = True
    """Whether training loops are ended early."""
    compared: int = 0
    """Targets compared once the program before was given the gradients that it lacked."""

    def verdict(self) -> Verdict:
        """Run, compare, and look closer where the first pair of runs leaves something open."""
        with tempfile.TemporaryDirectory(prefix="tfgradfix-", ignore_cleanup_errors=True) as folder:
            return self._verdict(Path(folder))

    def _verdict(self, folder: Path) -> Verdict:
        kept = {eager: folder / ("eager" if eager else "plain") for eager in (False, True)}
        for place in kept.values():
            place.mkdir()
        self.kept = kept
        before, after = self._capped_pair()
        first = Comparison(before, after, self.versions, partial=self.partial)
        first.weights()
        comparisons = [first]
        seen = Observations()
        judge_end(before, after, seen)
        tell_caps(after, seen)
        tell_traces(before, after, (self.versions[0].entry, self.versions[1].entry), seen)
        judge_reach(first, self.versions[1], seen)
        if max(seen.worst, first.seen.worst) < Weight.FAILURE and _hides_values(before, after):
            # A conversion that fails in a graph is one that cuts eagerly: before then lacks parts of its gradients.
            comparisons.append(self._eagerly(seen, partial=True if before.failure else self.partial))
        if max(seen.worst, *(each.seen.worst for each in comparisons)) < Weight.FAILURE:
            seen.add(self._trained_alike(comparisons[-1]))
        for each in comparisons:
            if each.seen.worst is Weight.DIFFERENCE and not self._repeats(each):
                each.seen.forgive()
            seen.add(each.seen)
        tell_extent(comparisons, self.compared, seen)
        numbers = self._numbers(after, comparisons, seen)
        return Verdict(
            status=_STATUS.get(seen.worst, Status.FAILED),
            reasons=seen.reasons(),
            notes=seen.notes(),
            rows=tuple(row for each in comparisons for row in each.rows),
            before=before,
            after=after,
            numbers=numbers,
        )

    def _numbers(self, after: Run, comparisons: list[Comparison], seen: Observations) -> tuple[Numeric, ...]:
        """The gradients after the change as numbers, where nothing else stands against a proof."""
        rows = [row for each in comparisons for row in each.rows]
        if seen.worst >= Weight.FAILURE or not after.finished or not after.calls:
            return ()
        if is_same(*self.versions, after):
            return ()  # the comparison has shown all that there is to show
        stops = stops_of(*self.versions, after)
        stops.judge(seen)
        found = check_numbers(
            self.versions[1],
            python=self.python,
            arguments=self.arguments,
            timeout=self.timeout,
            stops=stops.on_purpose,
            capped=self.capped,
        )
        judge(found, rows, seen)
        for each in found if not stops.removed else ():
            # As a number the new one is right, so that it was the old one that lacked a part.
            if each.outcome == "agrees":
                for comparison in comparisons:
                    for text in comparison.open.get((each.file, each.line), ()):
                        seen.settle(text)
        return found

    def _trained_alike(self, comparison: Comparison) -> Observations:
        """What differs when the program before is given the gradients that it lacked, and so trains as the other does.

        Once it has them it goes the same way. A draw that is made twice, an update that is made twice, a snapshot that
        follows its variable and a value that is read too early show from there on.
        """
        seen = Observations()
        if (comparison.same_to_the_end and comparison.before.finished) or not comparison.after.finished:
            return seen
        found = self._given(comparison)
        if found and found == self._given(comparison):
            for text in found:
                seen.say(Weight.FAILURE, f"{text}, given the same gradients")
        return seen

    def _given(self, comparison: Comparison) -> list[str]:
        """How the program before differs from that after when it is given its gradients."""
        given = self.kept[comparison.eager]
        before = self._run(self.versions[0], eager=comparison.eager, given=given, lenient=True)
        alike = Comparison(before, comparison.after, self.versions, partial=True, eager=comparison.eager)
        alike.weights()
        self.compared += alike.compared
        found = [text for weight, text in alike.seen.seen if weight is Weight.DIFFERENCE]
        if not found and before.finished and alike.same_to_the_end:
            line = first_difference(before.output, comparison.after.output, ROOM * alike.room)
            found = [] if line is None else [f"it prints {line}"]
        return found

    def _run(
        self,
        version: Version,
        *,
        eager: bool,
        cancelled: Callable[[], bool] = bool,
        keep: Path | None = None,
        given: Path | None = None,
        lenient: bool = False,
    ) -> Run:
        return run(
            version,
            python=self.python,
            arguments=self.arguments,
            timeout=self.timeout,
            eager=eager,
            stop_after=EAGER_CALLS if eager else None,
            cancelled=cancelled,
            keep=keep,
            given=given,
            lenient=lenient,
            capped=self.capped,
        )

    def _capped_pair(self) -> tuple[Run, Run]:
        """Both versions with their loops ended early; whole, if one does not bear that: it may have to be trained."""
        runs = self._pair(eager=False)
        if any(each.capped and each.ended == "error" for each in runs):
            self.capped = False
            runs = self._pair(eager=False)
        return runs

    def _pair(self, *, eager: bool) -> tuple[Run, Run]:
        """Both versions, side by side where there is more than one core."""
        with ThreadPoolExecutor(2 if (os.cpu_count() or 1) > 1 else 1) as pool:
            cancel = threading.Event()
            keep = (None, self.kept[eager])
            runs = [
                pool.submit(self._run, version, eager=eager, cancelled=cancel.is_set, keep=folder, lenient=lenient)
                for version, folder, lenient in zip(self.versions, keep, (eager, False), strict=True)
            ]
            try:
                return runs[0].result(), runs[1].result()
            finally:  # an error of one run, or the user's Ctrl-C, ends the other
                cancel.set()

    def _eagerly(self, seen: Observations, *, partial: bool | None) -> Comparison:
        """A second pair of runs with functions run eagerly: its values count, its end does not."""
        before, after = self._pair(eager=True)
        if not after.finished:
            end = after.failure or after.ended
            seen.say(Weight.NOTE, f"run eagerly, to see the values inside its tf.functions, after ends with {end}")
        return Comparison(before, after, self.versions, partial=partial, eager=True)

    def _repeats(self, comparison: Comparison) -> bool:
        """Whether the program before gives the same values when it is run once more."""
        again = self._run(self.versions[0], eager=comparison.eager, lenient=comparison.eager)
        twice = Comparison(comparison.before, again, (self.versions[0], self.versions[0]), partial=False)
        twice.weights()
        return twice.seen.worst is not Weight.DIFFERENCE


def _hides_values(before: Run, after: Run) -> bool:
    """Whether values stayed unseen inside a tf.function, or before failed while one was traced."""
    failed = before.failure is not None and _GRAPH.search(f"{before.failure.type} {before.failure.message}")
    return after.finished and (bool(failed) or any(call.graph for call in (*before.calls, *after.calls)))
