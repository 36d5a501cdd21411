"""Reports to open in a browser."""

from __future__ import annotations

from pathlib import Path

from tfgradfix.config import Settings
from tfgradfix.pipeline import examine
from tfgradfix.report.migration import Migration
from tfgradfix.report.publish import publish

_HEAD = "import numpy as np\nimport tensorflow as tf\n"
_CUT = """

w{0} = tf.Variable({0}.0)
with tf.GradientTape() as tape:
    scaled{0} = tf.exp(w{0}) * 2.0
    loss{0} = np.square(scaled{0} * {0}.5)
print(tape.gradient(loss{0}, w{0}))
"""


def large_page(folder: Path, files: int, cuts: int) -> Path:
    """The page of a migration that was not proven, of so many files with so many findings each."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(files):
        text = _HEAD + "".join(_CUT.format(cut) for cut in range(1, cuts + 1))
        (folder / f"train_{number:04}.py").write_text(text, encoding="utf-8")
    report = examine([folder], Settings())
    assert len(report.findings) == files * cuts
    return publish(Migration(folder, report, verified=False), folder / "report")[0]
