"""What is kept of what a program prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: Bytes kept of each of the two outputs: so many from the beginning, as many from the end.
KEPT: Final = 64_000


@dataclass
class KeptOutput:
    """The beginning and the end of an output of any length.

    A program that prints without end is not stopped for that: it is read and let go, until its time is over.
    """

    head: bytes = b""
    tail: bytes = b""
    dropped: int = 0

    def add(self, data: bytes) -> None:
        """Take in what was printed next."""
        if len(self.head) < KEPT:
            free = KEPT - len(self.head)
            self.head, data = self.head + data[:free], data[free:]
        tail = self.tail + data if len(data) < KEPT else data
        self.dropped += len(self.tail) + len(data) - min(len(tail), KEPT)
        self.tail = tail[-KEPT:]

    def text(self) -> str:
        """What was kept, with a word on what was not."""
        gap = f"\n… {self.dropped:,} bytes left out …\n".encode() if self.dropped else b""
        return (self.head + gap + self.tail).decode("utf-8", "replace")
