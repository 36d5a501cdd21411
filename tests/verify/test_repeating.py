"""Programs that are not the same when they are run again in one process are checked in forks, and rightly."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tfgradfix.verify import version_of
from tfgradfix.verify.run import check_numbers

pytestmark = [pytest.mark.slow, pytest.mark.runs_tensorflow]

PLAIN = """
import numpy as np, tensorflow as tf
factor = 1.0
"""
#: Another program when it is run again in the same process.
LEAVES_SOMETHING = """
import numpy as np, tensorflow as tf
np.runs = getattr(np, "runs", 0.0) + 1.0
factor = np.runs
"""
#: Cannot be run again in the same process: the name is taken.
RUNS_ONCE = """
import numpy as np, tensorflow as tf
tf.RegisterGradient("OnceOnly")(lambda operation, gradient: gradient)
factor = 1.0
"""
#: A helper that remembers is loaded anew for each run.
REMEMBERS = """
import numpy as np, tensorflow as tf
import helper
factor = helper.next_number()
"""
#: Goes on for ever when its bare except has swallowed what would end a run.
SWALLOWS = """
import numpy as np, tensorflow as tf
factor = 1.0
def forever():
    while True:
        pass
"""
IDS = ("plain", "leaves something", "runs once", "remembers", "swallows")
ENDING = """
w = tf.Variable([1.5, -2.0])
def step():
    with tf.GradientTape() as tape:
        loss = factor * tf.reduce_sum({term})
    return tape.gradient(loss, w)
for _ in range(2):
    try:
        w.assign_sub(0.1 * step())
    except:
        forever() if "forever" in globals() else None
"""


@pytest.mark.parametrize("beginning", [PLAIN, LEAVES_SOMETHING, RUNS_ONCE, REMEMBERS, SWALLOWS], ids=IDS)
@pytest.mark.parametrize(
    ("term", "outcome"), [("w * w", "agrees"), ("w * w.read_value().numpy()", "differs")], ids=["right", "half"]
)
def test_it_is_checked_rightly(python: Path, tmp_path: Path, beginning: str, term: str, outcome: str) -> None:
    script = tmp_path / "program.py"
    script.write_text(dedent(beginning + ENDING.format(term=term)))
    (tmp_path / "helper.py").write_text(
        "made = []\ndef next_number():\n    made.append(1)\n    return float(len(made))\n"
    )
    found = check_numbers(version_of(script), python=python)
    assert [each.outcome for each in found] == [outcome]
