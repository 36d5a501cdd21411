"""A helper that data uses too is copied for the gradient path."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from tfgradfix_codemods.shared_helper import SharedHelperCommand

from tests.helpers import refusal, rewritten
from tfgradfix.rewrite.apply import rewrite

CALLS = [
    pytest.param("y = «f(x)»\n", "y = f_tensor(x)\n", id="a name"),
    pytest.param("y = «ops.f(x)»\n", "y = ops.f_tensor(x)\n", id="a member"),
]

SHARED = """
import numpy as np
import tensorflow as tf


def shares(values):
    bumps = np.exp(-values)
    return bumps / bumps.sum()


wanted = shares(np.array([0.1, 0.9], dtype="float32"))
wanted[wanted < 0.2] = 0.0
w = tf.Variable([0.3, 0.4])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.abs(shares(w) - wanted))
slope = tape.gradient(loss, w)
"""


@pytest.mark.parametrize(("before", "after"), CALLS)
def test_the_call_goes_to_the_copy(before: str, after: str) -> None:
    assert rewritten(SharedHelperCommand, before, facts={"name": "f_tensor", "role": "call"}) == after


def test_the_import_brings_the_copy() -> None:
    facts = {"import:f": "yes", "import:h": "yes", "role": "import"}
    before = "«from ops import f, g, k as h»\n"
    after = "from ops import f, f_tensor, g, k as h, k_tensor as h_tensor\n"
    assert rewritten(SharedHelperCommand, before, facts=facts) == after


def test_a_wildcard_import_is_refused() -> None:
    facts = {"import:f": "yes", "role": "import"}
    assert "wildcard" in refusal(SharedHelperCommand, "«from ops import *»\n", facts=facts)


def test_the_data_side_keeps_its_helper() -> None:
    path = Path("shared.py")
    done = rewrite({path: SHARED}).texts[path]
    assert textwrap.dedent(SHARED).split("w = tf.Variable")[0].splitlines()[4:9] == done.splitlines()[4:9]
    assert "def shares_tensor(values):\n    bumps = tf.exp(-values)\n    return bumps / tf.reduce_sum(bumps)\n" in done
    assert "tf.abs(shares_tensor(w) - wanted)" in done
    assert "wanted = shares(np.array" in done
    assert not rewrite({path: done}).texts
