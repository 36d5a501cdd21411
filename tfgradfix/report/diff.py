"""A report as a patch that ``git apply`` takes, except for notebooks, of which it shows cells."""

from __future__ import annotations

import difflib
import os
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from tfgradfix.report.places import notebook_of

if TYPE_CHECKING:
    from tfgradfix.model import FileOutcome, Report
    from tfgradfix.read.notebook import Notebook


def report_diff(report: Report, folder: Path) -> bytes:
    """The changes of all files as one patch, with paths relative to ``folder``.

    Bytes, not text: a patch holds its files' lines in their own encodings and with their own line ends.
    """
    return b"".join(file_diff(file, folder) for file in report.files)


def file_diff(file: FileOutcome, folder: Path) -> bytes:
    """The change of one file as a patch, of a notebook one for each changed cell; empty if there is none."""
    if file.after is None or file.after == file.before:
        return b""
    name = _patch_name(file.path, folder)
    before, after = notebook_of(file.path, file.before), notebook_of(file.path, file.after)
    if before is not None and after is not None:
        return b"".join(_cell_diff(before, after, index, name) for index in before.fields)
    return _line_diff(file.before, file.after, name)


def whole_diff(report: Report, folder: Path) -> bytes:
    """The changes of all files as one patch that ``git apply`` takes whole: of notebooks the lines of their JSON."""
    return b"".join(
        _line_diff(file.before, file.after, _patch_name(file.path, folder))
        for file in report.files
        if file.after is not None and file.after != file.before
    )


def _line_diff(before: bytes, after: bytes, name: bytes) -> bytes:
    lines = difflib.unified_diff(_lines(before), _lines(after))
    # difflib's own header is passed over: it does not mark a name with a blank, as git does with a tab.
    end = b"\t\n" if b" " in name else b"\n"
    header = b"--- a/" + name + end + b"+++ b/" + name + end
    return header + "".join(_terminated(line) for line in islice(lines, 2, None)).encode("latin-1")


def _cell_diff(before: Notebook, after: Notebook, index: int, name: bytes) -> bytes:
    title = f"{name.decode()}:cell {index}"
    old, new = (notebook.source(index).split("\n") for notebook in (before, after))
    # The end of a cell's last line is no matter, so that nothing is said of one that is missing.
    lines = difflib.unified_diff(old, new, f"a/{title}", f"b/{title}", lineterm="")
    return "".join(f"{line}\n" for line in lines).encode()


def _lines(data: bytes) -> list[str]:
    # Each byte stands for the character of the same number: difflib compares lines and never looks inside them.
    # Only a line feed ends a line of a patch; a carriage return belongs to the line.
    *whole, last = data.decode("latin-1").split("\n")
    return [line + "\n" for line in whole] + ([last] if last else [])


def _terminated(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _patch_name(path: Path, folder: Path) -> bytes:
    absolute = Path(os.path.abspath(path))
    base = Path(os.path.abspath(folder))
    name = absolute.relative_to(base) if absolute.is_relative_to(base) else absolute.relative_to(absolute.anchor)
    return name.as_posix().encode()
