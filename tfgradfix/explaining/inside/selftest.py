"""One known None for each cause, asked of TensorFlow before the program runs: what is not found is not told later.

The test runs in a fork, since TensorFlow cannot be configured by the program once an operation has run.
"""

from __future__ import annotations

import json
import os
import traceback
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from .session import Session


def programs(tf: Any, np: Any) -> dict[str, Callable[[], Any]]:
    """For each cause a program that gives tape, target and source of a gradient which is None."""

    def taped(work: Callable[[Any], Any], late: Callable[[Any], Any] = lambda value: value) -> Any:
        variable = tf.Variable([1.25, 2.5])
        with tf.GradientTape() as tape:
            target = work(variable)
        return tape, late(target), variable

    def before() -> Any:
        variable = tf.Variable([1.25, 2.5])
        target = variable * 2.0
        with tf.GradientTape() as tape:
            target = target + 1.0
        return tape, target, variable

    def unwatched() -> Any:
        constant = tf.constant([1.25, 2.5])
        with tf.GradientTape() as tape:
            target = constant * 2.0
        return tape, target, constant

    return {
        "left": lambda: taped(lambda v: tf.constant(np.square(v.value())) * 2.0),
        "after the tape": lambda: taped(lambda v: v * 2.0, lambda target: target + 1.0),
        "before the tape": before,
        "not watched": unwatched,
        "no gradient": lambda: taped(lambda v: tf.floor(v)),
        "integer": lambda: taped(lambda v: tf.cast(tf.cast(v, tf.int32), tf.float32)),
        "stop_gradient": lambda: taped(lambda v: tf.stop_gradient(v * 2.0)),
        "unconnected": lambda: taped(lambda _: tf.constant(1.0) * 2.0),
    }


def self_test(session: Session) -> set[str]:
    """The causes that are not found where they are known to be."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as pipe:
            json.dump(wrong(session), pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    everything = {**dict.fromkeys(programs(session.tf, None))}
    return set(json.loads(answer)) if answer else set(everything)


def wrong(session: Session) -> list[str]:
    """The causes that are not found, in this process."""
    found = []
    for reason, program in programs(session.tf, session.flows.np).items():
        try:
            tape, target, source = program()
            known = session.tapes.known(tape)
            causes = session.causes.explain(known, target, [source], [0], None, session.record.time + 1, known.closed)
            reasons = [each["reason"] for each in causes]
            if reason not in reasons:
                found.append(reason)
        except Exception:  # noqa: BLE001  # whatever it is, this cause cannot be told
            if os.environ.get("TFGRADFIX_TRACEBACK"):
                traceback.print_exc()
            found.append(reason)
    return found
