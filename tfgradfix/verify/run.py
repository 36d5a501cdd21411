"""Runs a version under the harness: in a scratch copy, within limits of time, memory and processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfgradfix.verify.limits import Limits
from tfgradfix.verify.numeric import LIMIT, Numeric, read_numbers
from tfgradfix.verify.scratch import scratch
from tfgradfix.verify.watch import GRACE, Watch

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tfgradfix.verify.mirror import Version
    from tfgradfix.verify.records import Run


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
    limits: Limits | None = None,
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
        limits: how much memory and how many processes it may take; by default half of the machine's memory.

    Raises:
        HarnessError: the program could not be started, or the report is garbled.
    """
    with scratch(version) as place:
        order = {
            **place.order(arguments),
            "eager": eager,
            "stop_after": stop_after,
            "keep": None if keep is None else str(keep),
            "given": None if given is None else str(given),
            "lenient": lenient,
            "capped": capped,
        }
        watch = Watch(timeout, cancelled, limits or Limits())
        watch.start(place.launch(python, *(() if keep is None else (keep,))), order)
        return watch.result(place.copy, version)


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
    with scratch(version) as place:
        stopped = place.base / "stops"
        stopped.mkdir()
        order = {
            **place.order(arguments),
            "probe": min(timeout, LIMIT),
            "stops": stops,
            "capped": capped,
            "scratch": str(stopped),
        }
        watch = Watch(timeout + GRACE)
        watch.start(place.launch(python), order)
        return read_numbers(watch.report.numbers) if watch.report.numbers is not None else ()
