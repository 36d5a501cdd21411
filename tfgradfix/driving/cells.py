"""A verdict on a notebook tells cells and their lines, not rows of the program that was run."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from tfgradfix.read.notebook import Notebook
from tfgradfix.read.source import decode, is_notebook

if TYPE_CHECKING:
    from pathlib import Path

    from tfgradfix.model import FileOutcome
    from tfgradfix.verify import Place, Run, Verdict
    from tfgradfix.verify.verdict import Row

#: What a sentence says of the program before, whose rows are others.
_OF_BEFORE: Final = ("before ends with ", "the gradient call that was in ")


@dataclass(frozen=True)
class Cells:
    """The cells of one version of the notebook that the harness calls ``name``."""

    name: str
    notebook: Notebook | None

    def place(self, row: int) -> tuple[str, int] | None:
        """File with cell, and line in the cell, of a row of the program."""
        if self.notebook is None or not 0 < row <= len(self.notebook.lines):
            return None
        found = self.notebook.lines[row - 1]
        return f"{self.name}:cell {found.cell}", found.line

    def told(self, text: str) -> str:
        """``text`` in which ``line 12 of a.ipynb`` has become ``cell 3, line 5 of a.ipynb``."""

        def cell(match: re.Match[str]) -> str:
            found = self.place(int(match[1]))
            return match[0] if found is None else f"{found[0].rpartition(':')[2]}, line {found[1]}{match[2]}"

        own = re.escape(self.name)
        return re.sub(rf"\bline (\d+)( of {own}(?![\w./:])|(?! of |\d))", cell, text)

    def of(self, place: Place) -> Place:
        """``place`` in its cell."""
        found = self.place(place.line) if place.file == self.name else None
        return place if found is None else replace(place, file=found[0], line=found[1])


def told_in_cells(verdict: Verdict, file: FileOutcome, folder: Path) -> Verdict:
    """``verdict`` with the rows of ``file``, if that is a notebook, as lines of its cells.

    Args:
        verdict: of a run of the project in ``folder``.
        file: one of the changed files.
        folder: what the names of files in the verdict are relative to.
    """
    if not is_notebook(file.path):
        return verdict
    name = file.path.resolve().relative_to(folder).as_posix()
    before = Cells(name, _notebook(file.path, file.before))
    after = Cells(name, _notebook(file.path, file.before if file.after is None else file.after))
    return replace(
        verdict,
        reasons=tuple(_told(reason, before, after) for reason in verdict.reasons),
        notes=tuple(_told(note, before, after) for note in verdict.notes),
        rows=tuple(_row(row, before, after) for row in verdict.rows),
        before=_run(verdict.before, before),
        after=_run(verdict.after, after),
    )


def _notebook(path: Path, data: bytes) -> Notebook | None:
    found = decode(path, data)
    return found if isinstance(found, Notebook) else None


def _told(text: str, before: Cells, after: Cells) -> str:
    for words in _OF_BEFORE:
        front, found, back = text.partition(words)
        if found:
            return after.told(front) + words + before.told(back)
    return after.told(text)


def _row(row: Row, before: Cells, after: Cells) -> Row:
    if row.file != after.name:
        return row
    old = before.place(row.line_before or 0)
    new = after.place(row.line_after or 0)
    file = new or old
    return row if file is None else replace(row, file=file[0], line_before=old and old[1], line_after=new and new[1])


def _run(run: Run, cells: Cells) -> Run:
    calls = tuple(replace(call, place=cells.of(call.place)) for call in run.calls)
    failure = run.failure and replace(run.failure, frames=tuple(cells.of(frame) for frame in run.failure.frames))
    return replace(run, calls=calls, failure=failure)
