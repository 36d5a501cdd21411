"""A real terminal in which the command runs, for tests of what a person sees and types."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Mapping
from pathlib import Path

import pexpect

ROOT = Path(__file__).resolve().parent.parent


class Terminal:
    """The command in a window of its own."""

    def __init__(
        self, folder: Path, *arguments: str, columns: int = 80, rows: int = 40, about: Mapping[str, str] | None = None
    ) -> None:
        environment = {
            **{
                name: value
                for name, value in os.environ.items()
                if name not in ("NO_COLOR", "LESS", "COLUMNS", "LINES")
            },
            "TERM": "xterm-256color",
            "PAGER": "cat",
            "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "codemods")]),
            **(about or {}),
        }
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "tfgradfix", *arguments],
            cwd=str(folder),
            dimensions=(rows, columns),
            env=environment,
            encoding="utf-8",
            timeout=60,
            # Tests that are started in the background ignore Ctrl-C, and all that they start would, too.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        self.seen = ""

    def until(self, text: str) -> str:
        """What is shown up to and with ``text``."""
        self.child.expect_exact(text)
        shown = f"{self.child.before}{self.child.after}"
        self.seen += shown
        return shown

    def answer(self, text: str) -> None:
        """Type a line."""
        self.child.sendline(text)

    def key(self, letter: str) -> None:
        """Press control and a letter."""
        self.child.sendcontrol(letter)

    def end(self) -> tuple[int, str]:
        """The exit status, and what is shown until the end."""
        if self.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=20) == 1:
            self.child.sendcontrol("c")  # a machine under load may lose a key that falls between two questions
            self.child.expect(pexpect.EOF)
        self.seen += self.child.before
        self.child.close()
        return self.child.exitstatus, self.child.before


def uncoloured(text: str) -> str:
    """``text`` without colours and with plain line ends."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text).replace("\r\n", "\n")
