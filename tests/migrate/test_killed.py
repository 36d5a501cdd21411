"""Killed at any moment, every file is whole, and the next start finishes the run or takes it back.

TFGRADFIX_KILLS and TFGRADFIX_KILL_FILES make the test longer: see ``make kill-test``.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.migrate.conftest import broken, command, environment, fill, git, mended, run

KILLS = int(os.environ.get("TFGRADFIX_KILLS", "8"))
FILES = int(os.environ.get("TFGRADFIX_KILL_FILES", "40"))
#: So many kills may come too late before the test gives up.
MORE = 20
ARGUMENTS = ("migrate", "--no-verify")


def killed(folder: Path, delay: float, *, file: int | None = None) -> None:
    """Start a run and kill it so long after its start, or after it told that it comes to the file of this number."""
    child = subprocess.Popen(
        command(*ARGUMENTS), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment()
    )
    with child:
        assert child.stderr is not None
        if file is not None:
            next((line for line in child.stderr if line.startswith(f"writing {file}/")), None)
        time.sleep(delay)
        child.send_signal(signal.SIGKILL)


def contents(folder: Path) -> list[str]:
    """Which version each file holds; fails on any other content."""
    found = []
    for number in range(FILES):
        data = (folder / f"train_{number:03}.py").read_bytes()
        assert data in (broken(number + 1), mended(number + 1)), f"train_{number:03}.py is neither old nor new"
        found.append("old" if data == broken(number + 1) else "new")
    return found


def seconds_of_a_run(folder: Path) -> tuple[float, float]:
    """How long a whole run takes, and its writing alone."""
    start = time.monotonic()
    with subprocess.Popen(
        command(*ARGUMENTS), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment()
    ) as child:
        assert child.stderr is not None
        next(line for line in child.stderr if line.startswith("writing"))
        writing = time.monotonic()
        next(line for line in child.stderr if line.startswith(f"writing {FILES}/"))
        written = time.monotonic()
        child.stderr.read()
    return time.monotonic() - start, written - writing


@pytest.mark.slow
def test_no_moment_of_a_kill_loses_a_byte(repository: Callable[[int], Path]) -> None:
    folder = repository(FILES)
    whole, writing = seconds_of_a_run(folder)
    moments = random.Random(5)
    seen: Counter[str] = Counter()
    # Where another process has the machine for itself at the wrong moment, a kill comes late: then there are more.
    while seen.total() < KILLS or (not seen["half way"] and seen.total() < KILLS + MORE):
        shutil.rmtree(folder / ".tfgradfix")
        fill(folder, FILES)
        # Every other kill falls among the writes, which are the smaller part of a run.
        if seen.total() % 2 == 0:
            killed(folder, moments.uniform(0, writing / FILES), file=moments.randint(1, FILES * 3 // 4))
        else:
            killed(folder, moments.uniform(0, whole))
        seen[ends_right(folder, "undo" if moments.random() < 0.5 else "resume")] += 1
    print(f"{seen.total()} kills over {FILES} files ({whole:.1f} s a run, {writing:.2f} s of it writing): {dict(seen)}")  # noqa: T201  # the measure that the long run is made for
    assert seen["half way"]


def ends_right(folder: Path, way: str) -> str:
    """Go on from a kill by ``way``, hold the end to what it must be, and tell how far the run had come."""
    held = Counter(contents(folder))
    assert not [name for name in os.listdir(folder) if not name.startswith(("train_", ".git", ".tfgradfix"))]
    again = run(folder, *ARGUMENTS, "--allow-dirty")
    if "interrupted" not in again.stderr:
        # Killed before the first write, or after the last one.
        assert set(contents(folder)) == {"new"}
        return "before" if held["old"] else "after"
    assert again.returncode == 2
    assert f"{held['new']} of its {FILES} files hold their repair, {held['old']} are as they were" in again.stderr
    ended = run(folder, "undo") if way == "undo" else run(folder, "migrate", "--resume")
    assert ended.returncode == 0, ended.stderr
    assert set(contents(folder)) == {"old" if way == "undo" else "new"}
    assert bool(git(folder, "status", "--porcelain")) == (way == "resume")
    return "half way"
