"""Every codemod runs by itself under LibCST's own runner."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from libcst.tool import main

from tfgradfix.rewrite.registry import commands, entries

ROOT = Path(__file__).resolve().parent.parent
MODULES = {known.code: known.module for known in entries()}

BEFORE = """\
import numpy as np
import tensorflow as tf

w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    loss = np.mean(np.square(w.numpy()))
print(tape.gradient(loss, w))
"""
AFTER = BEFORE.replace("np.mean(np.square(", "tf.reduce_mean(tf.square(")


def tool(*arguments: str, folder: Path, text: str | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "codemods")])}
    command = [sys.executable, "-m", "libcst.tool", *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, input=text, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.parametrize("code", sorted(commands()))
def test_each_runs_on_a_healthy_file(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    healthy = "import tensorflow as tf\n\nprint(tf.ones(3))\n"
    (tmp_path / "a.py").write_text(healthy)
    monkeypatch.chdir(tmp_path)
    name = f"tfgradfix_codemods.{MODULES[code]}.{commands()[code].__name__}"
    assert main("libcst.tool", ["codemod", "--no-format", "-x", name, "a.py"]) == 0
    assert (tmp_path / "a.py").read_text() == healthy


def test_by_full_name_without_a_configuration(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BEFORE)
    done = tool(
        "codemod", "--no-format", "-x", "tfgradfix_codemods.numpy_call.NumpyCallCommand", "a.py", folder=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.py").read_text() == AFTER


def test_by_short_name_with_the_configuration(tmp_path: Path) -> None:
    (tmp_path / ".libcst.codemod.yaml").write_text((ROOT / ".libcst.codemod.yaml").read_text())
    package = tmp_path / "app"
    package.mkdir()
    (package / "a.py").write_text(BEFORE)
    (package / "b.py").write_text("print('two'\n")
    done = tool("codemod", "numpy_call.NumpyCallCommand", "app", folder=tmp_path)
    # The file that is not Python is reported by LibCST; the other one is done.
    assert done.returncode == 1
    assert "Failed to codemod 1 files" in done.stderr
    assert (package / "a.py").read_text() == AFTER


def test_standard_input() -> None:
    done = tool("codemod", "numpy_call.NumpyCallCommand", "-", folder=ROOT, text=BEFORE)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{AFTER}\n"


def test_a_refusal_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BEFORE.replace("square(w.numpy())", "square(w.numpy(), **{})"))
    done = tool(
        "codemod", "--no-format", "-x", "tfgradfix_codemods.numpy_call.NumpyCallCommand", "a.py", folder=tmp_path
    )
    assert "TGF101 numpy-call left alone:" in done.stderr


def test_the_list_names_every_command_and_no_base_class() -> None:
    done = tool("list", folder=ROOT)
    assert done.returncode == 0, done.stderr
    listed = {line.partition(" - ")[0] for line in done.stdout.splitlines() if "Command - " in line}
    assert listed == {f"{MODULES[code]}.{command.__name__}" for code, command in commands().items()}
