"""Where a position is for a person: in a notebook not a row of its program, but a cell and a line in that."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tfgradfix.model import Position
from tfgradfix.read.notebook import Notebook
from tfgradfix.read.source import decode, is_notebook

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tfgradfix.model import Report, Span


@dataclass(frozen=True)
class Place:
    """A row and a column, both from 1; in a notebook those in a cell, which counts from 0 over all cells."""

    row: int
    column: int
    cell: int | None = None

    def __str__(self) -> str:
        """``7:13``, or ``cell 4:7:13``."""
        return f"{self.row}:{self.column}" if self.cell is None else f"cell {self.cell}:{self.row}:{self.column}"


class Places:
    """Finds the places of the positions in any file of a report."""

    def __init__(self, report: Report) -> None:
        """Read the notebooks of ``report`` that have findings."""
        self._notebooks: Mapping[str, Notebook] = {
            str(file.path): notebook
            for file in report.files
            if file.findings and (notebook := notebook_of(file.path, file.before)) is not None
        }

    def of(self, filename: str, position: Position) -> Place:
        """The place of ``position``, which counts in the text of the file, or in the program of the notebook."""
        notebook = self._notebooks.get(filename)
        if notebook is None:
            return Place(position.row, position.column)
        line = notebook.lines[min(position.row, len(notebook.lines)) - 1]
        return Place(line.line, position.column + line.shift, line.cell)

    def rows_on_disk(self, span: Span) -> tuple[int, int] | None:
        """The first and the last row of the notebook's JSON that hold ``span``; None if it is in no notebook."""
        notebook = self._notebooks.get(span.filename)
        if notebook is None:
            return None
        return notebook.document_row(span.start.row), notebook.document_row(span.end.row)

    def message(self, span: Span, text: str) -> str:
        """``text`` for a format that has no place for a cell: the cell and the line of ``span`` stand in front."""
        place, told = self.of(span.filename, span.start), self.told(span.filename, text)
        return told if place.cell is None else f"cell {place.cell}, line {place.row}: {told}"

    def told(self, filename: str, text: str) -> str:
        """``text``, in which rows of a notebook's program have become lines of cells."""
        if filename not in self._notebooks:
            return text

        def place(match: re.Match[str]) -> str:
            found = self.of(filename, Position(int(match[1] or match[3]), int(match[2] or 1)))
            return f"line {found.row} of cell {found.cell}" if match[3] else f"at {found}"

        return re.sub(r"\b(?:at (\d+):(\d+)|line (\d+))\b", place, text)


def notebook_of(path: Path, data: bytes) -> Notebook | None:
    """The notebook in ``data``, the bytes of ``path``; None if they are no notebook."""
    found = decode(path, data) if is_notebook(path) else None
    return found if isinstance(found, Notebook) else None
