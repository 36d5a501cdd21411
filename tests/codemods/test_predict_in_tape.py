"""A model is called where its predict stood on the only path."""

from __future__ import annotations

import pytest
from tfgradfix_codemods.predict_in_tape import PredictInTapeCommand

from tests.helpers import refusal, rewritten

PREDICT = "model.predict"
REWRITTEN = [
    pytest.param("y = «model.predict(x)»\n", "y = model(x)\n", PREDICT, id="one argument"),
    pytest.param("y = «self.net.predict(x, verbose=0)»\n", "y = self.net(x)\n", PREDICT, id="how to run is dropped"),
    pytest.param("y = «m.predict_on_batch(x[0])»\n", "y = m(x[0])\n", "model.predict_on_batch", id="on a batch"),
    pytest.param("y = «K.eval(x)»\n", "y = x\n", "keras.backend.eval", id="a conversion"),
    pytest.param("y = «K.eval(a + b)» * 2\n", "y = (a + b) * 2\n", "keras.backend.eval", id="parentheses are added"),
]
DECLINED = [
    pytest.param("y = «model.predict(x, steps=2)»\n", "changes what it computes", PREDICT, id="steps"),
    pytest.param("y = «model.predict(*batch)»\n", "unpacked", PREDICT, id="unpacked"),
    pytest.param("y = «K.eval(x, y)»\n", "one argument", "keras.backend.eval", id="two arguments"),
]


@pytest.mark.parametrize(("before", "after", "symbol"), REWRITTEN)
def test_rewritten(before: str, after: str, symbol: str) -> None:
    assert rewritten(PredictInTapeCommand, before, symbol=symbol) == after


@pytest.mark.parametrize(("text", "reason", "symbol"), DECLINED)
def test_declined(text: str, reason: str, symbol: str) -> None:
    assert reason in refusal(PredictInTapeCommand, text, symbol=symbol)
