"""Where a position is for a person: in a notebook not a row of its program, but a cell and a line in that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tfgradfix.read.notebook import Notebook
from tfgradfix.read.source import decode, is_notebook

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tfgradfix.model import Position, Report, Span


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
        line = notebook.lines[position.row - 1]
        return Place(line.line, position.column + line.shift, line.cell)

    def rows_on_disk(self, span: Span) -> tuple[int, int] | None:
        """The first and the last row of the notebook's JSON that hold ``span``; None if it is in no notebook."""
        notebook = self._notebooks.get(span.filename)
        if notebook is None:
            return None
        return notebook.document_row(span.start.row), notebook.document_row(span.end.row)

    def message(self, span: Span, text: str) -> str:
        """``text``, with the cell and the line of ``span`` in front where a format has no place for them."""
        place = self.of(span.filename, span.start)
        return text if place.cell is None else f"cell {place.cell}, line {place.row}: {text}"


def notebook_of(path: Path, data: bytes) -> Notebook | None:
    """The notebook in ``data``, the bytes of ``path``; None if they are no notebook."""
    found = decode(path, data) if is_notebook(path) else None
    return found if isinstance(found, Notebook) else None
