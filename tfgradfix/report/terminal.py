"""Lines of a report go to a stream: with colours to a terminal, plain to anything else."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from tfgradfix.report.text import plain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfgradfix.model import Report
    from tfgradfix.report.text import Line


def show(lines: Iterable[Line], stream: TextIO | None = None, *, end: str = "\n") -> None:
    """Print ``lines`` to ``stream``, by default standard output; ``end`` stands after the last one."""
    stream = stream or sys.stdout
    text = rendered(lines, stream)
    stream.write(text.removesuffix("\n") + end if text else "")
    stream.flush()


def rendered(lines: Iterable[Line], stream: TextIO) -> str:
    """``lines`` as they go to ``stream``: with colours where it takes them."""
    if not has_colours(stream):
        return plain(lines)
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, highlight=False, soft_wrap=True)
    with console.capture() as captured:
        for line in lines:
            console.print(Text.assemble(*((piece.text, piece.style) for piece in line)))
    return captured.get()


def show_changes(report: Report, *, whole: bool = False) -> None:
    """Show what would change on standard output: a patch, or to a person fix by fix through a pager.

    Args:
        report: what a run found and repaired, in memory.
        whole: give the patch of a notebook as lines of its JSON, so that git takes it.
    """
    from tfgradfix.report.changes import Changes

    if is_terminal(sys.stdout):
        from tfgradfix.report.pager import page
        from tfgradfix.report.review import review_lines

        page(rendered(review_lines(Changes(report, Path.cwd())), sys.stdout))
    else:
        from tfgradfix.report.diff import patch

        show_bytes(patch(Changes(report, Path.cwd(), whole=whole)))


def show_bytes(data: bytes) -> None:
    """Print ``data`` to standard output as it is."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def has_colours(stream: TextIO) -> bool:
    """Whether ``stream`` is a terminal that colours may be sent to."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR")


def is_terminal(stream: TextIO) -> bool:
    """Whether a person looks at ``stream``, on a terminal that is more than a log of lines."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"
