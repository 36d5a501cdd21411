"""NumPy functions that are handed on are renamed where they are named, and refused where data gets them too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest
from tfgradfix_codemods.numpy_function_value import NumpyFunctionValueCommand

from tests.analyse.tables import HEAD
from tests.helpers import rewritten
from tfgradfix.analyse import analyse
from tfgradfix.analyse.facts.rows import row
from tfgradfix.analyse.function_values import NAMED
from tfgradfix.model import Level

RENAMED = [
    pytest.param('ACT = {"tanh": «np.tanh»}\n', "tanh", 'ACT = {"tanh": tf.tanh}\n', id="in a dict"),
    pytest.param("f = partial(«np.maximum», 0.0)\n", "maximum", "f = partial(tf.maximum, 0.0)\n", id="partial"),
    pytest.param("y = map(«exp», x)\n", "exp", "y = map(tf.exp, x)\n", id="an imported name"),
    pytest.param("def f(x, act=«np.log1p»): ...\n", "math.log1p", "def f(x, act=tf.math.log1p): ...\n", id="a default"),
]
TAPE = "with tf.GradientTape() as tape:\n    loss = tf.reduce_sum(f(w))\ntape.gradient(loss, w)\n"
REFUSED = [
    pytest.param("f = np.tanh\nprint(f(x))\n", "given data", id="data gets it too"),
    pytest.param(
        "from functools import partial\nf = partial(np.clip, a_min=0.0, a_max=1.0)\n",
        "same arguments",
        id="other arguments",
    ),
]


@pytest.mark.parametrize(("before", "function", "after"), RENAMED)
def test_renamed(before: str, function: str, after: str) -> None:
    assert rewritten(NumpyFunctionValueCommand, before, facts={"function": function}) == after


@pytest.mark.parametrize(("program", "reason"), REFUSED)
def test_refused(program: str, reason: str) -> None:
    from pathlib import Path

    found = analyse({Path("main.py"): HEAD + program + TAPE})[Path("main.py")]
    assert [finding.level for finding in found] == [Level.MANUAL]
    assert reason in found[0].message


@pytest.mark.parametrize(
    ("symbol", "function"),
    [("numpy.tanh", "tanh"), ("numpy.log1p", "math.log1p"), ("numpy.clip", None), ("numpy.hypot", None)],
)
def test_the_function_with_the_same_arguments(symbol: str, function: str | None) -> None:
    known = row(symbol)
    assert known is not None
    assert known.function == function


@pytest.mark.slow
@pytest.mark.parametrize("symbol", sorted(NAMED))
def test_the_function_of_another_name_is_the_same(symbol: str) -> None:
    tf = pytest.importorskip("tensorflow")
    ours, theirs = reached(tf, NAMED[symbol]), getattr(np, symbol.removeprefix("numpy."))
    count = 1 if (isinstance(theirs, np.ufunc) and theirs.nin == 1) or symbol == "numpy.sinc" else 2
    given = [tf.Variable([0.3, 1.2]), tf.Variable([0.7, 1.4])][:count]
    with tf.GradientTape() as tape:
        value = ours(*given)
    arrays = [one.numpy() for one in given]
    np.testing.assert_allclose(value, theirs(*arrays), rtol=1e-5)
    for number, gradient in enumerate(tape.gradient(value, given)):
        step = np.zeros_like(arrays[number], dtype="float64") + 1e-6
        ahead, behind = (
            theirs(*(one.astype("float64") + sign * step * (i == number) for i, one in enumerate(arrays)))
            for sign in (1.0, -1.0)
        )
        np.testing.assert_allclose(gradient, (ahead - behind) / 2e-6, rtol=1e-3)


def reached(module: Any, name: str) -> Callable[..., Any]:
    """What a dotted name reaches from a module."""
    for part in name.split("."):
        module = getattr(module, part)
    return cast("Callable[..., Any]", module)
