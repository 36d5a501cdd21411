"""New bytes take the place of old ones, at once or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def obstacle(path: Path, before: bytes, root: Path) -> str | None:
    """Why the file ``path`` must not be replaced, in one line, or None.

    Args:
        path: the file to change. A link stays a link: the file that it leads to is meant.
        before: what the file held when it was read.
        root: the folder that the user's files lie in; a link that leads out of it is not followed.
    """
    target = path.resolve()
    if path.is_symlink() and not target.is_relative_to(root.resolve()):
        return f"not written: it is a link to {target}, outside {root}"
    try:
        if target.read_bytes() != before:
            return "not written: the file has changed since it was read"
        # What counts is whether this user may write; a superuser may without write bits.
        if not os.access(target, os.W_OK):
            return "not written: the file is read-only"
    except OSError as error:
        return _reason(error)
    return None


def replace_file(path: Path, before: bytes, after: bytes, root: Path) -> str | None:
    """Put ``after`` in the place of ``before`` in the file ``path``, unless there is an obstacle.

    The new file is written beside the old one and renamed over it, so that whoever looks, and whatever stops us,
    finds the one or the other. Mode bits stay.

    Returns:
        None when written, else why not, in one line.
    """
    reason = obstacle(path, before, root)
    if reason is not None:
        return reason
    target = path.resolve()
    try:
        _swap(target, after, stat.S_IMODE(target.stat().st_mode))
    except OSError as error:
        return _reason(error)
    return None


def common_folder(paths: Sequence[Path]) -> Path:
    """The folder in which all ``paths`` lie, as they are written (links not followed)."""
    folders = [Path(os.path.abspath(path)) for path in paths]
    return Path(os.path.commonpath([folder if folder.is_dir() else folder.parent for folder in folders]))


def _swap(target: Path, data: bytes, mode: int) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def _reason(error: OSError) -> str:
    return f"not written: {error.strerror or error}"
