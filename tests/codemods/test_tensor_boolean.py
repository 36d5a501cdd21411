"""`and`, `or`, `not` and chained comparisons on tensors become operations."""

from __future__ import annotations

import pytest
from tfgradfix_codemods.tensor_boolean import TensorBooleanCommand

from tests.codemods.branch_cases import HEAD, Case, cases, differences
from tests.helpers import refusal, rewritten, unmark

CASES = cases("tensor_boolean.md")

DECLINED = [
    pytest.param("z = «x and y»", "may pick", id="a value is picked"),
    pytest.param("z = «x > 0 or y»", "may pick", id="a value is picked if the test fails"),
    pytest.param("z = f(«x or y», 1)", "may pick", id="a default"),
    pytest.param("z = «a is not None and a > x»", "decides whether", id="None is asked for first"),
    pytest.param("z = «len(a) > 2 and a[2] > x»", "decides whether", id="a length is asked for first"),
    pytest.param("z = «x > 0 and step(y) > 0»", "what `step` does", id="what is not always run"),
    pytest.param("z = «0 < step(y) < x»", "what `step` does", id="what would run twice"),
    pytest.param("z = «0 < x in a»", "identity or membership", id="membership in a chain"),
    pytest.param("z = tf.where(«(w := x > 0) and y > 0», 1, 2)", "more than compare", id="an assignment"),
    pytest.param("a = 1\n    z = «a > 0 and a < 3»", "none of its operands", id="Python numbers"),
    pytest.param("z = «not a is None»", "none of its operands", id="Python's own not"),
]

#: Only the truth counts in these places, so that numbers count as true or false.
TESTS = [
    pytest.param("while «x and y > 0»:\n        x = y", id="while"),
    pytest.param("assert «x and y > 0»", id="assert"),
    pytest.param("z = 1 if «x and y > 0» else 2", id="a conditional expression"),
    pytest.param("z = tf.where(«x and y > 0», 1, 2)", id="where"),
    pytest.param("z = not («x and y > 0»)", id="not"),
    pytest.param("if (a or («x and y > 0»)):\n        z = 1", id="an operand of another test"),
]


@pytest.mark.parametrize("case", CASES)
def test_text(case: Case) -> None:
    assert rewritten(TensorBooleanCommand, HEAD + case.before, facts=case.facts) == HEAD + case.after


@pytest.mark.runs_tensorflow
@pytest.mark.parametrize("case", CASES)
def test_values_and_gradients(case: Case) -> None:
    # As a Python test the program cannot be traced, so that eager values are what to compare with.
    before, _ = unmark(HEAD + case.before)
    assert differences(before, HEAD + case.after, dtype=case.dtype) == []


@pytest.mark.parametrize(("line", "reason"), DECLINED)
def test_declined(line: str, reason: str) -> None:
    assert reason in refusal(TensorBooleanCommand, f"{HEAD}def f(x, y, a):\n    {line}\n    return z\n")


@pytest.mark.parametrize("line", TESTS)
def test_numbers_as_tests(line: str) -> None:
    text = rewritten(TensorBooleanCommand, f"{HEAD}def f(x, y, a):\n    {line}\n    return z\n")
    assert "tf.logical_and(tf.cast(x, tf.bool), y > 0)" in text
