"""New bytes take the place of old ones, at once or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def replace_file(path: Path, before: bytes, after: bytes, root: Path) -> str | None:
    """Put ``after`` in the place of ``before`` in the file ``path``.

    The new file is written beside the old one and renamed over it, so that whoever looks, and whatever stops us,
    finds the one or the other. Mode bits stay. A link stays a link: the file that it leads to is replaced.

    Args:
        path: the file to change.
        before: what the file held when it was read.
        after: what it shall hold.
        root: the folder that the user's files lie in; a link that leads out of it is not followed.

    Returns:
        None when written, else why not, in one line.
    """
    target = path.resolve()
    if path.is_symlink() and not target.is_relative_to(root.resolve()):
        return f"not written: it is a link to {target}, outside {root}"
    try:
        mode = stat.S_IMODE(target.stat().st_mode)
        # What counts is what this user may do: root may write a file without write bits.
        if not os.access(target, os.W_OK):
            return "not written: the file is read-only"
        if target.read_bytes() != before:
            return "not written: the file has changed since it was read"
        _swap(target, after, mode)
    except OSError as error:
        return f"not written: {error.strerror or error}"
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
