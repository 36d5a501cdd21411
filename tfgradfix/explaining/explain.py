"""Explains the None gradients of a script: one run as it is, a second one with functions eager after a graph error."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, BinaryIO

from tfgradfix.explaining.child import run_explained
from tfgradfix.explaining.deaths import can_be_passed, of_failure
from tfgradfix.explaining.records import Explanation, Missing, Reason
from tfgradfix.verify.interpreter import find_python

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tfgradfix.explaining.records import Told
    from tfgradfix.verify.mirror import Version


def explain(
    version: Version,
    *,
    arguments: Sequence[str] = (),
    python: Path | None = None,
    timeout: float = 120.0,
    output: BinaryIO | None = None,
    errors: BinaryIO | None = None,
) -> Explanation:
    """Run a version in a scratch copy of its project and explain each None gradient.

    Args:
        version: what to run (`version_of` gives that of a script); it need not be on the disk.
        arguments: the command line of the script.
        python: an interpreter that has TensorFlow; by default one is looked for.
        timeout: seconds for each of the runs; TensorFlow's import is not counted.
        output: where its standard output goes on to; None: nowhere.
        errors: the same for its standard error.

    Raises:
        HarnessError: there is no interpreter that can run it.
    """
    chosen = find_python(version.folder, python)
    began = time.monotonic()
    told, killed = run_explained(version, chosen, arguments, timeout, (output, errors), eager=False)
    missing, failure, calls, ran = list(told.missing), told.failure, _calls(told), told.ran
    died = of_failure(failure) if failure is not None else None
    graph = [died] if died is not None else []
    if died is not None and can_be_passed(died.reason):
        second, _ = run_explained(version, chosen, arguments, timeout, (None, None), eager=True)
        missing += second.missing
        calls += _calls(second)
        ran |= second.ran
        graph += [each for each in second.behind if each.place != died.place]
        told.troubles += second.troubles
    return Explanation(
        script=version.entry,
        missing=_once(missing),
        graph=tuple(graph),
        failure=failure,
        calls=calls,
        ended="time limit" if killed else "killed" if told.end is None else "error" if failure else "finished",
        hooks=told.hooks,
        troubles=tuple(told.troubles),
        versions=told.start or {},
        seconds=time.monotonic() - began,
        ran=ran,
    )


def _calls(told: Told) -> int:
    """The gradient calls of a run; of one that was killed at least those that are told."""
    return int(told.end["calls"]) if told.end is not None else len(told.missing)


def _once(missing: list[Missing]) -> tuple[Missing, ...]:
    """Each call site with each of its causes once, whatever the number of steps that showed it."""
    sites: dict[object, Missing] = {}
    seen: set[object] = set()
    for each in missing:
        site = (each.call, each.method)
        causes = []
        for cause in each.causes:
            key = (site, cause.reason, cause.chain[:1], cause.numpy, cause.entry[:1])
            if key not in seen and not (cause.reason is Reason.UNKNOWN and site in sites):
                seen.add(key)
                causes.append(cause)
        known = sites.get(site)
        if known is None:
            sites[site] = replace(each, causes=tuple(causes))
        else:
            sites[site] = replace(known, causes=(*known.causes, *causes))
    return tuple(sites.values())
