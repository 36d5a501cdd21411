"""Where tensors of two dtypes meet, the narrower one is cast."""

from __future__ import annotations

import pytest
from tfgradfix_codemods.dtype_meeting import DtypeMeetingCommand

from tests.analyse.tables import check
from tests.helpers import rewritten

REWRITTEN = [
    pytest.param("y = «a * b»\n", "y = tf.cast(a, tf.complex64) * b\n", "left", "complex64", id="left"),
    pytest.param("y = «a / b ** 2»\n", "y = a / tf.cast(b ** 2, tf.complex64)\n", "right", "complex64", id="right"),
    pytest.param("y = «(a + 1) - b»\n", "y = tf.cast((a + 1), tf.float64) - b\n", "left", "float64", id="parentheses"),
]
#: Refused, that is not even reported: the dtypes agree, or TensorFlow converts the array itself.
REFUSED = [
    pytest.param(
        """
        import numpy as np, tensorflow as tf
        w = tf.Variable([1.0, 2.0])
        data = np.array([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = np.sum(w * data)  # TGF101
        tape.gradient(loss, w)
        """,
        id="an array beside a tensor",
    ),
    pytest.param(
        """
        import numpy as np, tensorflow as tf
        w = tf.Variable([1.0, 2.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(2 * np.exp(w) + 0.5)  # TGF101
        tape.gradient(loss, w)
        """,
        id="Python numbers",
    ),
]


@pytest.mark.parametrize(("before", "after", "side", "dtype"), REWRITTEN)
def test_rewritten(before: str, after: str, side: str, dtype: str) -> None:
    facts = {"dtype": dtype, "side": side}
    assert rewritten(DtypeMeetingCommand, before, tensorflow="tf", facts=facts) == after


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text: str) -> None:
    check(text)
