"""Whether a name certainly has a value where an ``if`` begins, and whether it is of use outside of it."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import dedent, indent

import pytest

from tfgradfix.analyse.binding import is_bound, is_private
from tfgradfix.analyse.modules import Module, Program
from tfgradfix.rewrite.apply import rewrite

BOUND = {
    "assigned above": "y = 1\nif c: pass",
    "a parameter": "if c: pass  # c",
    "in both branches above": "if a:\n    y = 1\nelse:\n    y = 2\nif c: pass",
    "in the branch that goes on": "if a:\n    return\nelse:\n    y = 2\nif c: pass",
    "a loop's counter": "for y in a:\n    if c: pass",
    "a loop that runs": "for i in range(3):\n    y = i\nif c: pass",
    "with": "with a as y:\n    if c: pass",
    "a block above": "with a:\n    y = 1\nif c: pass",
    "a walrus in a test": "if (y := a):\n    if c: pass",
    "tried": "try:\n    y = 1\nexcept E:\n    y = 2\nif c: pass",
    "an import": "import y\nif c: pass",
    "unpacked": "(a, [y, *b]) = a\nif c: pass",
    "outside": "if c: return y",
}
UNBOUND = {
    "later in a loop": "for i in a:\n    if c:\n        y = 1",
    "in a loop that may not run": "for i in a:\n    y = 1\nif c: y = 2",
    "in one branch": "if a:\n    y = 1\nif c: y = 2",
    "what may fail": "try:\n    y = 1\nexcept E:\n    pass\nif c: y = 2",
    "a comprehension's name": "b = [y for y in a]\nif c: y = 2",
    "declared": "y: int\nif c: y = 2",
    "while": "while a:\n    y = 1\n    break\nif c: y = 2",
}
PRIVATE = {
    "a helper": "if c:\n    y = a\n    b = y + 1\nreturn b",
    "in each branch": "if c:\n    y = a\n    b = y\nelse:\n    y = 2\n    b = y\nreturn b",
}
SHARED = {
    "read after it": "if c:\n    y = a\nreturn y",
    "read in the next pass": "for i in a:\n    if c:\n        b = y\n        y = i",
    "added to": "for i in a:\n    if c:\n        y += i",
    "global": "global y\nif c:\n    y = a",
    "read by an inner function": "def f():\n    return y\nif c:\n    y = a",
}


def last_branch(body: str) -> tuple[Module, ast.If]:
    """The innermost last ``if`` of a function with this body."""
    text = "def f(a, c):\n" + indent(body, "    ") + "\n"
    (module,) = Program({Path("m.py"): text}).modules.values()
    found = [node for node in ast.walk(module.tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "c"]
    return module, found[-1]


@pytest.mark.parametrize("body", BOUND.values(), ids=BOUND)
def test_bound(body: str) -> None:
    assert is_bound(*last_branch(body), "c" if "# c" in body else "y")


@pytest.mark.parametrize("body", UNBOUND.values(), ids=UNBOUND)
def test_not_certainly_bound(body: str) -> None:
    assert not is_bound(*last_branch(body), "y")


@pytest.mark.parametrize("body", PRIVATE.values(), ids=PRIVATE)
def test_private(body: str) -> None:
    assert is_private(*last_branch(body), "y")


@pytest.mark.parametrize("body", SHARED.values(), ids=SHARED)
def test_not_private(body: str) -> None:
    assert not is_private(*last_branch(body), "y")


def test_a_branch_whose_name_has_no_value_in_the_first_pass_stays() -> None:
    text = dedent("""\
        import numpy as np
        import tensorflow as tf

        w = tf.Variable([1.0, 2.0, 3.0])
        with tf.GradientTape() as tape:
            y = np.square(w)
            for i in range(3):
                if y[i] > 0.5:
                    best = y[i]
            loss = best * 2.0
        print(tape.gradient(loss, w))
        """)
    path = Path("m.py")
    result = rewrite({path: text})
    assert result.texts[path] == text.replace("np.square", "tf.square")
    assert [declined.reason for declined in result.declined[path]] == [
        "`best` may have no value where no branch gives it one"
    ]
    assert [finding.code for finding in result.fixed[path]] == ["TGF101"]
