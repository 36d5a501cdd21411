"""Real programs with a None gradient, run and explained: one program shows many causes, since a start costs seconds."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tfgradfix.explaining import Explanation, Reason

if TYPE_CHECKING:
    from collections.abc import Callable

    Explained = Callable[..., Explanation]

pytestmark = [pytest.mark.runs_tensorflow, pytest.mark.slow]

#: Each gradient call is marked with the reason that is to be found, each cut with the same word.
EAGER = """
    v = tf.Variable([1.1, 2.3])
    x = tf.constant([0.4, 0.7])

    def helper(value):
        square = np.square(value)  # cut left
        return np.mean(square * 1.5)  # through left

    with tf.GradientTape() as tape:
        loss = tf.constant(helper(tf.sin(v))) * 2.0
    tape.gradient(loss, v)  # ask left

    with tf.GradientTape(persistent=True) as tape:
        rows = v * 2.0
    tape.gradient(rows[0], v)  # ask after the tape cut after the tape

    early = v * 3.0  # cut before the tape
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(early)
    tape.gradient(loss, v)  # ask before the tape

    with tf.GradientTape() as tape:  # cut not watched
        loss = x * 2.0
    tape.gradient(loss, x)  # ask not watched

    with tf.GradientTape() as tape:
        late = x * 2.0
        tape.watch(x)  # cut watched late
    tape.gradient(late, x)  # ask watched late

    with tf.GradientTape() as tape:
        loss = tf.floor(v)  # cut no gradient
    tape.gradient(loss, v)  # ask no gradient

    with tf.GradientTape() as tape:
        whole = tf.cast(v, tf.int32)  # cut integer
        loss = tf.cast(whole, tf.float32)
    tape.gradient(loss, v)  # ask integer

    @tf.function
    def stopped(value):
        return tf.stop_gradient(value * 2.0) + 1.0  # cut stop_gradient

    with tf.GradientTape() as tape:
        loss = stopped(v)
    tape.gradient(loss, v)  # ask stop_gradient

    def kernel(value):
        return value * 2.0

    with tf.GradientTape() as tape:
        loss = tf.numpy_function(kernel, [v], tf.float32)  # cut numpy_function
    tape.gradient(loss, v)  # ask numpy_function

    state = tf.Variable([0.0, 0.0])
    with tf.GradientTape() as tape:
        state.assign(v * 2.0)  # cut assign
        loss = state * 1.0
    tape.gradient(loss, v)  # ask assign

    count = tf.Variable(3)
    with tf.GradientTape() as tape:
        loss = tf.cast(count, tf.float32) * 2.0
    tape.gradient(loss, count)  # ask integer source

    w = tf.Variable([1.5, 2.5])
    w = w - 0.1 * x  # cut replaced
    with tf.GradientTape() as tape:
        loss = w * w
    tape.gradient(loss, w)  # ask replaced

    other = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        loss = v * 2.0
    tape.gradient(loss, other)  # ask unconnected
"""


@pytest.fixture(scope="module")
def text() -> list[str]:
    """The lines of the program as it is written, from 1."""
    return ["", "import numpy", "import tensorflow", *EAGER.split("\n")]


def test_each_cause_is_found_at_its_line(explained: Explained, text: list[str]) -> None:
    found = explained(EAGER)
    assert (found.hooks, found.troubles, found.failure) == ((), (), None)
    wanted = {m[1]: n for n, line in enumerate(text) if (m := re.search(r"# ask ([a-z_ ]+?)( cut .*)?$", line))}
    cuts = {m[1]: n for n, line in enumerate(text) if (m := re.search(r"cut ([a-z_ ]+)$", line))}
    got = {missing.call[0].line: missing.causes for missing in found.missing}
    assert {line: [cause.reason for cause in causes] for line, causes in got.items()} == {
        line: [Reason(reason)] for reason, line in wanted.items()
    }
    places = {cause.reason.value: cause.place.line for causes in got.values() for cause in causes if cause.place}
    assert {reason: line for reason, line in places.items() if reason in cuts} == cuts


def test_the_way_through_numpy_is_told(explained: Explained, text: list[str]) -> None:
    found = explained("\n".join(EAGER.split("\n")[:12]))
    (cause,) = found.missing[0].causes
    through = next(number for number, line in enumerate(text) if "through left" in line)
    assert cause.how == "numpy.square"
    assert [place.line for place in cause.numpy] == [through - 1, through]
    assert [place.function for place in cause.chain] == ["helper", "<module>"]
    assert cause.entry[0].line == text.index("        loss = tf.constant(helper(tf.sin(v))) * 2.0")
    assert [step.cut for step in cause.path if step.cut] == [Reason.LEFT]


def test_a_healthy_program_has_no_cause(explained: Explained) -> None:
    found = explained(
        """
        v = tf.Variable([1.0, 2.0])
        scale = np.ones(2, dtype="float32")
        target = np.max(v.numpy() * 2.0)  # left on purpose: a constant
        for _ in range(3):
            with tf.GradientTape() as tape:
                usage = np.zeros(2, dtype="float32")
                usage += v * 2.0  # becomes a tensor
                loss = tf.reduce_sum(scale * usage) - float(target)
                if loss > 1e9:
                    raise SystemExit(3)
            gradient = tape.gradient(loss, v)
            v.assign_sub(0.1 * gradient)
        print(type(usage).__name__, float(loss))
        """
    )
    assert (found.causes, found.calls, found.ended) == ((), 3, "finished")


def test_a_death_in_graph_mode_is_looked_behind(explained: Explained) -> None:
    found = explained(
        """
        v, LIMITS = tf.Variable([1.0, 2.0]), tf.constant([0.5, 1.5])

        @tf.function
        def step():
            with tf.GradientTape() as tape:
                first = np.square(v * 2.0)
                loss = tf.reduce_sum(first) * 2.0
                print(np.max(loss), np.max(LIMITS))
            return tape.gradient(loss, v)

        step()
        """
    )
    assert [(cause.reason, cause.place.line) for cause in found.graph if cause.place] == [
        (Reason.GRAPH_VALUE, 9),
        (Reason.GRAPH_VALUE, 11),
    ]
    assert [(cause.reason, cause.eager, cause.place.line) for cause in found.missing[0].causes if cause.place] == [
        (Reason.LEFT, True, 9)
    ]


def test_a_program_that_does_not_end_is_explained_as_far_as_it_came(explained: Explained) -> None:
    found = explained(
        """
        import time
        v = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            loss = v * 2.0
        tape.gradient(loss + 1.0, v)
        while True:
            time.sleep(0.1)
        """,
        timeout=3.0,
    )
    assert found.ended == "time limit"
    assert [cause.reason for cause in found.causes] == [Reason.AFTER]


def test_what_a_program_prints_goes_on(explained: Explained, tmp_path: Path) -> None:
    output = tmp_path / "output"
    with output.open("wb") as stream:
        explained("print('a word', __file__)", output=stream)
    assert output.read_text() == f"a word {tmp_path / 'program.py'}\n"
