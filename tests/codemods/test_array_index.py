"""What arrays pick out of tensors is gathered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tfgradfix_codemods.array_index import ArrayIndexCommand

from tests.codemods.fill_cases import bodies, differences, program, repaired
from tests.helpers import check_rewrite, refusal, rewritten
from tfgradfix.model import Operand

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

BODIES = bodies("array_index.md")
TENSOR, ARRAY = Operand("tensor", "float32", 2), Operand("ndarray", "int64", 1)

REWRITTEN = [
    pytest.param("y = «u[i]» + 1\n", "array", "y = tf.gather(u, i) + 1\n", id="rows"),
    pytest.param("y = «(a + b)[i]»\n", "array", "y = tf.gather((a + b), i)\n", id="rows of a sum"),
    pytest.param("y = «u[0, i]»\n", "number:array", "y = tf.gather(u[0], i)\n", id="a number before"),
    pytest.param("y = «u[:, :, i]»\n", "slice:slice:array", "y = tf.gather(u, i, axis=2)\n", id="the third axis"),
    pytest.param("y = «u[m]»\n", "mask", "y = tf.boolean_mask(u, m)\n", id="a mask"),
    pytest.param("y = «u[i - 1]»\n", "array", "y = tf.gather(u, (i - 1) % tf.shape(u)[0])\n", id="the one before"),
    pytest.param("y = «u[np.arange(n - 1)]»\n", "array", "y = tf.gather(u, np.arange(n - 1))\n", id="all but one"),
    pytest.param("y = «u[[-1, -2]]»\n", "list", "y = tf.stack([u[-1], u[-2]])\n", id="from the end"),
]

DECLINED = [
    pytest.param("y = «u[i, j]»\n", "array:array", "several parts", id="two arrays"),
    pytest.param("y = «u[0, :, i]»\n", "number:slice:array", "another order", id="a number apart"),
    pytest.param("y = «u[i, None]»\n", "array:unknown", "new axis", id="a new axis"),
    pytest.param("y = «u[i, ::2]»\n", "array:slice", "step", id="a step"),
    pytest.param("y = «u[t]»\n", "number:array", "each part", id="an index in a name"),
    pytest.param("y = «u[0]»\n", "number", "no part", id="no array"),
]


@pytest.mark.parametrize(("before", "index", "after"), REWRITTEN)
def test_text(before: str, index: str, after: str) -> None:
    assert rewritten(ArrayIndexCommand, before, operands=[TENSOR, ARRAY], facts={"index": index}) == after


@pytest.mark.parametrize(("before", "index", "told"), DECLINED)
def test_declined(before: str, index: str, told: str) -> None:
    assert told in refusal(ArrayIndexCommand, before, operands=[TENSOR, ARRAY], facts={"index": index})


def test_what_may_be_an_array_is_declined() -> None:
    array = Operand("ndarray", "float32", 2)
    assert "not certain" in refusal(ArrayIndexCommand, "y = «u[i]»\n", operands=[array], facts={"index": "array"})


@pytest.mark.parametrize("name", BODIES)
def test_rewritten(name: str, diff: SnapshotAssertion) -> None:
    assert check_rewrite(program(BODIES[name]), "program") == diff(name=name.replace(" ", "_"))


@pytest.mark.runs_tensorflow
def test_losses_stay_and_gradients_are_right() -> None:
    texts = [program(body, dtype) for body in BODIES.values() for dtype in ("float32", "float64")]
    assert differences([(text, repaired(text)) for text in texts]) == []
