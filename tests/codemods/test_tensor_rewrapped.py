"""Wrappers that make data of a tensor are taken off."""

from __future__ import annotations

import pytest
from tfgradfix_codemods.tensor_rewrapped import TensorRewrappedCommand

from tests.helpers import refusal, rewritten
from tfgradfix.model import Operand

TENSOR = Operand("tensor", "float32")
LIST = Operand("list", "float32")
VARIABLE = "tensorflow.Variable"
CONSTANT = "tensorflow.constant"

REWRITTEN = [
    pytest.param("y = «tf.Variable(x)»\n", VARIABLE, TENSOR, "y = x\n", id="a variable"),
    pytest.param("y = «tf.Variable(initial_value=x, name='y')»\n", VARIABLE, TENSOR, "y = x\n", id="by keyword"),
    pytest.param("y = «tf.Variable(x, trainable=False)»\n", VARIABLE, TENSOR, "y = x\n", id="not to be trained"),
    pytest.param("y = «tf.constant(a + b)» * 2\n", CONSTANT, TENSOR, "y = (a + b) * 2\n", id="parentheses"),
    pytest.param("y = «tf.constant(x, tf.float32)»\n", CONSTANT, TENSOR, "y = x\n", id="the dtype that it has"),
    pytest.param(
        "y = «tf.constant(x, dtype=tf.float64)»\n",
        CONSTANT,
        TENSOR,
        "y = tf.cast(x, dtype=tf.float64)\n",
        id="another dtype",
    ),
    pytest.param("y = «tf.constant([a, b])»\n", CONSTANT, LIST, "y = tf.stack([a, b])\n", id="a list of tensors"),
]
DECLINED = [
    pytest.param("y = «tf.Variable(x, trainable=True)»\n", VARIABLE, TENSOR, "trainable", id="meant as a variable"),
    pytest.param("y = «tf.Variable(x, trainable=flag)»\n", VARIABLE, TENSOR, "trainable", id="perhaps a variable"),
    pytest.param("y = «tf.Variable(x, False)»\n", VARIABLE, TENSOR, "more arguments", id="trainable by position"),
    pytest.param("y = «tf.constant(x, shape=s)»\n", CONSTANT, TENSOR, "shape", id="another shape"),
    pytest.param("y = «tf.constant(**x)»\n", CONSTANT, TENSOR, "unpacked", id="unpacked"),
    pytest.param("y = «tf.constant(dtype=d)»\n", CONSTANT, TENSOR, "plain", id="no value"),
    pytest.param("y = «tf.constant(x)»\n", CONSTANT, Operand("unknown"), "not certain", id="unknown content"),
]


@pytest.mark.parametrize(("before", "symbol", "operand", "after"), REWRITTEN)
def test_rewritten(before: str, symbol: str, operand: Operand, after: str) -> None:
    assert rewritten(TensorRewrappedCommand, before, symbol=symbol, operands=[operand]) == after


@pytest.mark.parametrize(("text", "symbol", "operand", "reason"), DECLINED)
def test_declined(text: str, symbol: str, operand: Operand, reason: str) -> None:
    assert reason in refusal(TensorRewrappedCommand, text, symbol=symbol, operands=[operand])
