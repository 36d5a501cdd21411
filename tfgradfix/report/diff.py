"""A report as a patch that ``git apply`` takes, except for notebooks, of which it shows cells.

What a hunk repairs stands behind its second ``@@``, where git keeps the name of a function and reads nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfgradfix.model import Report
from tfgradfix.report.changes import Changes
from tfgradfix.report.headings import numbered, title
from tfgradfix.report.hunks import hunks, terminated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tfgradfix.model import FileOutcome
    from tfgradfix.report.bodies import Body
    from tfgradfix.report.hunks import Hunk


def report_diff(report: Report, folder: Path) -> bytes:
    """The changes of all files as one patch, with paths relative to ``folder``.

    Bytes, not text: a patch holds its files' lines in their own encodings and with their own line ends.
    """
    return patch(Changes(report, folder))


def file_diff(file: FileOutcome, folder: Path) -> bytes:
    """The change of one file as a patch without headings, of a notebook one for each changed cell."""
    changes = Changes(Report((file,)), folder)
    return b"".join(_parts(changes, lambda _: ""))


def patch(changes: Changes) -> bytes:
    """``changes`` file by file, each hunk headed by the numbers of its fixes and by what it repairs."""
    numbers = numbered(changes)

    def headed(hunk: Hunk) -> str:
        told = title(hunk, changes)
        return told and f" fix {numbers(hunk)}: {told}"

    return b"".join(_parts(changes, headed))


def names(body: Body) -> bytes:
    """The two lines that begin the patch of ``body``."""
    # git marks the end of a name with a blank by a tab.
    end = b"\t\n" if b" " in body.name and not body.cell else b"\n"
    return b"--- a/" + body.name + end + b"+++ b/" + body.name + end


def _parts(changes: Changes, headed: Callable[[Hunk], str]) -> Iterator[bytes]:
    for body, blocks in changes.blocks:
        yield names(body)
        for hunk in hunks(body, blocks):
            yield f"@@ {hunk.ranges} @@{headed(hunk)}\n".encode("utf-8", "backslashreplace")
            yield "".join(terminated(line) for line in hunk.lines()).encode("latin-1")
