"""What the tests of the migration share: repositories, and the command in them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

BROKEN = """\
import tensorflow as tf

w = tf.Variable({number}.0)
with tf.GradientTape() as tape:
    loss = tf.square(w.numpy() * 3.0)
print(tape.gradient(loss, w))
"""
ROOT = Path(__file__).resolve().parent.parent.parent


def git(folder: Path, *arguments: str) -> str:
    """One git command; no setting of the user's own gets into it."""
    about = ("-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "protocol.file.allow=always")
    done = subprocess.run(["git", "-C", str(folder), *about, *arguments], check=True, capture_output=True, text=True)
    return done.stdout


def fill(folder: Path, files: int) -> None:
    """So many files with one cut each."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(files):
        (folder / f"train_{number:03}.py").write_text(BROKEN.format(number=number + 1))


def broken(number: int) -> bytes:
    """The old bytes of one of these."""
    return BROKEN.format(number=number).encode()


def mended(number: int) -> bytes:
    """The new bytes of one of these."""
    return broken(number).replace(b"w.numpy()", b"w")


def environment() -> dict[str, str]:
    """That of a process which runs the command from this checkout."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "codemods")])}


def command(*arguments: str) -> list[str]:
    """The command line of the tool."""
    return [sys.executable, "-m", "tfgradfix", *arguments]


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command in ``folder``."""
    return subprocess.run(
        command(*arguments), cwd=folder, check=False, capture_output=True, text=True, env=environment()
    )


@pytest.fixture
def repository(tmp_path: Path) -> Callable[[int], Path]:
    """Makes a repository in which so many broken files are committed."""

    def make(files: int) -> Path:
        folder = tmp_path / "repository"
        fill(folder, files)
        git(folder, "init", "--quiet")
        git(folder, "add", "--all")
        git(folder, "commit", "--quiet", "-m", "as it was")
        return folder

    return make
