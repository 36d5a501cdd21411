"""What a proof rests on and what its runs left out, as notes under the verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfgradfix.verify.observe import Observations, Weight

if TYPE_CHECKING:
    from tfgradfix.verify.compare import Comparison
    from tfgradfix.verify.records import Run


def tell_caps(after: Run, seen: Observations) -> None:
    """Say which training loops did not run to their end, and which data was made up."""
    for name in after.stand_ins:
        seen.say(Weight.NOTE, f"the data set {name} cannot be had here: noise of the same shape stood in for it")
    if after.capped:
        where = ", ".join(f"line {line} of {file} after {turns}" for file, line, turns in after.capped)
        seen.say(Weight.NOTE, f"training was ended early, in turns or batches: {where}")


def tell_traces(before: Run, after: Run, entries: tuple[str, str], seen: Observations) -> None:
    """Say which tf.functions are traced more often than before, each trace of which takes its time.

    ``entries`` are the scripts of both versions, which may have two names.
    """
    if not before.finished or not after.finished:
        return
    for (file, name), count in after.traces.items():
        former = before.traces.get((entries[0] if file == entries[1] else file, name), 0)
        if 0 < former < count:
            seen.say(Weight.NOTE, f"{name} in {file} is traced {count} times, before {former}")


def tell_extent(comparisons: list[Comparison], given: int, seen: Observations) -> None:
    """Say how far the comparison of values went; without any there is no proof."""
    before, after = comparisons[0].before, comparisons[0].after
    compared = sum(each.compared for each in comparisons)
    parted = next((each.parted for each in comparisons if each.compared and each.parted), None)
    if after.calls and not compared + given:
        end = f": before ends with {before.failure}" if before.failure else ""
        seen.say(Weight.OPEN, f"no value of a target could be compared{end}")
    elif parted is not None:
        seen.say(Weight.NOTE, f"targets were compared at {compared} call{'s' if compared > 1 else ''}: {parted}")
