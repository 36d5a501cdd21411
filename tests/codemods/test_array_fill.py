"""Arrays that tensors are written into become tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tfgradfix_codemods.array_fill import ArrayFillCommand
from tfgradfix_codemods.filled_arrays import FILL

from tests.codemods.fill_cases import PATH, bodies, differences, program, reason, repaired
from tests.codemods.fill_random import random_program
from tests.helpers import alone, apply, check_rewrite, finding, position
from tfgradfix.analyse import analyse
from tfgradfix.model import Finding, Operand, Span
from tfgradfix.rewrite.apply import rewrite

if TYPE_CHECKING:
    from collections.abc import Sequence

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
    pytest.param(
        "v = np.zeros(3)\nu = v[None]\nu[0, 0] = w[0]\nreturn tf.reduce_sum(u) + tf.reduce_sum(v)\n",
        "a part of it",
        id="a part of an array",
    ),
    pytest.param(
        "v = np.zeros(4)\nu = v.reshape(2, 2)\nu[0, 0] = w[0]\nreturn tf.reduce_sum(u) + tf.reduce_sum(v)\n",
        "a part of it",
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


def at(text: str, part: str, symbol: str, operands: Sequence[Operand], **facts: str) -> Finding:
    """A finding about ``part`` of ``text``."""
    start = text.index(part)
    span = Span("module.py", position(text, start), position(text, start + len(part)))
    return finding(ArrayFillCommand, span, symbol=symbol, operands=operands, facts=facts)


HELPER = """\
def f(w, n):
    u = np.zeros(n)
    put(u, place=0, value=w[0])
    for i in range(n):
        put(u, i, w[i])
    return tf.reduce_sum(u)
"""
ONE_ITEM = {"created": "2:9", "fits": "yes", "index": "number", "which": "0"}
ARRAY, NUMBER, SCALAR = Operand("ndarray", None, 1), Operand("number", "int", 0), Operand("tensor", "float32", 0)


def test_a_helper_that_assigns() -> None:
    findings = [
        at(HELPER, "np.zeros(n)", "numpy.zeros", [NUMBER], created="2:9", dtype="float32", rank="1"),
        *(
            at(HELPER, part, FILL, [ARRAY, NUMBER, SCALAR], **ONE_ITEM, arguments=arguments)
            for part, arguments in (("put(u, place=0, value=w[0])", "0,place,value"), ("put(u, i, w[i])", "0,1,2"))
        ),
    ]
    edited = apply(HELPER, findings, ArrayFillCommand)
    assert not edited.declined
    assert not edited.unanswered
    assert "u = tf.zeros([n])\n    u = tf.tensor_scatter_nd_update(u, [[0]], [w[0]])\n" in edited.text
    assert "        u = tf.tensor_scatter_nd_update(u, [[i]], [w[i]])\n" in edited.text


def test_items_of_items() -> None:
    text = "def f(w):\n    u = np.zeros((3, 2))\n    u[0][1] = w\n    u[0][:1] = 2.0\n    return u\n"
    array = Operand("ndarray", None, 2)
    facts = {"created": "2:9", "fits": "yes", "which": "0"}
    findings = [
        at(text, "np.zeros((3, 2))", "numpy.zeros", [], created="2:9", dtype="float32", rank="2"),
        at(text, "u[0][1] = w", FILL, [array, NUMBER, SCALAR], index="number", **facts),
        at(text, "u[0][:1] = 2.0", FILL, [array, NUMBER, NUMBER], index="slice", **facts),
    ]
    edited = apply(text, findings, ArrayFillCommand)
    assert not edited.declined
    assert "u = tf.tensor_scatter_nd_update(u, [[0, 1]], [w])\n" in edited.text
    assert "[tf.concat([tf.fill(tf.shape(u[0, :1]), 2.0), u[0, 1:]], axis=0)]" in edited.text


@pytest.mark.runs_tensorflow
def test_losses_stay_and_gradients_are_right() -> None:
    texts = [program(body) for body in BODIES.values()] + [program(body, dtype="float64") for body in BOTH]
    assert differences([(text, repaired(text)) for text in texts]) == []


#: Bodies that are traced by TensorFlow: there an array fails at once.
TRACED = [
    "u = np.zeros(6)\nfor k in range(6):\n    u[k] = w[0] * x[k]\nreturn tf.reduce_sum(u * u)\n",
    "y = tf.constant(x)\nu = np.zeros((6, 3))\nfor k in tf.range(6):\n    u[k] = w * y[k]\nreturn tf.reduce_sum(u * u)\n",
    "y = tf.constant(x)\nu = np.zeros((7, 3))\nu[0] = w\nfor k in tf.range(6):\n    u[k + 1, :2] = u[k, 1:] * y[k]\n"
    "    u[k + 1, -1] = u[k, 0]\nreturn tf.reduce_sum(u * u)\n",
    "y = tf.constant(x)\nu = np.zeros((3, 6))\nu[:, 0] = w\nfor k in tf.range(1, 6):\n    u[:, k] = u[:, k - 1] * y[k]\n"
    "return tf.reduce_sum(u * u)\n",
]


@pytest.mark.runs_tensorflow
def test_traced_functions() -> None:
    pairs = [(text, repaired(text.replace("def f(", "@tf.function\ndef f("))) for text in map(program, TRACED)]
    assert differences(pairs) == []


@pytest.mark.runs_tensorflow
@pytest.mark.slow
def test_random_assignments() -> None:
    texts = [random_program(seed) for seed in range(120)]
    assert differences([(text, repaired(text)) for text in texts]) == []
