"""Arrays that tensors are written into become tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tfgradfix_codemods.array_fill import ArrayFillCommand

from tests.codemods.fill_cases import PATH, bodies, differences, program, reason, repaired
from tests.codemods.fill_random import random_program
from tests.helpers import alone, check_rewrite
from tfgradfix.analyse import analyse
from tfgradfix.rewrite.apply import rewrite

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

BODIES = bodies("array_fill.md")

#: Without float32 in them, so that they run in float64 too.
BOTH = [body for body in BODIES.values() if "float32" not in body]

DECLINED = [
    pytest.param("u = np.zeros(3)\nv = u\nu[0] = w[0]\nreturn tf.reduce_sum(u * v)\n", "another name", id="alias"),
    pytest.param("v = u = np.zeros(3)\nu[0] = w[0]\nreturn tf.reduce_sum(u * v)\n", "another name", id="two names"),
    pytest.param(
        "u = np.zeros(3)\nv = u\nv[0] = w[0]\nu[1] = w[1]\nreturn tf.reduce_sum(u)\n", "several names", id="both filled"
    ),
    pytest.param(
        "u = np.zeros((3, 2))\nrow = u[0]\nu[0] = w[:2]\nu[1] = row * 2.0\nreturn tf.reduce_sum(u)\n",
        "another name",
        id="a row that is read after the array has changed",
    ),
    pytest.param(
        "u = np.zeros((3, 2))\nu[0] = w[:2]\nfor k in range(2):\n    row = u[k]\n    u[k, 0] = w[0]\n"
        "    u[k + 1] = row * 2.0\nreturn tf.reduce_sum(u)\n",
        "another name",
        id="a row that changes in the same turn",
    ),
    pytest.param(
        "u = np.zeros((3, 3))\nfor row in u:\n    u[0] = w\n    u[1] = row\nreturn tf.reduce_sum(u)\n",
        "another name",
        id="rows of a loop",
    ),
    pytest.param(
        "u = np.zeros((2, 3))\nu[0] = w\nu[0], u[1] = u[1], u[0]\nreturn tf.reduce_sum(u)\n",
        "exchanged",
        id="rows that change places",
    ),
    pytest.param(
        "u, kept = np.zeros(3), []\nfor i in range(3):\n    u[i] = w[i]\n    kept.append(u)\n"
        "return tf.reduce_sum(tf.stack(kept))\n",
        "kept elsewhere",
        id="kept while it is filled",
    ),
    pytest.param(
        "u = np.zeros(3)\nu[0] = w[0]\nholder = {'u': u}\nu[1] = w[1]\nreturn tf.reduce_sum(u)\n",
        "kept elsewhere",
        id="kept in a dictionary",
    ),
    pytest.param(
        "u = np.zeros(3)\nu[0] = w[0]\nshow(u)\nu[1] = w[1]\nreturn tf.reduce_sum(u)\n",
        "may fill it",
        id="given to a call",
    ),
    pytest.param("u = np.zeros(3)\nu[0] = w[0]\nu.fill(2.0)\nreturn tf.reduce_sum(u)\n", ".fill()", id="fill"),
    pytest.param(
        "u = np.zeros((3, 3))\nu[0, 1] = w[0]\nnp.fill_diagonal(u, 1.0)\nreturn tf.reduce_sum(u)\n",
        "filled by a call",
        id="a function that fills",
    ),
    pytest.param("u = np.zeros(3)\nu[0] = w[0]\nnp.multiply(u, 2.0, out=u)\nreturn tf.reduce_sum(u)\n", "", id="out="),
    pytest.param("u = np.zeros(3)\nu[0] = (t := w[0])\nreturn tf.reduce_sum(u) + t\n", "binds a name", id="walrus"),
    pytest.param("u = np.zeros(3)\nu[0] //= w[0]\nreturn tf.reduce_sum(u)\n", "", id="a floor division"),
    pytest.param(
        "u = np.zeros(3)\nfree = np.array([0, 0])\nu[free] += w[0]\nreturn tf.reduce_sum(u)\n",
        "changed once",
        id="places that may be the same",
    ),
    pytest.param(
        "u = np.zeros(6)\nu[x > 1.0] = tf.boolean_mask(tf.concat([w, w], 0), x > 1.0)\nreturn tf.reduce_sum(u)\n",
        "mask",
        id="a mask and as many values",
    ),
    pytest.param(
        "u = np.zeros((3, 3))\nu[[0, 1], [1, 2]] = w[0]\nreturn tf.reduce_sum(u)\n", "by an array", id="pairs of places"
    ),
    pytest.param(
        "u = np.zeros(3)\nu[int(np.random.rand() * 3)] = w[0]\nreturn tf.reduce_sum(u)\n",
        "each time",
        id="a place that is drawn",
    ),
    pytest.param("u = np.zeros(3)[None]\nu[0, 0] = w[0]\nreturn tf.reduce_sum(u)\n", "", id="a part of an array"),
    pytest.param(
        "v = np.zeros(4)\nu = v.reshape(2, 2)\nu[0, 0] = w[0]\nreturn tf.reduce_sum(u) + tf.reduce_sum(v)\n",
        "another view",
        id="a view of an array",
    ),
    pytest.param(
        "u = np.zeros(3)\nu[0] = w[0]\ndef put():\n    u[1] = w[1]\nput()\nreturn tf.reduce_sum(u)\n",
        "",
        id="filled in a function inside",
    ),
    pytest.param(
        "make = lambda: np.zeros(3)\nu = make()\nu[0] = w[0]\nreturn tf.reduce_sum(u * u)\n",
        "another function",
        id="made in another function",
    ),
    pytest.param(
        "u = np.zeros((3, 3))\nu[0, None] = w\nreturn tf.reduce_sum(u)\n", "adds an axis", id="a new axis in the index"
    ),
]

UNCHANGED = [
    pytest.param(
        "u = np.zeros(6)\nfor k in range(6):\n    u[k] = x[k] * 2.0\nreturn tf.reduce_sum(w) * u[0]\n", id="data alone"
    ),
    pytest.param(
        "u = np.zeros(3)\nloss = tf.reduce_sum(w * w)\nu[0] = loss\nprint(u)\nreturn loss\n", id="a log of losses"
    ),
]


@pytest.mark.parametrize("name", BODIES)
def test_rewritten(name: str, diff: SnapshotAssertion) -> None:
    assert check_rewrite(program(BODIES[name]), "program") == diff(name=name.replace(" ", "_"))


@pytest.mark.parametrize("name", BODIES)
def test_alone_as_together(name: str) -> None:
    text = program(BODIES[name])
    findings = analyse({PATH: text})[PATH]
    if {finding.code for finding in findings} == {ArrayFillCommand.RULE.code}:
        assert alone(ArrayFillCommand, text, findings) == repaired(text)


@pytest.mark.parametrize(("body", "told"), DECLINED)
def test_declined(body: str, told: str) -> None:
    assert told in reason(body)


@pytest.mark.parametrize("body", UNCHANGED)
def test_unchanged(body: str) -> None:
    result = rewrite({PATH: program(body)})
    assert not result.texts
    assert not result.findings[PATH]


@pytest.mark.runs_tensorflow
def test_losses_stay_and_gradients_are_right() -> None:
    texts = [program(body) for body in BODIES.values()] + [program(body, dtype="float64") for body in BOTH]
    assert differences([(text, repaired(text)) for text in texts]) == []


@pytest.mark.runs_tensorflow
@pytest.mark.slow
def test_random_assignments() -> None:
    texts = [random_program(seed) for seed in range(120)]
    assert differences([(text, repaired(text)) for text in texts]) == []
