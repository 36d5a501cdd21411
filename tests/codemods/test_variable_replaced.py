"""The new value of a variable becomes a variable again."""

from __future__ import annotations

import pytest
from tfgradfix_codemods.variable_replaced import VariableReplacedCommand

from tests.codemods.tape_marks import moved, refused

REWRITTEN = [
    pytest.param("«w = w - r * g»\n", "w = tf.Variable(w - r * g)\n", id="a step"),
    pytest.param("«w = (w - r * g)»  # down\n", "w = tf.Variable((w - r * g))  # down\n", id="parentheses, a comment"),
    pytest.param(
        "«self.w = tf.clip_by_value(self.w - g, 0.0, 1.0)»\n",
        "self.w = tf.Variable(tf.clip_by_value(self.w - g, 0.0, 1.0))\n",
        id="an attribute, a function of TensorFlow",
    ),
    pytest.param(
        "«w, b = w - r * gw, b - r * gb»\n",
        "w, b = tf.Variable(w - r * gw), tf.Variable(b - r * gb)\n",
        id="two in a line",
    ),
    pytest.param("«w, old = w - g, loss * 2»\n", "w, old = tf.Variable(w - g), loss * 2\n", id="one of two"),
    pytest.param(
        "«p = [a - r * g for a, g in zip(p, gs)]»\n",
        "p = [tf.Variable(a - r * g) for a, g in zip(p, gs)]\n",
        id="a list",
    ),
    pytest.param(
        "«p = {k: tf.maximum(a - g[k], F) for k, a in p.items()}»\n",
        "p = {k: tf.Variable(tf.maximum(a - g[k], F)) for k, a in p.items()}\n",
        id="a dict",
    ),
    pytest.param("«p = [p[0] - g, p[1]]»\n", "p = [tf.Variable(p[0] - g), p[1]]\n", id="a list, written out"),
    pytest.param(
        "«p = {'a': p['a'] - g, **q}»\n", "p = {'a': tf.Variable(p['a'] - g), **q}\n", id="a dict, written out"
    ),
    pytest.param("«p[i] = p[i] - g»\n", "p[i] = tf.Variable(p[i] - g)\n", id="an element"),
    pytest.param("«w = w - g if ok else w»\n", "w = tf.Variable(w - g) if ok else w\n", id="a step now and then"),
    pytest.param("«w, b = old[0], self.old»\n", "w, b = old[0], self.old\n", id="earlier values are put back"),
    pytest.param("«w -= r * g»; n = 1\n", "w.assign_sub(r * g); n = 1\n", id="in place"),
    pytest.param("«self.w[0] += g»\n", "self.w[0].assign_add(g)\n", id="in place, plus"),
    pytest.param(
        "with open(f) as h:\r\n\tdef s():\r\n\t\t«w = w - g»\r\n",
        "with open(f) as h:\r\n\tdef s():\r\n\t\tw = tf.Variable(w - g)\r\n",
        id="CRLF and tabs",
    ),
]
DECLINED = [
    pytest.param("«w = update(w, g)»\n", "does not show", id="an unknown function"),
    pytest.param("«p = p + [p[0] - g]»\n", "does not show", id="a longer list"),
    pytest.param("«w = tf.unstack(w - g)»\n", "does not show", id="a list of tensors"),
    pytest.param("«w, b = step(w, b)»\n", "which value", id="a tuple that is not written out"),
    pytest.param("«a = w = w - g»\n", "which value", id="two targets"),
    pytest.param("«w *= 0.5»\n", "no method", id="in place, times"),
    pytest.param("with tf.GradientTape() as t:\n    «w = w - g»\n", "another tape", id="another tape records it"),
    pytest.param("@tf.function(jit_compile=True)\ndef f():\n    «w = w - g»\n", "tf.function", id="traced"),
    pytest.param("def train_step(self, d):\n    «self.w = self.w - g»\n", "tf.function", id="a Keras training step"),
]


@pytest.mark.parametrize(("before", "after"), REWRITTEN)
def test_rewritten(before: str, after: str) -> None:
    assert moved(VariableReplacedCommand, before) == after


@pytest.mark.parametrize(("before", "reason"), DECLINED)
def test_declined(before: str, reason: str) -> None:
    assert reason in refused(VariableReplacedCommand, before)


def test_what_the_analysis_tells() -> None:
    assert "another name" in refused(VariableReplacedCommand, "«w -= g»\n", alias="yes")
    assert "another tape" in refused(VariableReplacedCommand, "«w = w - g»\n", recorded="yes")
