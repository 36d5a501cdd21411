"""Calls functions of TensorFlow under a tape, each in a process of its own, and tells whether a gradient came back.

Some calls end the whole process, some never end: the parent, which has never run an operation, forks a child for each
function, reads what it tells of every trial, and goes on behind the trial that it did not survive.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

import tensorflow as tf
from tensorflow.python.eager import context

from scripts.trial_arguments import Scene, trials

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

#: Seconds for all trials of one function in one child.
SECONDS: Final = 30.0
#: Children for one function, each begun behind the trial that ended the one before.
CHILDREN: Final = 6


class Outcome(str, Enum):
    """What a function does to the gradient of the floats that it is given."""

    GRADIENT = "gradient"  #: some argument has one
    ZERO = "zero"  #: all that come back are zero everywhere
    NONE = "none"  #: none comes back
    NO_TENSOR = "no tensor"  #: what it gives is no tensor
    UNTRIED = "untried"  #: no call went through
    CRASHED = "crashed"  #: a call ended the process or did not end


@dataclass(frozen=True)
class Trial:
    """The result of a function: its outcome, and the dtype of what it gives where that is known."""

    outcome: Outcome
    gives: str = ""


#: Which of several outcomes tells most.
_ORDER: Final = (Outcome.GRADIENT, Outcome.ZERO, Outcome.NONE, Outcome.NO_TENSOR)


def examine(function: Callable[..., Any]) -> Trial:
    """Try ``function`` in forked children.

    Raises:
        RuntimeError: this process has run an operation already, so that a child would hang.
    """
    if context.context()._initialized:  # no public question for it
        raise RuntimeError("an operation ran in this process: its children cannot run any")
    seen, start, crashed = list[Trial](), 0, False
    for _ in range(CHILDREN):
        told, died_at = _in_child(function, start)
        seen += told
        if died_at is None or any(each.outcome is Outcome.GRADIENT for each in told):
            break
        crashed, start = True, died_at + 1
    for outcome in _ORDER:
        for each in seen:
            if each.outcome is outcome:
                return each
    return Trial(Outcome.CRASHED if crashed else Outcome.UNTRIED)


def _in_child(function: Callable[..., Any], start: int) -> tuple[list[Trial], int | None]:
    """What a child told of the trials from ``start`` on, and the trial that it did not survive."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        _work(function, start, writing)
    os.close(writing)
    text = _read(reading, child)
    os.close(reading)
    os.waitpid(child, 0)
    told = [line.split("\t") for line in text.splitlines()]
    finished = bool(told) and told[-1] == ["end"]
    begun = [int(line[1]) for line in told if line[0] == "begin"]
    seen = [Trial(Outcome(line[1]), line[2]) for line in told if line[0] == "gave"]
    return seen, None if finished else (begun[-1] if begun else start)


def _read(reading: int, child: int) -> str:
    """All that the child writes until it ends; at the time limit it is killed."""
    chunks, limit = list[bytes](), time.monotonic() + SECONDS
    while True:
        ready, _, _ = select.select([reading], [], [], max(limit - time.monotonic(), 0.0))
        if not ready:
            os.kill(child, signal.SIGKILL)
            break
        chunk = os.read(reading, 65536)
        if not chunk:
            break
        chunks.append(chunk)
    return b"".join(chunks).decode().rpartition("\n")[0]


def _work(function: Callable[..., Any], start: int, writing: int) -> None:
    """In the child: make the trials, tell of each, and leave without running the parent's exit handlers."""
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    status = 1
    try:
        for line in _lines(function, start):
            os.write(writing, f"{line}\n".encode())
        status = 0
    finally:
        os._exit(status)


def _lines(function: Callable[..., Any], start: int) -> Iterator[str]:
    """What a child tells: a line before each trial, one behind it where the call went through, and the end.

    Other data than floats is tried until floats gave a gradient, be it zero: ``sign`` has one for complex numbers only.
    """
    zero = False
    for number, (kind, shape, ways) in enumerate(trials(function)):
        if number < start:
            continue
        if zero and kind != "float":
            break
        yield f"begin\t{number}"
        try:
            trial = attempt(function, kind, shape, ways)
        except Exception as error:  # noqa: BLE001  # arguments that the function does not take
            print(type(error).__name__, file=sys.stderr)
            continue
        yield f"gave\t{trial.outcome.value}\t{trial.gives}"
        zero = zero or trial.outcome is Outcome.ZERO
        if trial.outcome is Outcome.GRADIENT:
            break
    yield "end"


def attempt(
    function: Callable[..., Any], kind: str, shape: tuple[int, ...], ways: dict[str, Callable[[Scene], Any]]
) -> Trial:
    """One call under a tape. What the function raises for arguments that it does not take is the caller's.

    Raises:
        TypeError: the call went through and tells nothing of floats.
    """
    with tf.GradientTape() as tape:
        scene = Scene(shape, tape, kind)
        made = {name: way(scene) for name, way in ways.items()}
        if "*" in made:
            ahead = [made.pop(name) for name in list(made)[: list(made).index("*")]]
            result = function(*ahead, made.pop("*"), ways["*"](scene), **made)
        else:
            result = function(**made)
    return _judged(result, tape, scene)


def _judged(result: Any, tape: tf.GradientTape, scene: Scene) -> Trial:
    """What a call gave."""
    given = [each for each in tf.nest.flatten(result, expand_composites=True) if tf.is_tensor(each)]
    if not scene.sources:
        raise TypeError("no float was given")
    if not given:
        return Trial(Outcome.NO_TENSOR)
    floats = [each for each in given if each.dtype.is_floating or each.dtype.is_complex]
    if floats and scene.kind not in ("float", "complex"):
        raise TypeError("floats made of other data than floats")
    if not floats:
        return Trial(Outcome.NONE, given[0].dtype.name)
    return Trial(_gradient(tape, floats, scene), "float" if floats[0].dtype == tf.float32 else floats[0].dtype.name)


def _gradient(tape: tf.GradientTape, targets: list[Any], scene: Scene) -> Outcome:
    """Whether a gradient comes back from any of ``targets``, each weighted at random so that sums do not cancel."""
    weights = [tf.cast(tf.random.uniform(tf.shape(each), 0.5, 1.5, seed=7), each.dtype) for each in targets]
    try:
        found = tape.gradient(targets, scene.sources, output_gradients=weights)
    except (LookupError, NotImplementedError):  # no gradient is registered, or its function refuses
        return Outcome.NONE
    found = [tf.convert_to_tensor(each) for each in found if each is not None]
    if not found:
        return Outcome.NONE
    return Outcome.GRADIENT if any(bool(tf.reduce_any(each != 0)) for each in found) else Outcome.ZERO
