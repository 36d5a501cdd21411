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
    assert checked.directions == 3  # both together, and each alone


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
