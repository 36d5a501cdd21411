"""What becomes a tensor is given to its other users as an array."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tfgradfix_codemods.array_consumer import ArrayConsumerCommand
from tfgradfix_codemods.numpy_call import NumpyCallCommand

from tests.codemods.faulty import PROGRAMS
from tests.helpers import apply, check_rewrite, finding, refusal, rewritten, unmark
from tfgradfix.model import Operand

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

REWRITTEN = [
    pytest.param("h = «x».copy()\n", "h = x.numpy().copy()\n", id="a name"),
    pytest.param("h = «f(x)»\n", "h = f(x).numpy()\n", id="a call"),
    pytest.param("h = «self.x»[0]\n", "h = self.x.numpy()[0]\n", id="an attribute"),
    pytest.param("h = «x[0]»\n", "h = x[0].numpy()\n", id="an item"),
    pytest.param("h = «a + b»\n", "h = (a + b).numpy()\n", id="an operation"),
    pytest.param("h = («a + b»)\n", "h = (a + b).numpy()\n", id="an operation in parentheses"),
    pytest.param("h = «-a»\n", "h = (-a).numpy()\n", id="a sign"),
    pytest.param("h = «a > b»\n", "h = (a > b).numpy()\n", id="a comparison"),
    pytest.param("h = «a if c else b»\n", "h = (a if c else b).numpy()\n", id="a conditional expression"),
    pytest.param("f(a=«x», *y)\n", "f(a=x.numpy(), *y)\n", id="an argument by keyword"),
]


@pytest.mark.parametrize(("before", "after"), REWRITTEN)
def test_rewritten(before: str, after: str) -> None:
    assert rewritten(ArrayConsumerCommand, before) == after


def test_declined_where_it_would_lose_nothing_is_never() -> None:
    # Nothing is dropped, so there is nothing to refuse; a comment inside stays.
    assert rewritten(ArrayConsumerCommand, "h = «f(x,  # why\n  y)»\n") == "h = f(x,  # why\n  y).numpy()\n"


def test_after_the_repair_of_the_same_call() -> None:
    text, (span,) = unmark("h = «np.square(x)»\n")
    tensor = Operand("tensor", "float32", 1, on_path=True)
    findings = [
        finding(NumpyCallCommand, span, symbol="numpy.square", operands=[tensor]),
        finding(ArrayConsumerCommand, span),
    ]
    edited = apply(text, findings, NumpyCallCommand, ArrayConsumerCommand)
    assert edited.text == "h = tf.square(x).numpy()\n"


def test_refusal_is_not_part_of_this_codemod() -> None:
    with pytest.raises(AssertionError):
        refusal(ArrayConsumerCommand, "h = «x»\n")


def test_program(diff: SnapshotAssertion) -> None:
    assert check_rewrite(PROGRAMS["array_consumer"], "kept_distance") == diff(name="kept_distance")
