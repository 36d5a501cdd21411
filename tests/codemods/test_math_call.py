"""Functions of math and SciPy on the path are written as the table says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tfgradfix_codemods.math_call import MathCallCommand

from tests.codemods.faulty import PROGRAMS
from tests.helpers import check_rewrite, refusal, rewritten
from tfgradfix.model import Operand

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

TENSOR = Operand("tensor", "float32", 0, on_path=True)

REWRITTEN = [
    pytest.param("y = «math.exp(x)»\n", "math.exp", "y = tf.exp(x)\n", id="math"),
    pytest.param("y = «gammaln(x)»\n", "scipy.special.gammaln", "y = tf.math.lgamma(x)\n", id="scipy.special"),
]
DECLINED = [pytest.param("y = «math.frexp(x)»\n", "math.frexp", "", id="no counterpart")]


@pytest.mark.parametrize(("before", "symbol", "after"), REWRITTEN)
def test_rewritten(before: str, symbol: str, after: str) -> None:
    assert rewritten(MathCallCommand, before, symbol=symbol, operands=[TENSOR]) == after


@pytest.mark.parametrize(("text", "symbol", "reason"), DECLINED)
def test_declined(text: str, symbol: str, reason: str) -> None:
    assert reason in refusal(MathCallCommand, text, symbol=symbol, operands=[TENSOR])


def test_program(diff: SnapshotAssertion) -> None:
    assert check_rewrite(PROGRAMS["math_call"], "decay") == diff(name="decay")
