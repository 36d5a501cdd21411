"""Lists that grow in a traced loop become TensorArrays; what a TensorArray cannot do is refused."""

from __future__ import annotations

import pytest
from tfgradfix_codemods.list_in_graph_loop import ListInGraphLoopCommand

from tests.helpers import refusal, rewritten

FACTS = {"lists": "a:float32", "also": "2", "until": "9"}
BEFORE = "def f(n):\n    a = []\n«    for i in tf.range(n):\n        a.append(g(i))\n»    return {}\n"
AFTER = (
    "def f(n):\n    a = tf.TensorArray(tf.float32, size=0, dynamic_size=True)\n"
    "    for i in tf.range(n):\n        a = a.write(a.size(), g(i))\n    return {}\n"
)
JOINED = [
    pytest.param("tf.stack(a)", "a.stack()", id="stack"),
    pytest.param("tf.stack(a, axis=0)", "a.stack()", id="stack along the first axis"),
    pytest.param("tf.concat(a, 0)", "a.concat()", id="concat"),
    pytest.param("tf.convert_to_tensor(a)", "a.stack()", id="convert_to_tensor"),
    pytest.param("tf.add_n(a)", "tf.reduce_sum(a.stack(), axis=0)", id="add_n"),
    pytest.param("sum(a)", "tf.reduce_sum(a.stack(), axis=0)", id="sum"),
    pytest.param("tf.reduce_mean(a, axis=0)", "tf.reduce_mean(a.stack(), axis=0)", id="a reduction"),
    pytest.param("len(a)", "a.size()", id="len"),
]
REFUSED = [
    pytest.param("a", id="handed on"),
    pytest.param("a[-1]", id="indexed"),
    pytest.param("tf.stack(a, axis=1)", id="stacked along another axis"),
    pytest.param("[x for x in a]", id="iterated"),
    pytest.param("(lambda: tf.stack(a))()", id="in a function"),
]


def marked(text: str) -> str:
    """The program with its marks round the loop only."""
    return text.replace("«    for", "    «for").replace("\n»", "»\n")


@pytest.mark.parametrize(("before", "after"), JOINED)
def test_joined(before: str, after: str) -> None:
    assert rewritten(ListInGraphLoopCommand, marked(BEFORE.format(before)), facts=FACTS) == AFTER.format(after)


@pytest.mark.parametrize("use", REFUSED)
def test_refused(use: str) -> None:
    assert "does not know" in refusal(ListInGraphLoopCommand, marked(BEFORE.format(use)), facts=FACTS)
