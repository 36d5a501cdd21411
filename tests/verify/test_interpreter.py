"""Which interpreter is taken."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from tfgradfix.verify import HarnessError
from tfgradfix.verify.interpreter import find_python


def environment(folder: Path, *, tensorflow: bool) -> Path:
    """A folder that looks like a virtual environment, with an interpreter that has TensorFlow or not."""
    python = folder / "bin" / "python"
    python.parent.mkdir(parents=True)
    (folder / "pyvenv.cfg").touch()
    python.write_text(f"#!/bin/sh\nexit {int(not tensorflow)}\n")
    python.chmod(0o755)
    return python


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """No TensorFlow in this interpreter, no other environment in sight."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", "")
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)


def test_the_users_choice_is_taken_or_refused(tmp_path: Path) -> None:
    python = environment(tmp_path / "one", tensorflow=True)
    assert find_python(tmp_path, python) == python
    with pytest.raises(HarnessError, match="cannot import tensorflow"):
        find_python(tmp_path, environment(tmp_path / "two", tensorflow=False))
    with pytest.raises(HarnessError, match="not a program"):
        find_python(tmp_path, tmp_path / "none")


def test_own_interpreter_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Spec:
        origin = "tensorflow/__init__.py"

    monkeypatch.setattr(importlib.util, "find_spec", lambda name: Spec)
    assert find_python(tmp_path) == Path(sys.executable)


@pytest.mark.usefixtures("bare")
def test_environment_of_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = environment(tmp_path / ".venv", tensorflow=True)
    (tmp_path / "deep" / "down").mkdir(parents=True)
    assert find_python(tmp_path / "deep" / "down") == python
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "active"))
    assert find_python(tmp_path) == python
    active = environment(tmp_path / "active", tensorflow=True)
    assert find_python(tmp_path) == active


@pytest.mark.usefixtures("bare")
def test_none_found(tmp_path: Path) -> None:
    environment(tmp_path / "venv", tensorflow=False)
    with pytest.raises(HarnessError, match=r"looked at .*venv/bin/python.*--python"):
        find_python(tmp_path)
