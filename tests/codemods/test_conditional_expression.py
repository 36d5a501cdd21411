"""Conditional expressions on tensors become `tf.where`, with the value that is not chosen made harmless."""

from __future__ import annotations

import pytest
from tfgradfix_codemods.conditional_expression import ConditionalExpressionCommand

from tests.codemods.branch_cases import HEAD, Case, cases, differences
from tests.helpers import refusal, rewritten, unmark

CASES = cases("conditional_expression.md")

DECLINED = [
    pytest.param("return «model(x) if x > y else y»", "what `model` does", id="an unknown function"),
    pytest.param("return 1 + («model(x) if x > y else y»)", "what `model` does", id="an unknown function inside"),
    pytest.param("return «x if x > y else None»", "no tensor", id="None"),
    pytest.param("return 2 * («x if x > y else 'a'»)", "no tensor", id="a string"),
    pytest.param("return 2 * («x if (z := x) > y else y»)", "more than compare", id="a test that assigns"),
    pytest.param("return 2 * («x if tf.math.is_nan(y) else y»)", "not finite", id="NaN is asked for"),
    pytest.param("return 2 * («tf.sqrt(x) if test(x) else y»)", "what `test` does", id="a test that would run twice"),
    pytest.param("return 2 * («x if x > 0 and test(x) else y»)", "what `test` does", id="a test hidden behind and"),
    pytest.param("z = «x if x > y else [y]»", "no tensor", id="a list"),
    pytest.param("z = 2 * («tf.reduce_sum(v) if x > y else v»)", "broadcast", id="a scalar and an array"),
    pytest.param("z = («x if x > y  # why\n         else y»)", "comment", id="a comment inside"),
]

#: Where the expression stays inside its statement, whatever is guarded.
INSIDE = [
    pytest.param("self.z = «y / x if x > 0 else y»", id="an attribute is assigned"),
    pytest.param("a = b = «y / x if x > 0 else y»", id="two names are assigned"),
    pytest.param("a = 1; b = «y / x if x > 0 else y»", id="statements on one line"),
    pytest.param("z += «y / x if x > 0 else y»", id="added"),
    pytest.param("print(«y / x if x > 0 else y»)", id="an argument"),
]


@pytest.mark.parametrize("case", CASES)
def test_text(case: Case) -> None:
    assert rewritten(ConditionalExpressionCommand, HEAD + case.before, facts=case.facts) == HEAD + case.after


@pytest.mark.runs_tensorflow
@pytest.mark.parametrize("case", CASES)
def test_values_and_gradients(case: Case) -> None:
    before, _ = unmark(HEAD + case.before)
    assert differences(before, HEAD + case.after, dtype=case.dtype) == []


@pytest.mark.parametrize(("line", "reason"), DECLINED)
def test_declined(line: str, reason: str) -> None:
    assert reason in refusal(ConditionalExpressionCommand, f"{HEAD}def f(x, y, v):\n    {line}\n    tf.reduce_sum(v)\n")


@pytest.mark.parametrize("line", INSIDE)
def test_inside_its_statement(line: str) -> None:
    before, after = line.split("«")[0], "tf.where(x > 0, y / tf.where(x > 0, x, tf.ones_like(x)), y)"
    end = line.split("»")[1]
    text = rewritten(ConditionalExpressionCommand, f"{HEAD}def f(self, x, y, z):\n    {line}\n")
    assert text == f"{HEAD}def f(self, x, y, z):\n    {before}{after}{end}\n"


def test_a_test_with_side_effects_runs_once() -> None:
    text = rewritten(
        ConditionalExpressionCommand, f"{HEAD}def f(x, y):\n    return «tf.sqrt(x) if test(x) > 0 else y»\n"
    )
    assert text.count("test(x)") == 1
