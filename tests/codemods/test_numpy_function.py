"""What tf.numpy_function wraps is called directly."""

from __future__ import annotations

import pytest
from tfgradfix_codemods.numpy_function import NumpyFunctionCommand

from tests.helpers import refusal, rewritten

REWRITTEN = [
    pytest.param("y = «tf.numpy_function(f, [a, b], tf.float32)»\n", "y = f(a, b)\n", id="a list"),
    pytest.param("y = «tf.numpy_function(f, (a,), tf.float32)»\n", "y = f(a)\n", id="a tuple"),
    pytest.param(
        "y = «tf.numpy_function(func=self.f, inp=[a + 1], Tout=tf.float32)»\n", "y = self.f(a + 1)\n", id="keywords"
    ),
]
DECLINED = [
    pytest.param("y = «tf.numpy_function(f, values, tf.float32)»\n", "not written as a list", id="a list of elsewhere"),
    pytest.param("y = «tf.numpy_function(lambda a: a, [a], tf.float32)»\n", "no name", id="a lambda"),
    pytest.param("y = «tf.numpy_function(f, [*values], tf.float32)»\n", "unpacked", id="unpacked elements"),
    pytest.param("y = «tf.numpy_function(*given)»\n", "unpacked", id="unpacked arguments"),
]


@pytest.mark.parametrize(("before", "after"), REWRITTEN)
def test_rewritten(before: str, after: str) -> None:
    assert rewritten(NumpyFunctionCommand, before) == after


@pytest.mark.parametrize(("text", "reason"), DECLINED)
def test_declined(text: str, reason: str) -> None:
    assert reason in refusal(NumpyFunctionCommand, text)
