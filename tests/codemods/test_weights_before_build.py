"""Lists of weights that were taken too early are taken again; what cannot be written there is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from tfgradfix_codemods.weights_before_build import WeightsBeforeBuildCommand

from tests.helpers import refusal, rewritten
from tfgradfix.analyse import analyse
from tfgradfix.model import Level

TAPE = "«with tf.GradientTape() as tape:\n    loss = net(x)\n»g = tape.gradient(loss, weights)\n"


def test_taken_again() -> None:
    statement = "weights = net.trainable_variables"
    after = rewritten(WeightsBeforeBuildCommand, TAPE, facts={"statement": statement})
    assert after == TAPE.replace("«", "").replace("»", f"{statement}\n")


def test_refused_without_a_statement() -> None:
    assert "cannot be written" in refusal(WeightsBeforeBuildCommand, TAPE)


HEAD = """\
import tensorflow as tf
layers = tf.keras.layers
class Trainer:
    def __init__(self, body, rate):
        self.body = body
        self.head = tf.keras.Sequential([layers.Dense(4), layers.Dense(1)])
        {taken}
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.head(self.body(x)))
        return tape.gradient(loss, self.weights)
"""
TAKEN = [
    pytest.param(
        "self.weights = self.head.trainable_variables", "self.weights = self.head.trainable_variables", id="own"
    ),
    pytest.param(
        "self.weights = self.head.trainable_variables + body.trainable_variables",
        "self.weights = self.head.trainable_variables + self.body.trainable_variables",
        id="a parameter that is kept",
    ),
    pytest.param(
        "self.weights = (self.head.trainable_variables + rate)", None, id="refused: a parameter that is not kept"
    ),
]


@pytest.mark.parametrize(("taken", "statement"), TAKEN)
def test_what_is_written(taken: str, statement: str | None) -> None:
    found = analyse({Path("main.py"): HEAD.format(taken=taken)})[Path("main.py")]
    assert [one.code for one in found] == ["TGF209"]
    assert found[0].fact("statement") == statement
    assert found[0].level is (Level.MANUAL if statement is None else Level.SAFE)
