"""float(), item(), tolist() and NumPy's scalar types are taken off the path."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tfgradfix_codemods.python_conversion import PythonConversionCommand

from tests.codemods.faulty import PROGRAMS
from tests.helpers import check_rewrite, refusal, rewritten
from tfgradfix.model import Operand

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

SCALAR = Operand("tensor", "float32", 0)
VECTOR = Operand("tensor", "float32", 1)
MATRIX = Operand("tensor", "float32", 2)
UNKNOWN = Operand("tensor")

REWRITTEN = [
    pytest.param("y = «float(x)»\n", "builtins.float", SCALAR, "y = x\n", id="a scalar"),
    pytest.param(
        "y = «float(a + b)»\n", "builtins.float", SCALAR, "y = a + b\n", id="a sum alone needs no parentheses"
    ),
    pytest.param("y = «float(a + b)» * 2\n", "builtins.float", SCALAR, "y = (a + b) * 2\n", id="a sum in a product"),
    pytest.param("f(«float(a if b else c)», 1)\n", "builtins.float", SCALAR, "f(a if b else c, 1)\n", id="an argument"),
    pytest.param(
        "y = -«float(lambda: x)»\n", "builtins.float", SCALAR, "y = -(lambda: x)\n", id="lambda binds loosest"
    ),
    pytest.param("y = «float((z := x))»\n", "builtins.float", SCALAR, "y = (z := x)\n", id="walrus keeps its own"),
    pytest.param(
        "y = «float(\n    a +\n    b\n)»\n", "builtins.float", SCALAR, "y = (a +\n    b)\n", id="line breaks inside"
    ),
    pytest.param("f(*«float(a + b)»)\n", "builtins.float", SCALAR, "f(*(a + b))\n", id="a starred argument"),
    pytest.param("return_ = [«float(a or b)»]\n", "builtins.float", SCALAR, "return_ = [(a or b)]\n", id="in a list"),
    pytest.param("y = «x.item()»\n", "ndarray.item", SCALAR, "y = x\n", id="item of a scalar"),
    pytest.param("y = «x.item()»\n", "ndarray.item", UNKNOWN, "y = tf.reshape(x, [])\n", id="item of one element"),
    pytest.param("y = «float(x)»\n", "builtins.float", VECTOR, "y = tf.reshape(x, [])\n", id="float of one element"),
    pytest.param("y = «float(x)»\n", "builtins.float", UNKNOWN, "y = x\n", id="float of what has no known rank"),
    pytest.param("y = «np.float32(x)»\n", "numpy.float32", VECTOR, "y = tf.cast(x, tf.float32)\n", id="a scalar type"),
    pytest.param(
        "y = «f4((a, b))»\n", "numpy.single", Operand("tuple"), "y = tf.cast((a, b), tf.float32)\n", id="alias"
    ),
    pytest.param(
        "for a in «x.tolist()»: f(a)\n", "ndarray.tolist", VECTOR, "for a in tf.unstack(x): f(a)\n", id="tolist"
    ),
    pytest.param("y = «x.tolist()»\n", "ndarray.tolist", SCALAR, "y = x\n", id="tolist of a scalar"),
]
DECLINED = [
    pytest.param("y = «int(x)»\n", "builtins.int", SCALAR, "no derivative", id="int cuts the fraction off"),
    pytest.param("y = «x.item(3)»\n", "ndarray.item", VECTOR, "arguments", id="an item by number"),
    pytest.param("y = «x.tolist()»\n", "ndarray.tolist", MATRIX, "lists in lists", id="a nested list"),
    pytest.param("y = «x.tolist()»\n", "ndarray.tolist", UNKNOWN, "lists in lists", id="a list of unknown depth"),
    pytest.param("y = «float(*x)»\n", "builtins.float", UNKNOWN, "arguments", id="unpacked"),
    pytest.param("y = «float()»\n", "builtins.float", UNKNOWN, "arguments", id="nothing to convert"),
    pytest.param("y = «float(x)»\n", "builtins.float", Operand("tensor", "int32", 0), "int32", id="an integer tensor"),
    pytest.param("y = «float(  # loss\n    x)»\n", "builtins.float", SCALAR, "comment", id="a comment would be lost"),
]


@pytest.mark.parametrize(("before", "symbol", "operand", "after"), REWRITTEN)
def test_rewritten(before: str, symbol: str, operand: Operand, after: str) -> None:
    assert rewritten(PythonConversionCommand, before, symbol=symbol, operands=[operand]) == after


@pytest.mark.parametrize(("text", "symbol", "operand", "reason"), DECLINED)
def test_declined(text: str, symbol: str, operand: Operand, reason: str) -> None:
    assert reason in refusal(PythonConversionCommand, text, symbol=symbol, operands=[operand])


def test_cast_to_the_dtype_that_the_place_wants() -> None:
    operand = Operand("tensor", "float64", 0)
    after = rewritten(
        PythonConversionCommand,
        "y = «float(x)»\n",
        symbol="builtins.float",
        operands=[operand],
        facts={"dtype": "float32"},
    )
    assert after == "y = tf.cast(x, tf.float32)\n"


def test_program(diff: SnapshotAssertion) -> None:
    assert check_rewrite(PROGRAMS["python_conversion"], "penalty") == diff(name="penalty")
