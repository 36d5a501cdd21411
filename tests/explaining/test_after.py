"""What `fix --verify` and `verify` say of a gradient that is still None after the repair."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tfgradfix.config import Settings
from tfgradfix.pipeline import examine
from tfgradfix.prove import prove
from tfgradfix.report.text import plain
from tfgradfix.report.verdict import proof_lines

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.runs_tensorflow, pytest.mark.slow]

#: The analysis repairs the first cut and cannot know of the second, whose name is put together.
TEXT = """\
import numpy as np
import tensorflow as tf

w = tf.Variable([1.1, 2.3])
rounding = getattr(tf, "fl" + "oor")
with tf.GradientTape() as tape:
    square = np.square(w * 2.0)
    loss = tf.reduce_mean(rounding(square))
print(tape.gradient(loss, w))
"""


def test_what_is_left_is_explained_and_compared(python: Path, tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(TEXT)
    report = examine([script], Settings())
    assert report.files[0].after is not None
    report, (proof,) = prove(report, python=python, timeout=60.0)
    assert not proof.proven
    assert proof.rest is not None
    assert [(each.code, each.span.start.row) for each in proof.rest.apart.run_only] == [("TGF401", 8)]
    assert not proof.rest.apart.static_only
    told = plain(proof_lines([proof]))
    assert "train.py:8  TGF401 Floor has no gradient\n      loss = tf.reduce_mean(rounding(square))" in told
    assert told.index("still None") < told.index("With this change") < told.index("Seen by the run")
    assert script.read_text() == TEXT
