"""Gradients as numbers: a gradient that is there, finite and of the right target, and still not its slope."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent, indent

import pytest

from tfgradfix.verify import Status, Verdict
from tfgradfix.verify.output import first_difference

pytestmark = [pytest.mark.slow, pytest.mark.runs_tensorflow]

Judge = Callable[..., Verdict]


def program(loss: str, head: str = "") -> str:
    """A program of three steps whose loss is ``loss``."""
    return (
        dedent(head)
        + "w = tf.Variable([0.5, 1.5])\nv = tf.Variable(0.3)\nx = tf.constant([1.0, 2.0])\nfor _ in range(3):\n"
        + "    with tf.GradientTape() as tape:\n"
        + indent(dedent(loss), "        ")
        + "\n    for one, g in zip((w, v), tape.gradient(loss, [w, v])):\n"
        + "        if g is not None:\n            one.assign_sub(0.01 * g)\n    print(float(loss))\n"
    )


BROKEN = program("loss = tf.constant(np.sum(np.exp(w * x)) + np.square(v))")
RIGHT = program("loss = tf.reduce_sum(tf.exp(w * x)) + tf.square(v)")

WRONG = {
    "half of it stops": "y = tf.exp(w * x)\nloss = tf.reduce_sum(0.5 * y + tf.stop_gradient(0.5 * y)) + tf.square(v)",
    "a term stops": "loss = tf.reduce_sum(tf.exp(w * x)) + tf.constant(float(tf.square(v))) + 1e-3 * v - 1e-3 * float(v)",
    "a factor is a number": "loss = tf.reduce_sum(tf.exp(w * x)) + v * v.numpy()",
    "it is turned round": "y = tf.exp(w * x)\nloss = tf.reduce_sum(tf.stop_gradient(2.0 * y) - y) + tf.square(v)",
}


def test_the_right_repair_is_proven(judged: Judge) -> None:
    verdict = judged(BROKEN, RIGHT)
    assert verdict.status is Status.PROVEN, verdict.reasons
    (checked,) = verdict.numbers
    assert checked.outcome == "agrees"
    assert checked.error is not None
    assert checked.error < 5e-3
    assert checked.directions == 4  # both together, twice, and each alone


@pytest.mark.parametrize("loss", WRONG.values(), ids=WRONG.keys())
def test_refused(judged: Judge, loss: str) -> None:
    verdict = judged(BROKEN, program(loss))
    assert verdict.status is Status.FAILED
    assert any("not the slope of its target" in reason for reason in verdict.reasons)


def test_a_stop_that_was_there_before_is_a_constant(judged: Judge) -> None:
    stop = "target = tf.stop_gradient(tf.square(v) + 1.0)\n"
    before = program(stop + "loss = tf.constant(np.sum(np.exp(w * x)) + (v - target) ** 2)")
    after = program(stop + "loss = tf.reduce_sum(tf.exp(w * x)) + (v - target) ** 2")
    verdict = judged(before, after)
    assert verdict.status is Status.PROVEN, verdict.reasons
    assert [each.outcome for each in verdict.numbers] == ["agrees"]


def test_a_model_that_its_first_call_builds(judged: Judge) -> None:
    head = "net = tf.keras.Sequential([tf.keras.layers.Dense(3, 'tanh'), tf.keras.layers.Dense(1)])\n"
    tail = "g = tape.gradient(loss, net.trainable_variables)\nprint(float(loss))\n"
    opened = head + "with tf.GradientTape() as tape:\n    y = net(tf.ones([4, 2]))\n"
    verdict = judged(
        opened + "    loss = tf.constant(np.mean(np.square(y)))\n" + tail,
        opened + "    loss = tf.reduce_mean(tf.square(y))\n" + tail,
    )
    assert verdict.status is Status.PROVEN, verdict.reasons
    assert [each.outcome for each in verdict.numbers] == ["agrees"]


WATCHED = """
x = tf.constant([[0.5, 1.5], [1.0, 2.0], [0.2, 0.4]])
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = {rows}
print({ask})
"""


@pytest.mark.parametrize(
    ("ask", "rows", "status"),
    [
        ("tape.gradient(y, x)", "tf.exp(x)", Status.PROVEN),
        ("tape.gradient(y, x)", "tf.exp(tf.stop_gradient(x) / 2 + x / 2)", Status.FAILED),
        ("tape.batch_jacobian(y, x)", "tf.exp(x)", Status.PROVEN),
        ("tape.jacobian(y, x)", "tf.exp(x)", Status.PROVEN),
        # The sum of all elements has the right slopes.
        ("tape.jacobian(y, x)", "tf.stop_gradient(tf.exp(x) - tf.exp(x[::-1])) + tf.exp(x[::-1])", Status.FAILED),
    ],
)
def test_tensors_that_are_watched(judged: Judge, ask: str, rows: str, status: Status) -> None:
    before = WATCHED.format(ask=ask, rows="tf.constant(np.exp(x))")
    verdict = judged(before, WATCHED.format(ask=ask, rows=rows))
    assert verdict.status is status, verdict.reasons
    assert [each.outcome for each in verdict.numbers] == ["agrees" if status is Status.PROVEN else "differs"]


ASSIGNED = """
w = tf.Variable([0.5, 1.5])
with tf.GradientTape() as tape:
    y = {start}
    {put}
    loss = tf.reduce_sum(y * w)
print(float(loss))
print(tape.gradient(loss, w))
"""
LAYER = """
class Limit(tf.keras.layers.Layer):
    def call(self, x):
        peak = tf.reduce_max(tf.abs(x))
        return {limit}
given = tf.keras.Input((2,))
net = tf.keras.Model(given, tf.keras.layers.Dense(1, kernel_initializer="ones")(Limit()(given)))
with tf.GradientTape() as tape:
    loss = {sign}tf.reduce_sum(net(tf.constant([[3.0, 4.0]])))
print(tape.gradient(loss, net.trainable_variables))
"""


@pytest.mark.parametrize(
    ("before", "right", "wrong"),
    [
        (
            ASSIGNED.format(start="w * 1.0", put="y[0] = tf.exp(y[1])"),
            ASSIGNED.format(start="w * 1.0", put="y = tf.stack([tf.exp(y[1]), y[1]])"),
            ASSIGNED.format(start="w * 1.0", put="y = tf.stack([-tf.exp(y[1]), y[1]])"),
        ),
        (
            LAYER.format(limit="x / peak if peak > 1.0 else x", sign=""),
            LAYER.format(limit="tf.where(peak > 1.0, x / peak, x)", sign=""),
            LAYER.format(limit="tf.where(peak > 1.0, x / peak, x)", sign="-"),
        ),
    ],
    ids=["an element of a tensor is set", "a layer asks a symbol"],
)
def test_the_values_of_a_program_that_dies_early(judged: Judge, before: str, right: str, wrong: str) -> None:
    verdict = judged(before, right)
    assert verdict.status is Status.PROVEN, verdict.reasons
    refused = judged(before, wrong)
    assert refused.status is Status.FAILED
    assert "the target in" in refused.reasons[0]


def test_without_any_value_to_compare_there_is_no_proof(judged: Judge) -> None:
    tail = "\nw = tf.Variable(2.0)\nwith tf.GradientTape() as tape:\n    loss = w * w\nprint(tape.gradient(loss, w))\n"
    verdict = judged("raise SystemExit(1)" + tail, tail)
    assert verdict.status is Status.UNPROVEN
    assert "no value of a target could be compared" in verdict.reasons[0]


def test_a_stop_in_a_line_that_stopped_something_else_is_told(judged: Judge) -> None:
    line = "loss = tf.reduce_sum(tf.exp(w * x)) + (v - tf.stop_gradient(v + 1.0)) ** 2"
    half = line.replace("tf.exp(w * x)", "tf.exp(w * x) / 2 + tf.stop_gradient(tf.exp(w * x)) / 2")
    verdict = judged(program(line.replace("tf.reduce_sum(tf.exp(w * x))", "np.sum(np.exp(w * x))")), program(half))
    assert verdict.status is Status.FAILED


HALF = "loss = tf.reduce_sum(tf.exp(w * x)) + v * v.numpy()"
STOPPED = "loss = tf.reduce_sum(tf.exp(w * x)) + v * tf.stop_gradient(v)"
WHOLE = "loss = tf.reduce_sum(tf.exp(w * x)) + v * v"


@pytest.mark.parametrize(
    ("before", "after", "status"),
    [
        (HALF, WHOLE, Status.PROVEN),
        (WHOLE, HALF, Status.FAILED),
        (STOPPED, WHOLE, Status.UNPROVEN),  # it may have been stopped on purpose
    ],
)
def test_of_two_gradients_the_slope_is_right(judged: Judge, before: str, after: str, status: Status) -> None:
    verdict = judged(program(before), program(after))
    assert verdict.status is status, verdict.reasons


SNAPSHOT = """
w = tf.Variable([1.0, 2.0])
best = w.numpy()
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = {loss}
    g = tape.gradient(loss, w)
    if g is not None:
        w.assign_sub(0.1 * g)
    {more}
print("best", np.round(best, 3))
"""


@pytest.mark.parametrize(
    ("kept", "more", "told"),
    [
        ("best = w\n", "pass", "it prints"),
        ("best = w.numpy()\n", "w.assign_sub(0.1 * g)", "has another value"),
    ],
    ids=["a snapshot that follows its variable", "an update made twice"],
)
def test_what_only_shows_once_it_trains(judged: Judge, kept: str, more: str, told: str) -> None:
    before = SNAPSHOT.format(loss="tf.constant(np.sum(np.square(w)))", more="pass")
    after = SNAPSHOT.format(loss="tf.reduce_sum(tf.square(w))", more=more).replace("best = w.numpy()\n", kept)
    verdict = judged(before, after)
    assert verdict.status is Status.FAILED
    assert any(told in reason and "given the same gradients" in reason for reason in verdict.reasons)


TRACED = """
w = tf.Variable(2.0)

@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = {loss}
    g = tape.gradient(loss, w)
    if g is not None:
        w.assign_sub(0.1 * g)
    return {told}

for x in (1.0, 2.0, 3.0):
    print("told", float(step(tf.constant(x))))
"""


def test_what_a_traced_function_returns_is_compared(judged: Judge) -> None:
    before = TRACED.format(loss="tf.numpy_function(np.square, [w * x], tf.float32)", told="loss")
    right, wrong = (TRACED.format(loss="tf.square(w * x)", told=told) for told in ("loss", "2.0 * loss"))
    verdict = judged(before, right)
    assert verdict.status is Status.PROVEN, verdict.reasons
    assert judged(before, wrong).status is Status.FAILED


@pytest.mark.parametrize(
    ("before", "after", "differs"),
    [
        ("loss 0.123\n", "loss 0.124\n", False),
        ("loss 0.123\n", "loss 0.133\n", True),
        ("loss 0.123\n", "cost 0.133\n", False),
        ("step 3 loss 1.5e-3\n", "step 3 loss 1.5e-3\n", False),
        ("step 3\n", "step 4\n", True),
        ("a 1\nb 2\n", "a 1\nb 3\n", True),
    ],
)
def test_outputs_that_differ(before: str, after: str, differs: bool) -> None:
    assert (first_difference(before, after) is not None) is differs


STEPS = """
w = tf.Variable(2.0)

@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = w * {loss}
    return tape.gradient(loss, w)

for x in (1.0, 2.0, 3.0):
    step({given})
"""


def test_a_function_that_is_traced_more_often_is_told(judged: Judge) -> None:
    before, after = (STEPS.format(loss="x * x", given=given) for given in ("tf.constant(x)", "x"))
    verdict = judged(before, after)
    assert verdict.status is Status.PROVEN, verdict.reasons
    assert "step in after.py is traced 3 times, before 1" in verdict.notes
    assert not [note for note in judged(before, before + "\n").notes if "traced" in note]
