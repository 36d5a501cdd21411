"""NumPy functions on the path are written as the table says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tfgradfix_codemods.numpy_call import NumpyCallCommand

from tests.codemods.faulty import PROGRAMS
from tests.helpers import apply, check_rewrite, finding, refusal, rewritten, unmark
from tfgradfix.model import Operand

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

TENSOR = Operand("tensor", "float32", 2, on_path=True)

REWRITTEN = [
    pytest.param("y = «np.square(x)»\n", "numpy.square", "y = tf.square(x)\n", id="one argument"),
    pytest.param("y = «np.mean(x, axis=0)»\n", "numpy.mean", "y = tf.reduce_mean(x, axis=0)\n", id="an axis"),
    pytest.param("y = -«square(x)» ** 2\n", "numpy.square", "y = -tf.square(x) ** 2\n", id="imported by itself"),
]
DECLINED = [
    pytest.param("y = «np.mean(x, out=buffer)»\n", "numpy.mean", "out", id="an array to write to"),
    pytest.param("y = «np.mean(x, **options)»\n", "numpy.mean", "unpacked", id="unpacked options"),
    pytest.param("y = «np.frobnicate(x)»\n", "numpy.frobnicate", "nothing is known", id="not in the table"),
]


@pytest.mark.parametrize(("before", "symbol", "after"), REWRITTEN)
def test_rewritten(before: str, symbol: str, after: str) -> None:
    assert rewritten(NumpyCallCommand, before, symbol=symbol, operands=[TENSOR]) == after


@pytest.mark.parametrize(("text", "symbol", "reason"), DECLINED)
def test_declined(text: str, symbol: str, reason: str) -> None:
    assert reason in refusal(NumpyCallCommand, text, symbol=symbol, operands=[TENSOR])


def test_a_call_in_a_call() -> None:
    text, (outer, inner) = unmark("y = «np.mean(«np.square(x)»)»\n")
    findings = [
        finding(NumpyCallCommand, outer, symbol="numpy.mean", operands=[TENSOR]),
        finding(NumpyCallCommand, inner, symbol="numpy.square", operands=[TENSOR]),
    ]
    assert apply(text, findings, NumpyCallCommand).text == "y = tf.reduce_mean(tf.square(x))\n"


def test_no_import_for_a_repair_that_is_refused() -> None:
    reason = refusal(
        NumpyCallCommand, "y = «np.mean(x, out=b)»\n", symbol="numpy.mean", operands=[TENSOR], tensorflow=None
    )
    assert "out" in reason


def test_program(diff: SnapshotAssertion) -> None:
    assert check_rewrite(PROGRAMS["numpy_call"], "mean_of_squares") == diff(name="mean_of_squares")
