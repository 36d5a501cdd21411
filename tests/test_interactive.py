"""``fix --interactive`` in a real terminal: every answer, every way out, every kind of window."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.migrate.conftest import environment
from tests.terminal import Terminal, uncoloured
from tests.test_cli import run

pytestmark = pytest.mark.slow

PROGRAMS = Path(__file__).parent / "programs"
QUESTION = "[y,n,a,d,q,e,?]? "
HELPER = """\
import numpy as np


def loss_of(y):
    return np.mean(y * y)
"""
ACROSS = """\
import tensorflow as tf
from helper import loss_of

w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    loss = loss_of(w.numpy())
print(tape.gradient(loss, w))
"""
#: Two fixes in one file, which both need the import of TensorFlow.
TWO = """\
import numpy as np
from tensorflow import GradientTape, Variable

v, w = Variable(2.0), Variable(3.0)


def first():
    with GradientTape() as tape:
        loss = np.square(v * 3.0)
    return tape.gradient(loss, v)


def second():
    with GradientTape() as tape:
        loss = np.square(w * 3.0)
    return tape.gradient(loss, w)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three fixes: one in two modules, two in a third."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "across.py").write_text(ACROSS)
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "two.py").write_text(TWO)
    return tmp_path


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.glob("*.py")}


def answered(folder: Path, *answers: str) -> tuple[int, str]:
    """Give ``answers``, each to a question; the exit status, and all that was shown, without colours."""
    terminal = Terminal(folder, "fix", "--interactive", ".")
    for answer in answers:
        terminal.until(QUESTION)
        terminal.answer(answer)
    status, _ = terminal.end()
    return status, uncoloured(terminal.seen)


def test_the_hunks_of_a_unit_go_together(folder: Path) -> None:
    status, shown = answered(folder, "y", "n", "n")
    assert status == 1
    assert contents(folder) == {
        "across.py": ACROSS.replace("w.numpy()", "w"),
        "helper.py": HELPER.replace("as np", "as np\nimport tensorflow as tf").replace("np.mean", "tf.reduce_mean"),
        "two.py": TWO,
    }
    first = shown.partition(QUESTION)[0]
    assert "--- a/across.py\n" in first
    assert "--- a/helper.py\n" in first
    assert "--- a/two.py\n" not in first
    assert shown.endswith("Found 4 findings in 3 files: 2 fixed, 2 left.\n")


def test_what_two_fixes_need_comes_with_either(folder: Path) -> None:
    status, _ = answered(folder, "n", "n", "y")
    assert status == 1
    assert contents(folder) == {
        "across.py": ACROSS,
        "helper.py": HELPER,
        "two.py": TWO.replace("np.square(w", "tf.square(w").replace("as np\n", "as np\nimport tensorflow as tf\n"),
    }


def test_what_is_different_without_a_fix_is_asked_again(tmp_path: Path) -> None:
    (tmp_path / "train.py").write_bytes((PROGRAMS / "pump-station-comprehension" / "before.py").read_bytes())
    terminal = Terminal(tmp_path, "fix", "--interactive", ".", columns=160)
    first = uncoloured(terminal.until(QUESTION))
    # The lines that bring in what both fixes use are shown with each.
    assert "+        targets = [" in first
    assert "+        targets_2 = [" in first
    terminal.answer("n")
    terminal.until(QUESTION)
    terminal.answer("y")
    again = uncoloured(terminal.until(QUESTION))
    assert "Without what you left out, this is different:\n" in again
    assert "targets_2" not in again
    terminal.answer("y")
    assert terminal.end()[0] == 1
    written = (tmp_path / "train.py").read_text()
    assert "for p, target in targets}" in written
    assert "tape.gradient(cost[p], variables)" in written


def test_all_of_it_is_what_fix_does(folder: Path) -> None:
    status, shown = answered(folder, "y", "a")
    assert status == 0
    assert shown.endswith("Found 4 findings in 3 files: 4 fixed, 0 left.\n")
    chosen = contents(folder)
    for name, text in (("across.py", ACROSS), ("helper.py", HELPER), ("two.py", TWO)):
        (folder / name).write_text(text)
    assert run("fix", ".").exit_code == 0
    assert contents(folder) == chosen


def test_a_and_d_are_for_the_files_of_the_fix(folder: Path) -> None:
    status, _ = answered(folder, "d", "d")
    assert status == 1
    assert contents(folder) == {"across.py": ACROSS, "helper.py": HELPER, "two.py": TWO}


def test_q_keeps_what_was_answered(folder: Path) -> None:
    status, _ = answered(folder, "y", "q")
    assert status == 1
    assert contents(folder)["across.py"] == ACROSS.replace("w.numpy()", "w")
    assert contents(folder)["two.py"] == TWO


def test_help_and_explanation_ask_again(folder: Path) -> None:
    status, shown = answered(folder, "?", "e", "", "who knows", "q")
    assert status == 1
    after_help, after_rule, *others = shown.split("(1/3) Apply this fix ")[1:]
    assert "d - leave it and all later ones in these files\n" in after_help
    assert "TGF101 numpy-call\n" in after_rule
    assert "TGF103 numpy-detach\n" in after_rule
    assert ["? - print help\n" in other for other in others] == [True, True, False]


@pytest.mark.parametrize("key", ["c", "d"])
def test_going_away_leaves_all_as_it_is(folder: Path, key: str) -> None:
    terminal = Terminal(folder, "fix", "--interactive", ".")
    terminal.until(QUESTION)
    terminal.answer("y")
    terminal.until(QUESTION)
    terminal.key(key)
    status, shown = terminal.end()
    assert (status, "Traceback" in shown) == (130, False)
    assert "tfgradfix: stopped before the last answer: every file is as it was" in shown
    assert contents(folder) == {"across.py": ACROSS, "helper.py": HELPER, "two.py": TWO}


@pytest.mark.parametrize(
    ("columns", "about"),
    [(40, {"NO_COLOR": "1"}), (40, {"TERM": "screen"}), (80, {"TERM": "dumb"}), (20, {"TERM": "vt100", "LC_ALL": "C"})],
)
def test_any_window(folder: Path, columns: int, about: dict[str, str]) -> None:
    terminal = Terminal(folder, "fix", "-i", "two.py", columns=columns, rows=12, about=about)
    shown = terminal.until(QUESTION)
    assert ("\x1b[" in shown) == ("NO_COLOR" not in about and about.get("TERM") != "dumb")
    terminal.answer("?")
    assert all(len(line) <= columns for line in uncoloured(terminal.until("- print help")).split("\n")[1:])
    terminal.until(QUESTION)
    terminal.answer("a")
    assert terminal.end()[0] == 0
    assert "tf.square(w * 3.0)" in contents(folder)["two.py"]


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")
def test_in_tmux(folder: Path) -> None:
    tmux = ["tmux", "-S", str(folder / "socket"), "-f", "/dev/null"]
    line = f"{sys.executable} -m tfgradfix fix -i two.py; echo status $?; sleep 60"
    subprocess.run(
        [*tmux, "new-session", "-d", "-x", "40", "-y", "20", line], check=True, cwd=folder, env=environment()
    )
    try:
        for answer, expected in (("y", "(1/2)"), ("n", "(2/2)"), ("", "status 1")):
            for _ in range(300):
                pane = subprocess.run([*tmux, "capture-pane", "-p"], check=True, capture_output=True, text=True).stdout
                if expected in pane:
                    break
                subprocess.run(["sleep", "0.1"], check=True)
            assert expected in pane
            subprocess.run([*tmux, "send-keys", answer, "Enter"], check=True)
    finally:
        subprocess.run([*tmux, "kill-server"], check=True)
    assert contents(folder)["two.py"].count("tf.square") == 1


def test_a_file_that_is_edited_meanwhile_is_not_written(folder: Path) -> None:
    terminal = Terminal(folder, "fix", "-i", "two.py")
    terminal.until(QUESTION)
    (folder / "two.py").write_text(TWO + "# edited\n")
    terminal.answer("a")
    status, shown = terminal.end()
    assert status == 2
    assert "two.py: not written: the file has changed since it was read" in shown
    assert contents(folder)["two.py"] == TWO + "# edited\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((".",), "this is none: run it in one, or see the changes with --diff"),
        (("-",), "give a file or a folder instead of -"),
        ((".", "--diff"), "leave --diff out"),
    ],
)
def test_where_nobody_can_be_asked(folder: Path, arguments: tuple[str, ...], told: str) -> None:
    result = run("fix", "--interactive", *arguments)
    assert result.exit_code == 2
    assert told in result.stderr
    assert contents(folder)["two.py"] == TWO
