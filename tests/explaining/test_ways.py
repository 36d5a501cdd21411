"""Gradients that are asked for in other ways than by `tape.gradient`, explained in one run of a real program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfgradfix.explaining import Explanation

pytestmark = [pytest.mark.runs_tensorflow, pytest.mark.slow]

#: Each call is marked with its method, the reason, and the number of its cut.
TEXT = """
    w = tf.Variable([1.1, 2.3])
    with tf.autodiff.ForwardAccumulator(w, tf.ones(2)) as accumulator:
        kept = w * 2.0
        lost = tf.constant(np.square(w)) * 2.0  # cut 1
    assert accumulator.jvp(kept) is not None
    accumulator.jvp(lost)  # ask jvp left 1

    with tf.GradientTape() as tape:
        z = tf.floor(w)  # cut 2
    tape.jacobian(z, w)  # ask jacobian no gradient 2

    with tf.Graph().as_default():
        v = tf.compat.v1.get_variable("v", shape=[2])
        z = tf.floor(v)  # cut 3
        tf.gradients(z, v)  # ask tf.gradients no gradient 3
        optimizer = tf.compat.v1.train.GradientDescentOptimizer(0.1)
        optimizer.compute_gradients(tf.reduce_sum(z), [v])  # ask compute_gradients no gradient 3
        assert tf.gradients(v * 2.0, v)[0] is not None

    @tf.function
    def stopped(a):
        b = tf.stop_gradient(a)  # cut 4
        tf.gradients(b * 2.0, a)  # ask tf.gradients stop_gradient 4
        return b

    stopped(tf.constant(1.5))

    try:
        tf.compat.v1.train.GradientDescentOptimizer(0.1).minimize(  # ask gradient no gradient 6
            lambda: tf.reduce_sum(tf.floor(w)),  # cut 6
            var_list=[w],
        )
    except ValueError:
        print("no gradient")
"""

#: An operator leaves a variable of Keras 3 to the array on its left.
KERAS = """
    import keras

    k = keras.Variable([1.1, 2.3])
    with tf.GradientTape() as tape:
        z = tf.reduce_sum(np.ones(2, np.float32) * k)  # cut 1
    tape.gradient(z, k.value)  # ask gradient left 1
"""


@pytest.mark.parametrize("text", [TEXT, KERAS], ids=["TensorFlow", "Keras 3"])
def test_each_way_is_explained(explained: Callable[..., Explanation], text: str) -> None:
    rows = ("\n\n" + text).split("\n")
    cuts = {line.rpartition(" ")[2]: row for row, line in enumerate(rows, 1) if "# cut " in line}
    wanted = set()
    for row, line in enumerate(rows, 1):
        if "# ask " in line:
            method, _, rest = line.partition("# ask ")[2].partition(" ")
            reason, _, cut = rest.rpartition(" ")
            wanted.add((row, method, reason, cuts[cut]))
    found = explained(text)
    if text == KERAS and found.failure is not None and found.failure.type == "AttributeError":
        pytest.skip("Keras 2 has no variables of its own")
    told = {
        (missing.call[0].line, missing.method, cause.reason.value, cause.place.line if cause.place else None)
        for missing in found.missing
        for cause in missing.causes
    }
    assert (told, found.ended, found.failure) == (wanted, "finished", None)
