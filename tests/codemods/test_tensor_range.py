"""Loops over tf.range become loops over range where the bound is static."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tfgradfix_codemods.tensor_range import TensorRangeCommand

from tests.codemods.faulty import PROGRAMS
from tests.helpers import check_rewrite, refusal, rewritten

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

REWRITTEN = [
    pytest.param("for i in «tf.range(n)»: f(i)\n", None, "for i in range(n): f(i)\n", id="a bound"),
    pytest.param("for i in «tf.range(1, n, 2)»: f(i)\n", None, "for i in range(1, n, 2): f(i)\n", id="three bounds"),
    pytest.param(
        "for i in «tf.range(tf.shape(x)[0])»: f(i)\n",
        "x.shape[0]",
        "for i in range(x.shape[0]): f(i)\n",
        id="a dimension",
    ),
    pytest.param(
        "for i in «tf.range(1, tf.shape(x)[0])»: f(i)\n", "len(x)", "for i in range(1, len(x)): f(i)\n", id="its limit"
    ),
    pytest.param("for i in «tf.range(n, delta=2)»: f(i)\n", None, "for i in range(0, n, 2): f(i)\n", id="a step"),
    pytest.param("for i in «tf.range(start=1, limit=n)»: f(i)\n", None, "for i in range(1, n): f(i)\n", id="keywords"),
    pytest.param(
        "for i in «tf.range(n, dtype=tf.int64)»: f(i)\n", None, "for i in range(n): f(i)\n", id="integer dtype"
    ),
    pytest.param("for i in «tf.range(n, -1, -1)»: f(i)\n", None, "for i in range(n, -1, -1): f(i)\n", id="downwards"),
    pytest.param(
        "for i in «tf.range(\n    n,  # rows\n)»: f(i)\n",
        None,
        "for i in range(\n    n,  # rows\n): f(i)\n",
        id="a comment",
    ),
]
DECLINED = [
    pytest.param("for i in «tf.range(n, dtype=tf.float32)»: f(i)\n", "dtype", id="counting in floats"),
    pytest.param("for i in «tf.range(0.0, 1.0, 0.1)»: f(i)\n", "floats", id="float bounds"),
    pytest.param("for i in «tf.range(*bounds)»: f(i)\n", "unpacked", id="unpacked"),
    pytest.param("for i in «range(n)»: f(i)\n", "means TensorFlow", id="from tensorflow import range"),
    pytest.param("for i in «tf.range()»: f(i)\n", "something else", id="no bounds"),
]


@pytest.mark.parametrize(("before", "bound", "after"), REWRITTEN)
def test_rewritten(before: str, bound: str | None, after: str) -> None:
    assert rewritten(TensorRangeCommand, before, facts={} if bound is None else {"bound": bound}) == after


@pytest.mark.parametrize(("text", "reason"), DECLINED)
def test_declined(text: str, reason: str) -> None:
    assert reason in refusal(TensorRangeCommand, text)


def test_program(diff: SnapshotAssertion) -> None:
    assert check_rewrite(PROGRAMS["tensor_range"], "layers_in_a_list") == diff(name="layers_in_a_list")
