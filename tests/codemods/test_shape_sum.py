"""A tensor's shape becomes a tuple where a tuple is added to it."""

from __future__ import annotations

import pytest
from tfgradfix_codemods.shape_sum import ShapeSumCommand

from tests.analyse.tables import check
from tests.helpers import rewritten

REWRITTEN = [
    pytest.param("s = «x.shape[:-1] + (4, -1)»\n", "s = tuple(x.shape[:-1]) + (4, -1)\n", id="a slice of the shape"),
    pytest.param("s = «x.shape + (1,)»\n", "s = tuple(x.shape) + (1,)\n", id="the whole shape"),
]
#: Refused, that is not even reported: the shape of data stays a tuple.
REFUSED = """
    import numpy as np, tensorflow as tf
    w = tf.Variable([1.0, 2.0])
    data = np.zeros((2, 3))
    wide = data.shape[:-1] + (3, 1)
    with tf.GradientTape() as tape:
        loss = np.sum(w)  # TGF101
    tape.gradient(loss, w)
    """


@pytest.mark.parametrize(("before", "after"), REWRITTEN)
def test_rewritten(before: str, after: str) -> None:
    assert rewritten(ShapeSumCommand, before) == after


def test_refused() -> None:
    check(REFUSED)
