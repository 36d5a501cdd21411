"""Python builtins on the path are written as the table says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tfgradfix_codemods.python_builtin import PythonBuiltinCommand

from tests.codemods.faulty import PROGRAMS
from tests.helpers import check_rewrite, refusal, rewritten
from tfgradfix.model import Operand

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

NUMBER = Operand("number", "float", 0)
TENSOR = Operand("tensor", "float32", 0, on_path=True)

REWRITTEN = [
    pytest.param("y = «max(0.0, x)»\n", "builtins.max", [NUMBER, TENSOR], "y = tf.maximum(0.0, x)\n", id="max"),
    pytest.param("y = 1 - «min(x, 1.0)»\n", "builtins.min", [TENSOR, NUMBER], "y = 1 - tf.minimum(x, 1.0)\n", id="min"),
]
DECLINED = [
    pytest.param("y = «max(x, y, key=f)»\n", "builtins.max", [TENSOR, TENSOR], "key", id="a key"),
    pytest.param("y = «max(*xs)»\n", "builtins.max", [TENSOR], "unpacked", id="unpacked"),
]


@pytest.mark.parametrize(("before", "symbol", "operands", "after"), REWRITTEN)
def test_rewritten(before: str, symbol: str, operands: list[Operand], after: str) -> None:
    assert rewritten(PythonBuiltinCommand, before, symbol=symbol, operands=operands) == after


@pytest.mark.parametrize(("text", "symbol", "operands", "reason"), DECLINED)
def test_declined(text: str, symbol: str, operands: list[Operand], reason: str) -> None:
    assert reason in refusal(PythonBuiltinCommand, text, symbol=symbol, operands=operands)


def test_program(diff: SnapshotAssertion) -> None:
    assert check_rewrite(PROGRAMS["python_builtin"], "hinge") == diff(name="hinge")
