"""Lists of tensors are packed with TensorFlow."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tfgradfix_codemods.array_of_tensors import ArrayOfTensorsCommand

from tests.codemods.faulty import PROGRAMS
from tests.helpers import check_rewrite, refusal, rewritten
from tfgradfix.model import Operand

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

LIST = Operand("list", "float32")
TENSOR = Operand("tensor", "float32", 1)

REWRITTEN = [
    pytest.param("y = «np.array([a, b])»\n", LIST, "y = tf.stack([a, b])\n", id="flat"),
    pytest.param("y = «np.array((a, b))».T\n", LIST, "y = tf.stack((a, b)).T\n", id="a tuple"),
    pytest.param(
        "y = «np.array([[a, 0.0], [0.0, b]])»\n",
        LIST,
        "y = tf.convert_to_tensor([[a, 0.0], [0.0, b]])\n",
        id="nested, with numbers",
    ),
    pytest.param("y = «np.asarray(values)»\n", LIST, "y = tf.stack(values)\n", id="a list by name"),
    pytest.param("y = «np.array([f(i) for i in r])»\n", LIST, "y = tf.stack([f(i) for i in r])\n", id="comprehension"),
    pytest.param("y = «array([a], np.float32)»\n", LIST, "y = tf.stack([a])\n", id="the dtype that it has"),
    pytest.param(
        "y = «array([a], dtype='float64')»\n",
        LIST,
        "y = tf.convert_to_tensor([a], dtype=tf.float64)\n",
        id="another dtype",
    ),
    pytest.param("y = «np.array([a], copy=False)»\n", LIST, "y = tf.stack([a])\n", id="no copy"),
    pytest.param(
        "y = «array(\n    [a],\n    dtype=float,\n)»\n",
        LIST,
        "y = tf.convert_to_tensor(\n    [a],\n    dtype=tf.float64,\n)\n",
        id="one argument a line",
    ),
    pytest.param("y = «np.asarray(x, 'f8')»\n", TENSOR, "y = tf.cast(x, tf.float64)\n", id="a tensor in another dtype"),
    pytest.param("y = «np.asarray(x)»\n", TENSOR, "y = x\n", id="a tensor"),
    pytest.param("y = «np.asarray(a + b)» * 2\n", TENSOR, "y = (a + b) * 2\n", id="a sum of tensors in a product"),
    pytest.param(
        "y = «np.array([\n    a,  # first\n    b,\n], dtype=np.float32)»\n",
        LIST,
        "y = tf.stack([\n    a,  # first\n    b,\n])\n",
        id="comments and trailing comma in the list",
    ),
]
DECLINED = [
    pytest.param("y = «np.array(x)»\n", Operand("unknown"), "not certain", id="unknown content"),
    pytest.param("y = «np.array(*x)»\n", LIST, "plain", id="unpacked"),
    pytest.param("y = «np.array([a], int)»\n", LIST, "int64 carries", id="integers"),
    pytest.param("y = «np.array()»\n", LIST, "plain", id="nothing"),
    pytest.param("y = «np.array([a], ndmin=2)»\n", LIST, "ndmin", id="more dimensions"),
    pytest.param("y = «np.array([a],  # why\n dtype='f4')»\n", LIST, "comment", id="a comment would be lost"),
]


@pytest.mark.parametrize(("before", "operand", "after"), REWRITTEN)
def test_rewritten(before: str, operand: Operand, after: str) -> None:
    assert rewritten(ArrayOfTensorsCommand, before, symbol="numpy.array", operands=[operand]) == after


@pytest.mark.parametrize(("text", "operand", "reason"), DECLINED)
def test_declined(text: str, operand: Operand, reason: str) -> None:
    assert reason in refusal(ArrayOfTensorsCommand, text, symbol="numpy.array", operands=[operand])


def test_program(diff: SnapshotAssertion) -> None:
    assert check_rewrite(PROGRAMS["array_of_tensors"], "rotation") == diff(name="rotation")
