"""Training that is ended early: where, what the program makes of it, and when it is run whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfgradfix.verify import Run, Verdict

pytestmark = [pytest.mark.runs_tensorflow, pytest.mark.slow]

STEP = """
w = tf.Variable([1.0, 2.0])
def step():
    with tf.GradientTape() as tape:
        for _ in range(60):
            loss = LOSS
    g = tape.gradient(loss, w)
    if g is not None:
        w.assign_sub(0.05 * g)
    return loss
"""
BROKEN, MENDED = "tf.constant(np.mean(np.square(w)))", "tf.reduce_mean(tf.square(w))"
NESTED = """
for epoch in range(1000):
    for batch in range(100):
        step()
else:
    print(epoch, batch)
print(len([step() for _ in range(1000)]), len([n for n in range(1000)]))
def until():
    turn = 0
    while True:
        turn += 1
        step()
        if turn == 5:
            return turn
print(until())
"""
FIT = """
import keras
x = np.ones((3200, 2), "float32")
class Told(keras.callbacks.Callback):
    def on_train_end(self, logs=None):
        print("told")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
print(model.fit(x, x[:, :1], epochs=1000, verbose=0, callbacks=[Told()]).epoch)
print(model.fit(x, x[:, :1], epochs=2, verbose=0).epoch, model.predict(x, verbose=0).shape)
"""


def test_nested_loops_share_their_turns(observed: Callable[..., Run]) -> None:
    run = observed(STEP.replace("LOSS", MENDED) + NESTED, capped=True)
    assert run.output.splitlines() == ["3 11", "48 1000", "5"], run.errors
    assert [turns for _, _, turns in run.capped] == [4, 12, 48]
    assert sum(run.totals.values()) == 48 + 48 + 5


def test_fit_ends_as_fit_does(observed: Callable[..., Run]) -> None:
    run = observed(FIT, capped=True)
    assert run.output.splitlines() == ["told", "[0, 1, 2, 3]", "[0, 1] (3200, 1)"], run.errors


def test_a_loop_that_was_rewritten_ends_at_the_same_turn(judged: Callable[..., Verdict]) -> None:
    before = STEP.replace("LOSS", BROKEN) + "for n in range(100000):\n    step()\nprint('over')\n"
    after = STEP.replace("LOSS", MENDED) + "\nn = 0\nwhile n < 100000:\n    step()\n    n += 1\nprint('over')\n"
    verdict = judged(before, after)
    assert verdict.proven, verdict.reasons
    assert any("training was ended early" in note for note in verdict.notes)
    assert [run.capped[0][2] for run in (verdict.before, verdict.after)] == [48, 48]


def test_a_program_that_has_to_be_trained_is_run_whole(judged: Callable[..., Verdict]) -> None:
    text = STEP + "for _ in range(200):\n    loss = step()\nassert loss < 1e-6\n"
    verdict = judged(text.replace("LOSS", BROKEN), text.replace("LOSS", MENDED))
    assert verdict.proven, verdict.reasons
    assert verdict.after.capped == ()
