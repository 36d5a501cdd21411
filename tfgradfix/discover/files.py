"""Paths become Python files, and bytes tell which of them a search can start in.

A folder is walked; what is plainly not the user's source is left out of it. A file that the user names is
always taken, whatever it is called and wherever it lies.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

#: Folders that hold no source of the user's own, wherever they stand.
SKIPPED_FOLDERS: Final = frozenset(
    {"__pycache__", "__pypackages__", "build", "dist", "node_modules", "site-packages", "venv", "virtualenv"}
)

#: The ends of the names of Python files and of notebooks.
SUFFIXES: Final = (".py", ".ipynb")

#: Names that only TensorFlow programs use.
_CERTAIN: Final = re.compile(rb"GradientTape|ForwardAccumulator|custom_gradient|y_pred")
#: Names at which a search can start, if the file has to do with TensorFlow at all.
_POSSIBLE: Final = re.compile(
    rb"\.\s*(?:gradient|gradients|jacobian|batch_jacobian|minimize|compute_gradients|get_gradients|apply_gradients|"
    rb"compile|fit|add_loss)\s*\(|\btrain_step\b|\bcompute_loss\b|\bdef\s+call\b|\bLambda\s*\(|"
    rb"(?:\bactivation|_regularizer)\s*=\s*[A-Za-z_]"
)
_TENSORFLOW: Final = re.compile(rb"tensorflow|\bkeras\b|\btf\b")


@dataclass(frozen=True)
class Found:
    """The files of a run, each once, and what could not be found.

    ``named`` are those of ``files`` that the user named one by one.
    """

    files: tuple[Path, ...]
    named: frozenset[Path]
    missing: tuple[tuple[Path, str], ...]


def find_files(paths: Sequence[Path], excluded: Callable[[Path], bool] | None = None) -> Found:
    """List the Python files and notebooks under ``paths``, in the order given, folders in the order of their names.

    Args:
        paths: files and folders.
        excluded: says of a file or folder met on the way that it is left out; not asked of what is named.
    """
    files: dict[Path, None] = {}
    named: set[Path] = set()
    missing: list[tuple[Path, str]] = []
    seen: set[Path] = set()
    for path in paths:
        if path.is_dir():
            found = list(_walk(path, excluded or (lambda _: False), path.resolve()))
        elif path.is_file():
            found = [path]
            named.add(path)
        else:
            missing.append((path, _why_missing(path)))
            continue
        for file in found:
            resolved = file.resolve()
            if resolved not in seen:
                seen.add(resolved)
                files[file] = None
    return Found(tuple(files), frozenset(named & files.keys()), tuple(missing))


def may_matter(data: bytes) -> bool:
    """Whether a search for a gradient path can start in a file with these bytes.

    Wrong only to the one side: a file that is set aside holds no gradient call, training step, loss or layer.
    """
    if _CERTAIN.search(data):
        return True
    return bool(_POSSIBLE.search(data) and _TENSORFLOW.search(data))


def _walk(folder: Path, excluded: Callable[[Path], bool], top: Path) -> Iterator[Path]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except PermissionError:
        return
    for entry in entries:
        path = folder / entry.name
        if entry.is_dir(follow_symlinks=False):
            if not _is_foreign(path) and not excluded(path):
                yield from _walk(path, excluded, top)
        elif entry.name.endswith(SUFFIXES) and entry.is_file() and not _met_elsewhere(path, top) and not excluded(path):
            yield path


def _met_elsewhere(path: Path, top: Path) -> bool:
    """Whether ``path`` is a link to a file of the same tree, which is met there under its own name."""
    return path.is_symlink() and path.resolve().is_relative_to(top)


def _is_foreign(folder: Path) -> bool:
    name = folder.name
    if name.startswith(".") or name in SKIPPED_FOLDERS or name.endswith(".egg-info"):
        return True
    return (folder / "pyvenv.cfg").exists()


def _why_missing(path: Path) -> str:
    if path.is_symlink():
        return f"a link to {os.readlink(path)}, which is not there"
    return "not a regular file" if path.exists() else "no such file or folder"
