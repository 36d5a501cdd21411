"""Integer sources get a float dtype where they are made; what may be an index is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from tfgradfix_codemods.source_not_float import SourceNotFloatCommand

from tests.helpers import rewritten
from tfgradfix.analyse import analyse
from tfgradfix.model import Level

HEAD = "import tensorflow as tf\n"
MADE_FLOAT = [
    pytest.param(
        "w = «tf.Variable([1, 2])»\n", "float32", "w = tf.Variable([1, 2], dtype=tf.float32)\n", id="variable"
    ),
    pytest.param(
        "w = «tf.Variable(3, name='w')»\n", "float64", "w = tf.Variable(3, name='w', dtype=tf.float64)\n", id="keywords"
    ),
]
#: What follows the source; the level of the finding.
JUDGED = [
    pytest.param("loss = tf.reduce_sum(tf.cast(w, tf.float32))", Level.SAFE, id="cast"),
    pytest.param("loss = w * w + 3", Level.UNSAFE, id="arithmetic"),
    pytest.param("loss = tf.gather(table, w) + tf.cast(w, tf.float32)", Level.MANUAL, id="refused: an index"),
    pytest.param("loss = tf.cast(w * other, tf.float32)", Level.MANUAL, id="refused: meets another integer"),
    pytest.param("loss = tf.cast(w, tf.int64)", Level.MANUAL, id="refused: cast to an integer"),
]


@pytest.mark.parametrize(("before", "dtype", "after"), MADE_FLOAT)
def test_made_float(before: str, dtype: str, after: str) -> None:
    assert rewritten(SourceNotFloatCommand, before, facts={"dtype": dtype}) == after


@pytest.mark.parametrize(("statement", "level"), JUDGED)
def test_judged(statement: str, level: Level) -> None:
    text = (
        f"{HEAD}w = tf.Variable(3)\nother = tf.constant(2)\ntable = tf.ones([5])\n"
        f"with tf.GradientTape() as tape:\n    {statement}\nprint(tape.gradient(loss, w))\n"
    )
    found = [one for one in analyse({Path("main.py"): text})[Path("main.py")] if one.code == "TGF207"]
    assert [one.level for one in found] == [level]
