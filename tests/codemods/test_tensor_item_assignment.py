"""Tensors whose items are assigned get new tensors under their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tfgradfix_codemods.filled_arrays import FILL
from tfgradfix_codemods.tensor_item_assignment import TensorItemAssignmentCommand

from tests.codemods.fill_cases import bodies, differences, program, reason, repaired
from tests.helpers import check_rewrite, refusal
from tfgradfix.model import Operand

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

BODIES = bodies("tensor_item_assignment.md")

DECLINED = [
    pytest.param(
        "raw = w * 2.0\nu = raw\nu[0] = w[1]\nreturn tf.reduce_sum(u * raw)\n", "same tensor", id="another name"
    ),
    pytest.param(
        "u = w * 2.0\nold = u\nu[0] = w[1]\nreturn tf.reduce_sum(u * old)\n", "another name", id="an older name"
    ),
    pytest.param(
        "u = w * 2.0\nu[u > 0.0] = u[u > 0.0] * w[0]\nreturn tf.reduce_sum(u * u)\n", "mask", id="a mask and values"
    ),
]


def made_by(body: str, maker: str) -> str:
    """The program round a body whose tensor is made by ``maker``."""
    return program(body.replace("START(", f"{maker}("))


@pytest.mark.parametrize("name", BODIES)
def test_rewritten(name: str, diff: SnapshotAssertion) -> None:
    assert check_rewrite(made_by(BODIES[name], "tf.identity"), "program") == diff(name=name.replace(" ", "_"))


@pytest.mark.parametrize(("body", "told"), DECLINED)
def test_declined(body: str, told: str) -> None:
    assert told in reason(body)


def test_the_tensor_of_a_caller_is_declined() -> None:
    operands = [Operand("tensor", "float32", 1), Operand("number", "int", 0), Operand("number", "float", 0)]
    facts = {"created": "1:9", "fits": "yes", "index": "number", "which": "0"}
    told = refusal(
        TensorItemAssignmentCommand, "def put(v):\n    «v[0] = 1.0»\n", symbol=FILL, operands=operands, facts=facts
    )
    assert "caller's tensor" in told


@pytest.mark.runs_tensorflow
def test_losses_and_gradients_are_those_of_an_array() -> None:
    pairs = [(made_by(body, "np.array"), repaired(made_by(body, "tf.identity"))) for body in BODIES.values()]
    assert differences(pairs) == []
