"""Methods and attributes of arrays are written as the table says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tfgradfix_codemods.ndarray_method import NdarrayMethodCommand
from tfgradfix_codemods.numpy_detach import NumpyDetachCommand

from tests.codemods.faulty import PROGRAMS
from tests.helpers import apply, check_rewrite, finding, refusal, rewritten, unmark
from tfgradfix.model import Operand

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

TENSOR = Operand("tensor", "float32", 2, on_path=True)

REWRITTEN = [
    pytest.param("y = «x.mean()»\n", "ndarray.mean", "y = tf.reduce_mean(x)\n", id="a method"),
    pytest.param("y = «x.T» @ z\n", "ndarray.T", "y = tf.transpose(x) @ z\n", id="an attribute"),
    pytest.param("y = «(a + b).sum(axis=1)»\n", "ndarray.sum", "y = tf.reduce_sum(a + b, axis=1)\n", id="of a sum"),
]
DECLINED = [
    pytest.param("y = «x.sum(out=b)»\n", "ndarray.sum", "out", id="an array to write to"),
    pytest.param("y = «x.frobnicate()»\n", "ndarray.frobnicate", "nothing is known", id="not in the table"),
]


@pytest.mark.parametrize(("before", "symbol", "after"), REWRITTEN)
def test_rewritten(before: str, symbol: str, after: str) -> None:
    assert rewritten(NdarrayMethodCommand, before, symbol=symbol, operands=[TENSOR]) == after


@pytest.mark.parametrize(("text", "symbol", "reason"), DECLINED)
def test_declined(text: str, symbol: str, reason: str) -> None:
    assert reason in refusal(NdarrayMethodCommand, text, symbol=symbol, operands=[TENSOR])


def test_behind_a_detached_tensor() -> None:
    text, (outer, inner) = unmark("y = ««x.numpy()».mean()»\n")
    findings = [
        finding(NdarrayMethodCommand, outer, symbol="ndarray.mean", operands=[TENSOR]),
        finding(NumpyDetachCommand, inner),
    ]
    assert apply(text, findings, NumpyDetachCommand, NdarrayMethodCommand).text == "y = tf.reduce_mean(x)\n"


def test_program(diff: SnapshotAssertion) -> None:
    assert check_rewrite(PROGRAMS["ndarray_method"], "sum_of_misfits") == diff(name="sum_of_misfits")
