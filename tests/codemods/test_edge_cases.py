"""The edge cases that every rewrite must meet, through the whole of analysis and rewrite."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers import EDGE_CASES, NUMPY, edge_program
from tfgradfix.rewrite.apply import rewrite

PATH = Path("program.py")
TABLE = [pytest.param(head, before, after, id=name) for name, head, before, after in EDGE_CASES]

UNCHANGED = [
    pytest.param("print(np.mean(w))\n", id="off the path"),
    pytest.param("def f(np):\n    return np.mean(w)\n", id="a parameter called np"),
    pytest.param("class A:\n    np = None\n    mean = lambda w: np.mean(w)\n", id="a class attribute called np"),
    pytest.param("values = [np.mean(i) for i in range(3)]\n", id="in a comprehension over numbers"),
    pytest.param("@np.vectorize\ndef f(x): return x\n", id="a decorator"),
    pytest.param("def f(x=np.mean([1, 2])): return x\n", id="a default"),
    pytest.param("from plots import *\nshow(np.mean(w))\n", id="a star import"),
]
TEXTS = {
    "unix": lambda text: text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "tabs": lambda text: text.replace("    ", "\t"),
    "final newline": lambda text: text + "\n",
    "blanks at the ends of lines": lambda text: text.replace("\n\n", "\n  \n"),
}


def repaired(text: str) -> str:
    """``text`` as the tool leaves it."""
    return rewrite({PATH: text}).texts.get(PATH, text)


@pytest.mark.parametrize(("head", "before", "after"), TABLE)
def test_edge_case(head: str, before: str, after: str) -> None:
    assert repaired(edge_program(head, before)) == edge_program(head, after)


@pytest.mark.parametrize("form", sorted(TEXTS))
def test_form_of_the_text(form: str) -> None:
    before, after = (TEXTS[form](edge_program(NUMPY, f"np.{name}(w)")) for name in ("mean", "mean"))
    assert repaired(before) == after.replace("np.mean", "tf.reduce_mean")


@pytest.mark.parametrize("statement", UNCHANGED)
def test_unchanged(statement: str) -> None:
    text = edge_program(f"import numpy as np\n{statement}", "tf.reduce_mean(w)").replace(statement, "", 1)
    text = text.replace("print(tape", f"{statement}print(tape")
    ast.parse(text)
    assert repaired(text) == text


def test_twice_is_once() -> None:
    once = repaired(edge_program(NUMPY, "np.mean(np.square(w.numpy()))"))
    assert repaired(once) == once


LINES = st.lists(
    st.one_of(
        st.sampled_from(
            ["", "# comment", "x = [1,\n   2]", "if x: pass", "é = 'ü'  # ünd", "\tindented", "  ", "\f", '"""a\nb"""']
        ),
        st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"), max_size=12).map(lambda text: f"# {text}"),
    ).filter(lambda line: not line.startswith("\t")),
    max_size=5,
)


@settings(max_examples=40, deadline=None, database=None)
@given(above=LINES, below=LINES, newline=st.sampled_from(["\n", "\r\n"]))
def test_bytes_outside_the_edit_are_untouched(above: list[str], below: list[str], newline: str) -> None:
    def text(call: str) -> str:
        lines = ["import numpy as np", "import tensorflow as tf", *above, "w = tf.Variable([1.0])"]
        lines += ["with tf.GradientTape() as tape:", f"    loss = {call}", *below, "print(tape.gradient(loss, w))", ""]
        return newline.join(line.replace("\n", newline) for line in lines)

    assert repaired(text("np.mean(w)")) == text("tf.reduce_mean(w)")
