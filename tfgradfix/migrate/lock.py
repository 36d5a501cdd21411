"""One run at a time in a repository: a lock that the system gives back when its holder ends, however it ends."""

from __future__ import annotations

import contextlib
import fcntl
import os
from typing import TYPE_CHECKING

from tfgradfix.migrate.errors import MigrateError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@contextlib.contextmanager
def held(state: Path) -> Iterator[None]:
    """Hold the lock in the folder ``state``, which is made where it is missing.

    Raises:
        MigrateError: another run holds it, or nothing can be written there.
    """
    try:
        state.mkdir(exist_ok=True)
        # Git never sees what is in a folder that ignores itself.
        ignore = state / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
        descriptor = os.open(state / "lock", os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise MigrateError(
            f"{state} cannot be written ({error.strerror}): what is needed to undo a run is kept there; "
            "make room or give write permission, and run again"
        ) from error
    try:
        _take(descriptor)
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        holder = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip() or "unknown"
        raise MigrateError(
            f"another tfgradfix (process {holder}) is at work in this repository: wait until it has ended, "
            "then run again"
        ) from error
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, str(os.getpid()).encode(), 0)
