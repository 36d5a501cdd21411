"""What a run is at: a line that moves on a terminal, plain lines elsewhere. All of it goes to standard error."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tfgradfix.report.text import shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rich.progress import Progress as Bar


class Progress:
    """Tells of stages and of the files in them."""

    def __init__(self, bar: Bar | None) -> None:
        """Tell through ``bar``, or in plain lines where there is none."""
        self._bar = bar
        self._task = None if bar is None else bar.add_task("", total=None, file="")

    def stage(self, text: str) -> None:
        """A stage begins, of which it is not known how long it takes."""
        if self._bar is None or self._task is None:
            print(f"{text} …", file=sys.stderr, flush=True)  # noqa: T201
        else:
            self._bar.update(self._task, description=text, total=None, file="")

    def step(self, stage: str, path: Path, number: int, total: int) -> None:
        """A stage comes to ``path``, the file with this number, counted from 1."""
        if self._bar is None or self._task is None:
            print(f"{stage} {number}/{total}: {shown(str(path))}", file=sys.stderr, flush=True)  # noqa: T201
        else:
            self._bar.update(self._task, description=stage, completed=number - 1, total=total, file=shown(str(path)))


@contextmanager
def progress() -> Iterator[Progress]:
    """A progress display that is gone when the block ends."""
    if not sys.stderr.isatty():
        yield Progress(None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn()
    bar = Bar(*columns, TextColumn("{task.fields[file]}"), console=Console(stderr=True), transient=True)
    with bar:
        yield Progress(bar)
