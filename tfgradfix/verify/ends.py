"""How far two runs got: how they ended, and whether they reached what was changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tfgradfix.verify.observe import Observations, Weight

if TYPE_CHECKING:
    from tfgradfix.verify.compare import Comparison
    from tfgradfix.verify.mirror import Version
    from tfgradfix.verify.records import Run


def judge_end(before: Run, after: Run, seen: Observations) -> None:
    """An error that is new is a failure, one that was there before leaves all open."""
    for trouble in (*before.troubles, *after.troubles)[:1]:
        seen.say(Weight.OPEN, f"the recording failed: {trouble.strip().splitlines()[-1]}")
    for path in after.linked:
        seen.say(Weight.NOTE, f"{path} is too big to be copied for the run: it was read in place")
    if after.limit:
        seen.say(Weight.OPEN, f"after {after.limit}")
    elif not after.finished:
        same = _end(before) == _end(after)
        text = f"both versions end with {_told(after)}" if same else f"after ends with {_told(after)}"
        refused = after.failure is not None and after.failure.refused
        seen.say(Weight.OPEN if same or refused else Weight.FAILURE, text)


def judge_reach(comparison: Comparison, version: Version, seen: Observations) -> None:
    """Did the run reach what was changed, and every gradient call there?"""
    before, after = comparison.before, comparison.after
    if not after.calls:
        seen.say(Weight.FAILURE if before.calls and after.finished else Weight.OPEN, "no gradient call was observed")
    elif not any(call.sources for call in after.calls):
        seen.say(Weight.OPEN, "no gradient call asks for any source")
    if not after.finished or after.modules is None:
        return
    changed = {path.relative_to(version.folder).as_posix() for path in version.changed if path.suffix == ".py"}
    for file in sorted(changed - after.modules - {version.entry}):
        seen.say(Weight.OPEN, f"{file} was changed, but the program does not load it")
    sites = comparison.sites[1]
    for file in sorted(changed & after.modules | {version.entry}):
        for line in sites.unreached(after.calls, file):
            seen.say(Weight.OPEN, f"the gradient call in line {line} of {file} was never made")
    for file in sorted(sites.unreadable):
        seen.say(Weight.NOTE, f"{file} is written for a newer Python: calls not made in it would be overlooked")


def _told(run: Run) -> str:
    if run.failure is not None:
        return str(run.failure)
    if run.status is not None and run.status < 0:
        return f"signal {-run.status}"
    return f"exit status {run.status}" + (" and no last word" if run.ended == "killed" else "")


def _end(run: Run) -> tuple[object, ...]:
    """An end without the numbers in it, which differ from run to run."""
    if run.failure is None:
        return (run.ended, run.status)
    place = run.failure.place
    return (re.sub(r"\d+", "#", run.failure.reason), place.function if place else None)
