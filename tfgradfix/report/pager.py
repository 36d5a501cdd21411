"""Long output goes through the user's pager, as git's does."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from typing import Final

#: What a shell says of a command that does not exist.
_NOT_FOUND: Final = 127
#: As git has it: leave at once when all fits on the screen, let colours through, keep the text on the screen.
_LESS: Final = "FRX"


def page(text: str) -> None:
    """Show ``text`` through $PAGER, by default ``less``; without one, or where it is empty or ``cat``, print it."""
    pager = os.environ.get("PAGER", "less" if shutil.which("less") else "")
    if pager.strip() in ("", "cat") or _paged(text, pager) == _NOT_FOUND:
        sys.stdout.write(text)
        sys.stdout.flush()


def _paged(text: str, pager: str) -> int:
    """The exit status of ``pager``, a command line of the user's own, after it has shown ``text``."""
    sys.stdout.flush()
    environment = {"LESS": _LESS, **os.environ}
    process = subprocess.Popen(  # noqa: S602 (git and man hand $PAGER to a shell, too)
        pager, shell=True, stdin=subprocess.PIPE, encoding="utf-8", errors="backslashreplace", env=environment
    )
    # The interrupt key is the pager's while it runs.
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with suppress(BrokenPipeError):
            process.communicate(text)
        return process.wait()
    finally:
        signal.signal(signal.SIGINT, handler)
