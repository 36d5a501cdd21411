"""What a person sees of a change on a terminal, and how the pager gets it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.migrate.conftest import broken, fill
from tests.terminal import Terminal, uncoloured

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    fill(tmp_path, 2)
    return tmp_path


def test_colours_and_the_place_of_the_pager(folder: Path) -> None:
    status, shown = Terminal(folder, "fix", "--diff", ".").end()
    assert status == 0
    assert "\x1b[31m-    loss = tf.square(w.numpy() * 3.0)" in shown
    plain = uncoloured(shown)
    assert "Fix 1 of 2\n--- a/train_000.py\n+++ b/train_000.py\n@@ -2,5 +2,5 @@ TGF103 numpy-detach: " in plain
    assert " | tf.Variable(1.0) (3) → CUT w.numpy() (5) → " in plain
    # The findings have been seen above, with their changes.
    assert plain.count("TGF103") == 2
    assert plain.endswith("\nFound 2 findings in 2 files: 2 can be fixed.\n")
    assert (folder / "train_000.py").read_bytes() == broken(1)


def test_no_color(folder: Path) -> None:
    _, shown = Terminal(folder, "fix", "--diff", ".", about={"NO_COLOR": "1"}).end()
    assert "\x1b" not in shown
    assert "-    loss = tf.square(w.numpy() * 3.0)\r\n+    loss = tf.square(w * 3.0)\r\n" in shown


@pytest.mark.parametrize("arguments", [("fix", "--diff", "."), ("migrate", "--dry-run", "--no-verify", ".")])
def test_the_users_pager_gets_it(folder: Path, arguments: tuple[str, ...]) -> None:
    _, shown = Terminal(folder, *arguments, about={"PAGER": "cat > paged.txt"}).end()
    assert "Fix 2 of 2\n" in uncoloured((folder / "paged.txt").read_text())
    assert "Fix 2 of 2" not in shown


def test_a_pager_that_is_not_there(folder: Path) -> None:
    status, shown = Terminal(folder, "fix", "--diff", ".", about={"PAGER": "no-such-pager"}).end()
    assert status == 0
    assert "Fix 2 of 2" in uncoloured(shown)


def test_a_pager_that_is_left_at_once(folder: Path) -> None:
    status, shown = Terminal(folder, "fix", "--diff", ".", about={"PAGER": "true"}).end()
    assert status == 0
    assert "Traceback" not in shown


@pytest.mark.skipif(shutil.which("less") is None, reason="less is not installed")
def test_less_scrolls_and_the_interrupt_key_is_its_own(folder: Path) -> None:
    terminal = Terminal(folder, "fix", "--diff", ".", rows=8, about={"PAGER": "less"})
    terminal.until("Fix 1 of 2")
    terminal.key("c")
    terminal.answer("G")
    terminal.until("tf.Variable(2.0)")
    terminal.child.send("q")
    status, shown = terminal.end()
    assert status == 0
    assert "Found 2 findings in 2 files: 2 can be fixed." in shown


def test_a_log_of_lines_gets_the_patch(folder: Path) -> None:
    _, shown = Terminal(folder, "fix", "--diff", ".", about={"TERM": "dumb", "PAGER": "false"}).end()
    assert "--- a/train_000.py\r\n+++ b/train_000.py\r\n@@ -2,5 +2,5 @@ fix 1: TGF103" in shown
