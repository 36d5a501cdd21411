"""Which interpreter runs the user's programs: one that has TensorFlow, whatever else it lacks."""

from __future__ import annotations

import functools
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tfgradfix.verify.records import HarnessError

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Asks for the import and not for a distribution: tensorflow-cpu, -macos and nightly builds give the same package.
_QUESTION: Final = (
    "import importlib.util as u, sys; s = u.find_spec('tensorflow'); sys.exit(s is None or s.origin is None)"
)
_FOLDERS: Final = (".venv", "venv", "env")


def find_python(folder: Path, python: Path | None = None) -> Path:
    """The interpreter for a program in ``folder``.

    Args:
        folder: where the program lies; environments are looked for here and above.
        python: the user's choice, which is taken or refused, never replaced.

    Raises:
        HarnessError: the chosen interpreter, or every one found, lacks TensorFlow.
    """
    if python is not None:
        found = shutil.which(python)
        if found is None:
            raise HarnessError(f"{python} is not a program that can be run")
        if not _has_tensorflow(Path(found)):
            raise HarnessError(f"{python} cannot import tensorflow")
        return Path(found).absolute()
    spec = importlib.util.find_spec("tensorflow")
    if spec is not None and spec.origin is not None:
        return Path(sys.executable)
    tried = []
    for candidate in _candidates(folder):
        tried.append(str(candidate))
        if _has_tensorflow(candidate):
            return candidate
    looked = f"; looked at {', '.join(tried)}" if tried else ""
    raise HarnessError(f"no interpreter with TensorFlow found{looked}: name one with --python")


def _candidates(folder: Path) -> Iterator[Path]:
    """Interpreters in the order in which the user would expect them to be taken."""
    environments = [Path(os.environ[name]) for name in ("VIRTUAL_ENV", "CONDA_PREFIX") if os.environ.get(name)]
    environments += [above / name for above in (folder, *folder.parents) for name in _FOLDERS]
    for environment in environments:
        python = environment / "bin" / "python"
        if python.exists() and any((environment / mark).exists() for mark in ("pyvenv.cfg", "conda-meta")):
            yield python
    for name in ("python", "python3"):
        found = shutil.which(name)
        if found is not None:
            yield Path(found)


@functools.cache  # the question costs as much as a small program, and a repository asks it for each of its scripts
def _has_tensorflow(python: Path) -> bool:
    try:
        asked = subprocess.run([python, "-c", _QUESTION], capture_output=True, timeout=30, check=False, cwd="/")
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0
