"""Two versions on the disk that name no script to run: driven as a change of the one into the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfgradfix.discover.files import find_files
from tfgradfix.driving.ladder import Ladder
from tfgradfix.driving.scripts import has_work
from tfgradfix.driving.where import Where, project_of
from tfgradfix.model import FileOutcome, Report
from tfgradfix.read.source import ReadError, parse, read_source
from tfgradfix.verify import HarnessError, Verdict, verify

if TYPE_CHECKING:
    from pathlib import Path

    from tfgradfix.driving.proof import Proof


def judge(
    before: Path, after: Path, *, entry: str | None, python: Path | None, arguments: tuple[str, ...], timeout: float
) -> Verdict | tuple[Proof, ...]:
    """The verdict on a script, or what the drivers of a folder or a module show.

    Args:
        before: the script, module or folder, as it was.
        after: the same as it is now.
        entry: the script to run, where these are folders.
        python: the interpreter that has TensorFlow; None to look for it.
        arguments: the command line of the script.
        timeout: seconds for one run.

    Raises:
        HarnessError: nothing can be run or compared.
    """
    named = entry is not None or bool(arguments)
    if not named and (before.is_dir() or not _runs_by_itself(before)):
        return _driven(before.resolve(), after.resolve(), python, timeout)
    verdict = verify(before, after, entry=entry, python=python, arguments=arguments, timeout=timeout)
    silent = verdict.after.finished and not verdict.before.calls and not verdict.after.calls
    if not named and silent and before.read_bytes() != after.read_bytes():
        return _driven(before.resolve(), after.resolve(), python, timeout)
    return verdict


def _runs_by_itself(path: Path) -> bool:
    """Whether ``path`` does more than define names, or is for Python to judge."""
    source = read_source(path)
    tree = source if isinstance(source, ReadError) else parse(source)
    return isinstance(tree, ReadError) or has_work(tree)


def _driven(before: Path, after: Path, python: Path | None, timeout: float) -> tuple[Proof, ...]:
    """What the scripts, tests and functions of what differs show."""
    folders = before.is_dir()
    if folders != after.is_dir():
        raise HarnessError(f"{before} and {after} are not two files and not two folders")
    report = _folders(before, after) if folders else Report((_file(before, after),))
    where = Where(before, after) if folders else _projects(before, after)
    if all(file.after is None for file in report.files):
        raise HarnessError(f"nothing in Python differs between {before} and {after}: name a script with --entry")
    return Ladder(python, timeout, where=where, search=not folders)(report)


def _folders(before: Path, after: Path) -> Report:
    pairs = [(path, after / path.relative_to(before)) for path in find_files([before]).files]
    return Report(tuple(_file(old, new) for old, new in pairs))


def _file(old: Path, new: Path) -> FileOutcome:
    try:
        before = old.read_bytes()
        data = new.read_bytes() if new.is_file() else before
    except OSError as error:
        raise HarnessError(f"{error.filename} cannot be read: {error.strerror}") from error
    return FileOutcome(old, before, None if data == before else data)


def _projects(before: Path, after: Path) -> Where:
    """The projects of two files; that of the first alone where the second has another name in its own."""
    mine, own = project_of(before).folder, project_of(after).folder
    same = before.relative_to(mine) == after.relative_to(own)
    return Where(mine, own if same else None)
