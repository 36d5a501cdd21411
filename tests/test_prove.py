"""Changes are proven by the scripts that use them; those that fail are taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfgradfix.model import Extent, FileOutcome, Finding, Level, Position, Report, Span
from tfgradfix.prove import prove, scripts
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


def test_a_changed_file_is_run_through_the_scripts_that_import_it(tmp_path: Path) -> None:
    helper = outcome(tmp_path / "helper.py", "x = 1\n", "x = 2\n")
    first = outcome(tmp_path / "first.py", "import helper\n")
    second = outcome(tmp_path / "second.py", "import middle\n", "import middle  #\n")
    middle = outcome(tmp_path / "middle.py", "from helper import x\n")
    alone = outcome(tmp_path / "alone.py", "x = 1\n", "x = 2\n")
    idle = outcome(tmp_path / "idle.py", "x = 1\n")
    assert scripts(Report((helper, first, second, middle, alone, idle))) == {
        first.path: (helper.path,),
        second.path: (helper.path, second.path),
        alone.path: (alone.path,),
    }


def test_files_that_import_each_other_are_run_themselves(tmp_path: Path) -> None:
    one = outcome(tmp_path / "one.py", "import two\n", "import two  #\n")
    two = outcome(tmp_path / "two.py", "import one\n")
    assert scripts(Report((one, two))) == {one.path: (one.path,)}


def test_nothing_changed_needs_no_proof(tmp_path: Path) -> None:
    report = Report((outcome(tmp_path / "idle.py", "x = 1\n"),))
    assert prove(report, python=None, timeout=1.0) == (report, ())


def test_what_cannot_be_run_is_not_proven(tmp_path: Path) -> None:
    report = Report((outcome(tmp_path / "train.py", "x = 1\n", "x = 2\n"),))
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
    helper = outcome(tmp_path / "helper.py", HELPER.format("w.numpy()"), HELPER.format("w"))
    report, (proof,) = prove(Report((helper,)), python=None, timeout=120.0)
    assert report.files[0].after == helper.after
    assert (proof.proven, proof.rejected) == (False, None)
    assert "helper.py: unproven" in plain(proof_lines([proof]))
