"""Two passes become one call; a call that shares its line is refused, and calls on different inputs are."""

from __future__ import annotations

from pathlib import Path

import pytest
from tfgradfix_codemods.two_forward_passes import TwoForwardPassesCommand

from tests.helpers import refusal, rewritten
from tfgradfix.analyse import analyse
from tfgradfix.model import Level

TOGETHER = "maps, scores = keras.Model(model.inputs, [part.output, model.output])(image)"


def test_the_first_call_gives_both() -> None:
    after = rewritten(TwoForwardPassesCommand, "«maps = part(image)»  # maps\n", facts={"statement": TOGETHER})
    assert after == f"{TOGETHER}  # maps\n"


def test_the_second_call_goes() -> None:
    after = rewritten(TwoForwardPassesCommand, "x = 1\n«scores = model(image)»\n", facts={"statement": ""})
    assert after == "x = 1\n"


def test_refused_on_a_shared_line() -> None:
    assert "shares its line" in refusal(TwoForwardPassesCommand, "«maps = part(image)»; y = 1\n")


PROGRAM = """\
from tensorflow import keras
import tensorflow as tf
def heat(model, image, other):
    part = keras.Model(model.inputs, model.get_layer("conv").output)
    with tf.GradientTape() as tape:
        maps = part(image)
        {second}
        score = scores[:, 0]
    return tape.gradient(score, maps)
"""
SECOND = [
    pytest.param("scores = model(image)", [Level.SAFE, Level.SAFE], id="the same input"),
    pytest.param("scores = model(other)", [], id="another input"),
    pytest.param("scores = tf.nn.softmax(model(image))", [Level.MANUAL], id="refused: no statement of its own"),
]


@pytest.mark.parametrize(("second", "levels"), SECOND)
def test_found(second: str, levels: list[Level]) -> None:
    found = analyse({Path("main.py"): PROGRAM.format(second=second)})[Path("main.py")]
    assert [one.level for one in found if one.code == "TGF210"] == levels
