"""What a run left out of the program, as notes under the verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfgradfix.verify.observe import Observations, Weight

if TYPE_CHECKING:
    from tfgradfix.verify.records import Run


def tell_caps(after: Run, seen: Observations) -> None:
    """Say which training loops did not run to their end, and which data was made up."""
    for name in after.stand_ins:
        seen.say(Weight.NOTE, f"the data set {name} cannot be had here: noise of the same shape stood in for it")
    if after.capped:
        where = ", ".join(f"line {line} of {file} after {turns}" for file, line, turns in after.capped)
        seen.say(Weight.NOTE, f"training was ended early, in turns or batches: {where}")
