"""Lines of a report go to a stream: with colours to a terminal, plain to anything else."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

from tfgradfix.report.text import Piece, plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfgradfix.report.text import Line

_DIFF_STYLES = {"---": "bold", "+++": "bold", "@@": "cyan", "-": "red", "+": "green"}


def show(lines: Iterable[Line], stream: TextIO | None = None) -> None:
    """Print ``lines`` to ``stream``, by default standard output."""
    stream = stream or sys.stdout
    if not has_colours(stream):
        stream.write(plain(lines))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, highlight=False, soft_wrap=True)
    for line in lines:
        console.print(Text.assemble(*((piece.text, piece.style) for piece in line)))


def show_patch(patch: bytes) -> None:
    """Print ``patch`` to standard output: byte for byte, unless a person looks at it."""
    if has_colours(sys.stdout):
        show((_coloured(line),) for line in patch.decode("utf-8", "backslashreplace").splitlines())
    else:
        show_bytes(patch)


def show_bytes(data: bytes) -> None:
    """Print ``data`` to standard output as it is."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def has_colours(stream: TextIO) -> bool:
    """Whether ``stream`` is a terminal that colours may be sent to."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _coloured(line: str) -> Piece:
    return Piece(line, next((style for start, style in _DIFF_STYLES.items() if line.startswith(start)), ""))
