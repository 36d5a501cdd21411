"""The way from the child process to its parent."""

from __future__ import annotations

import json
import os
import threading
from typing import Any


class Channel:
    """The way to the parent: whole JSON lines, from this process only."""

    def __init__(self, descriptor: int) -> None:
        # A copy, so that a program which closes the low descriptors does not cut us off.
        self.descriptor = os.dup(descriptor)
        os.close(descriptor)
        self.identity = self.file()
        self.process = os.getpid()
        self.lock = threading.Lock()

    def file(self) -> Any:
        """What the descriptor stands for now."""
        try:
            return os.fstat(self.descriptor)[1:3]
        except OSError:
            return None

    def send(self, kind: str, **fields: Any) -> None:
        """Write one record; a forked child of the program stays silent."""
        line = memoryview((json.dumps({"kind": kind, **fields}) + "\n").encode("ascii"))
        with self.lock:
            # A program that closed all its descriptors cut us off: the parent misses our last word.
            if os.getpid() == self.process and self.file() == self.identity:
                while line:
                    line = line[os.write(self.descriptor, line) :]
