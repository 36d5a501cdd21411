"""The texts that a patch compares: a file, or a cell of a notebook, as lines before and after."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tfgradfix.report.places import notebook_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tfgradfix.model import FileOutcome, Span
    from tfgradfix.report.places import Places

    Rows = tuple[int, int] | None


@dataclass(frozen=True, eq=False)
class Body:
    """One text before and after.

    ``name`` is what a patch calls it; ``old`` and ``new`` are lines in which each byte is the character of the same
    number, so that a patch keeps every encoding and line end; ``rows`` gives the first and the last line, counted
    from 1, that a span of the report covers here, None if it lies elsewhere. A ``cell`` is no file that git knows.
    """

    path: Path
    name: bytes
    old: Sequence[str]
    new: Sequence[str]
    rows: Callable[[Span], Rows]
    cell: bool = False


def bodies(file: FileOutcome, folder: Path, places: Places, *, whole: bool = False) -> Iterator[Body]:
    """What has changed in ``file``: itself, or each changed cell of a notebook.

    Args:
        file: one file of a report.
        folder: names are seen from here.
        places: the places of that report.
        whole: also of a notebook the lines on the disk.
    """
    if file.after is None or file.after == file.before:
        return
    name = _patch_name(file.path, folder)
    before, after = notebook_of(file.path, file.before), notebook_of(file.path, file.after)
    if whole or before is None or after is None:
        rows = partial(_rows, file.path, places)
        yield Body(file.path, name, _lines(file.before), _lines(file.after), rows)
        return
    for index in before.fields:
        # The end of a cell's last line is no matter, so that nothing is said of one that is missing.
        old, new = (_lines(notebook.source(index).encode() + b"\n") for notebook in (before, after))
        if old != new:
            rows = partial(_cell_rows, file.path, places, index)
            yield Body(file.path, name + f":cell {index}".encode(), old, new, rows, cell=True)


def _rows(path: Path, places: Places, span: Span) -> Rows:
    if span.filename != str(path):
        return None
    return places.rows_on_disk(span) or (span.start.row, span.end.row)


def _cell_rows(path: Path, places: Places, cell: int, span: Span) -> Rows:
    if span.filename != str(path):
        return None
    start, end = places.of(span.filename, span.start), places.of(span.filename, span.end)
    return (start.row, end.row) if start.cell == end.cell == cell else None


def _lines(data: bytes) -> list[str]:
    # Only a line feed ends a line of a patch; a carriage return belongs to the line.
    *whole, last = data.decode("latin-1").split("\n")
    return [line + "\n" for line in whole] + ([last] if last else [])


def _patch_name(path: Path, folder: Path) -> bytes:
    absolute = Path(os.path.abspath(path))
    base = Path(os.path.abspath(folder))
    name = absolute.relative_to(base) if absolute.is_relative_to(base) else absolute.relative_to(absolute.anchor)
    return os.fsencode(name.as_posix())
