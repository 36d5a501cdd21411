"""Changes are proven by the scripts that use them; those that fail are taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfgradfix.model import Extent, FileOutcome, Finding, Level, Position, Report, Span
from tfgradfix.prove import prove, unproven
from tfgradfix.report.text import plain
from tfgradfix.report.verdict import proof_lines

HELPER = "import tensorflow as tf\n\ndef loss(w):\n    return tf.square({})\n"
SCRIPT = (
    "import tensorflow as tf\nfrom helper import loss\nw = tf.Variable(3.0)\n"
    "with tf.GradientTape() as tape:\n    value = loss(w)\nprint(tape.gradient(value, w))\n"
)


def outcome(path: Path, before: str, after: str | None = None) -> FileOutcome:
    """One file, put on the disk as it was before."""
    path.write_text(before)
    span = Span(str(path), Position(4, 22), Position(4, 31))
    finding = Finding("TGF103", "numpy-detach", span, "cut", Level.SAFE, Extent.WHOLE)
    fixed = (finding,) if after else ()
    return FileOutcome(path, before.encode(), after.encode() if after else None, fixed, fixed)


def test_nothing_changed_needs_no_proof(tmp_path: Path) -> None:
    report = Report((outcome(tmp_path / "idle.py", "x = 1\n"),))
    assert prove(report, python=None, timeout=1.0) == (report, ())


def test_what_cannot_be_run_is_not_proven(tmp_path: Path) -> None:
    report = Report((outcome(tmp_path / "train.py", "print(1)\n", "print(2)\n"),))
    after, (proof,) = prove(report, python=tmp_path / "no-python", timeout=1.0)
    assert (after.files[0].after, after.files[0].fixed) == (None, ())
    assert after.files[0].declined[0].reason.startswith("the proof could not be run: ")
    assert not proof.proven
    assert "not run: " in plain(proof_lines([proof]))


@pytest.mark.runs_tensorflow
def test_a_right_change_in_a_helper_is_proven(tmp_path: Path) -> None:
    helper = outcome(tmp_path / "helper.py", HELPER.format("w.numpy()"), HELPER.format("w"))
    script = outcome(tmp_path / "train.py", SCRIPT)
    report, (proof,) = prove(Report((helper, script)), python=None, timeout=120.0)
    assert proof.proven
    assert report.files[0].after == helper.after
    assert helper.path.read_bytes() == helper.before
    text = plain(proof_lines([proof]))
    assert "train.py: proven\n" in text
    assert "train.py line 6 gradient: 1 of 1 None before, 0 of 1 after; target equal\n" in text


@pytest.mark.runs_tensorflow
def test_a_wrong_change_is_taken_back(tmp_path: Path) -> None:
    helper = outcome(tmp_path / "helper.py", HELPER.format("w.numpy()"), HELPER.format("w * 2.0"))
    script = outcome(tmp_path / "train.py", SCRIPT)
    report, (proof,) = prove(Report((helper, script)), python=None, timeout=120.0)
    assert proof.rejected
    changed = report.files[0]
    assert (changed.after, changed.fixed) == (None, ())
    assert changed.declined[0].reason.startswith("the repair failed its proof: ")
    assert "the change is not kept" in plain(proof_lines([proof]))


@pytest.mark.runs_tensorflow
def test_a_change_that_no_run_reaches_stays_and_is_not_proven(tmp_path: Path) -> None:
    text = "import tensorflow as tf\n\ndef loss(w, name: str):\n    return tf.square({})\n"
    helper = outcome(tmp_path / "helper.py", text.format("w.numpy()"), text.format("w"))
    report, (proof,) = prove(Report((helper,)), python=None, timeout=120.0)
    assert report.files[0].after == helper.after
    assert (proof.proven, proof.rejected, unproven([proof])) == (False, None, {helper.path})
    told = plain(proof_lines([proof]))
    assert "helper.py with generated inputs: unproven\n" in told
    assert "loss: TypeError: its argument name cannot be generated" in told
    assert 'call = "helper:loss"\n' in told
