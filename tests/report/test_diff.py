"""Patches: git takes every one, and each hunk says what it is for."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tfgradfix.config import Settings
from tfgradfix.model import Extent, FileOutcome, Finding, Level, Position, Report, Span
from tfgradfix.pipeline import examine
from tfgradfix.report.changes import Changes
from tfgradfix.report.diff import report_diff
from tfgradfix.report.review import review_lines
from tfgradfix.report.text import plain

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))

HELPER = """\
import numpy as np


def loss_of(y):
    return np.mean(y * y)
"""
TRAIN = """\
import tensorflow as tf
from helper import loss_of

w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    loss = loss_of(w.numpy())
print(tape.gradient(loss, w))

v = tf.Variable(2.0)
with tf.GradientTape() as tape:
    loss = tf.square(v.numpy() * 3.0)
print(tape.gradient(loss, v))
"""


#: So that a repository above the folder has no say.
ALONE = {**os.environ, "GIT_CEILING_DIRECTORIES": "/"}


def finding(path: Path, row: int, unit: str) -> Finding:
    span = Span(str(path), Position(row, 1), Position(row, 2))
    return Finding("TGF101", "numpy-call", span, "made by hand", Level.SAFE, Extent.WHOLE, (), unit)


def applied(folder: Path, patch: bytes) -> None:
    """Let git apply ``patch``; with -p1 as usual, outside any repository."""
    subprocess.run(["git", "apply", "-"], cwd=folder, input=patch, check=True, env=ALONE)


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\r\n", "\n", "-- x\n", "++ y\n"]), max_size=24)


@settings(max_examples=60, deadline=None)
@given(before=LINES, after=LINES, last=st.sampled_from(["", "z"]), units=st.lists(st.sampled_from("uvw"), max_size=24))
def test_git_takes_hunks_kept_apart(before: list[str], after: list[str], last: str, units: list[str]) -> None:
    # Findings of several units stand on neighbouring lines, so that hunks have to share the lines between them.
    old, new = ("".join([*lines, last]).encode() for lines in (before, after))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "train.py"
        found = tuple(finding(path, row, unit) for row, unit in enumerate(units, 1))
        patch = report_diff(Report((FileOutcome(path, old, new, found, found),)), folder)
        path.write_bytes(old)
        # A file that comes or goes needs lines in a patch that no repair asks for.
        if old and new and old != new:
            applied(folder, patch)
            assert path.read_bytes() == new


def test_git_takes_the_patch_of_the_examples(tmp_path: Path) -> None:
    for example in EXAMPLES:
        (tmp_path / example.name).write_bytes(example.read_bytes())
    report = examine([tmp_path], Settings())
    applied(tmp_path, report_diff(report, tmp_path))
    changed = [file for file in report.files if file.after is not None]
    assert len(changed) > 5
    assert all(file.path.read_bytes() == file.after for file in changed)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "train.py").write_text(TRAIN)
    return tmp_path


def test_each_hunk_says_what_it_is_for(program: Path) -> None:
    heads = [
        line for line in report_diff(examine([program], Settings()), program).decode().splitlines() if "@@" in line
    ]
    assert [head.split(":")[0] for head in heads] == [
        "@@ -1,5 +1,6 @@ fix 1",
        "@@ -3,6 +3,6 @@ fix 1",
        "@@ -9,4 +9,4 @@ fix 2",
    ]
    assert " fix 1: TGF103 numpy-detach: `.numpy()` takes the value out of TensorFlow" in heads[1]
    path = "tf.Variable(2.0) (9) → CUT v.numpy() (11) → v.numpy() * 3.0 (11) → tf.square(v.numpy() * 3.0) (11)"
    assert heads[2].endswith(f" | {path}")


def test_a_person_sees_it_fix_by_fix(program: Path) -> None:
    shown = plain(review_lines(Changes(examine([program], Settings()), program)))
    first, second = shown.split("Fix 2 of 2\n")
    assert first.startswith("Fix 1 of 2\n--- a/helper.py\n+++ b/helper.py\n@@ ")
    assert "--- a/train.py\n" in first
    assert "-    loss = loss_of(w.numpy())\n+    loss = loss_of(w)\n" in first
    assert "v.numpy() * 3.0)\n+" not in first
    assert "-    loss = tf.square(v.numpy() * 3.0)\n+    loss = tf.square(v * 3.0)\n" in second


def changes_of(folder: Path, before: str, after: str, *rows: int) -> list[str]:
    """The new lines of each change, where a fix unit of its own has a finding on each of ``rows``."""
    path = folder / "train.py"
    found = tuple(finding(path, row, f"unit {row}") for row in rows)
    report = Report((FileOutcome(path, before.encode(), after.encode(), found, found),))
    return ["".join(block.text for block in change.blocks) for change in Changes(report, folder).all]


def test_mended_lines_side_by_side_are_changes_of_their_own(tmp_path: Path) -> None:
    before, after = "a = np.mean(x)\nb = np.sum(y)\n", "a = tf.reduce_mean(x)\nb = tf.reduce_sum(y)\n"
    assert changes_of(tmp_path, before, after, 1, 2) == ["a = tf.reduce_mean(x)\n", "b = tf.reduce_sum(y)\n"]


def test_other_lines_in_their_place_are_one_change(tmp_path: Path) -> None:
    before, after = "total = first(x)\nwhile more():\n", "while more():  # again\n    total = first(x)\n"
    assert changes_of(tmp_path, before, after, 1, 2) == [after]


def test_a_new_name_comes_with_every_change_that_uses_it(tmp_path: Path) -> None:
    before = "x = 1\n\n\na = np.mean(x)\n\n\n\nb = np.sum(y)\n\n\n\nc = z.numpy()\n"
    after = "import tensorflow as tf\n" + before.replace("np.mean", "tf.abs").replace("np.sum", "tf.exp")
    found = changes_of(tmp_path, before, after.replace(".numpy()", ""), 4, 8, 12)
    head = "import tensorflow as tf\n"
    assert found == [f"{head}a = tf.abs(x)\n", f"{head}b = tf.exp(y)\n", "c = z\n"]


def test_control_characters_do_not_reach_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    found = (finding(path, 1, "u"),)
    report = Report((FileOutcome(path, b"a\x1b[2K\r\n\xff\n", b"b\x1b[2K\r\n\xff\n", found, found),))
    shown = plain(review_lines(Changes(report, tmp_path)))
    assert shown.endswith("\n-a␛[2K\n+b␛[2K\n \\xff\n\n")
