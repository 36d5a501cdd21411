"""What is kept of a run so that it can be finished or taken back, whatever happened to it.

``.tfgradfix/runs/NUMBER/`` holds ``run.json``, what there is to report, and the bytes of each changed file before and
after. A folder gets its number by one rename when all of it is on the disk, and only then is the first file of the
user's touched. How far a run has come is not written down: a file that holds its old bytes is not written yet, one that
holds its new bytes is.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import asdict, dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Final

from tfgradfix.migrate.errors import MigrateError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from tfgradfix.model import FileOutcome

#: The folder of the state in a repository.
STATE: Final = ".tfgradfix"
#: So many runs can be taken back, one after the other.
KEPT: Final = 10
#: The file of a run with what there is to report of it.
_TOLD: Final = "told.json"
#: Of the form of ``run.json``.
VERSION: Final = 1


class Phase(str, Enum):
    """How far a run has come."""

    WRITING = "writing"
    DONE = "done"
    UNDOING = "undoing"
    UNDONE = "undone"


class Side(str, Enum):
    """One of the two versions of every file."""

    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True)
class Entry:
    """One changed file: its path from the root, digests of both versions, and the fix units that reach into it."""

    path: str
    before: str
    after: str
    units: tuple[str, ...]

    def digest(self, side: Side) -> str:
        """The digest of one version."""
        return self.before if side is Side.BEFORE else self.after


@dataclass(frozen=True)
class Run:
    """One run: its folder, the root that its paths count from, and what it changes.

    ``refused`` maps the paths that are not to be written to the reason.
    """

    folder: Path
    root: Path
    phase: Phase
    entries: tuple[Entry, ...]
    refused: dict[str, str]

    def target(self, entry: Entry) -> Path:
        """The file of ``entry`` as the user names it."""
        return self.root / entry.path

    def told(self) -> bytes:
        """What was given to be reported; empty if that cannot be read."""
        try:
            return (self.folder / _TOLD).read_bytes()
        except OSError:
            return b""

    def blob(self, entry: Entry, side: Side) -> Path:
        """Where the bytes of one version are kept."""
        return self.folder / side.value / str(self.entries.index(entry))


def digest(data: bytes) -> str:
    """What tells bytes apart."""
    return hashlib.sha256(data).hexdigest()


def begin(root: Path, files: Sequence[tuple[FileOutcome, Iterable[str]]], told: bytes) -> Run:
    """Keep both versions of ``files`` in a new run; no file is touched yet.

    Args:
        root: what paths count from.
        files: the changed files, each with its fix units.
        told: what there is to report of the run, in a form of the caller's.

    Raises:
        MigrateError: there is no room, or no permission.
    """
    runs = root / STATE / "runs"
    staging = runs / "new"
    try:
        shutil.rmtree(staging, ignore_errors=True)
        (staging / Side.BEFORE.value).mkdir(parents=True)
        (staging / Side.AFTER.value).mkdir()
        entries = []
        for number, (file, units) in enumerate(files):
            after = file.after or b""
            put(staging / Side.BEFORE.value / str(number), file.before)
            put(staging / Side.AFTER.value / str(number), after)
            path = os.path.relpath(file.path, root)
            entries.append(Entry(path, digest(file.before), digest(after), tuple(sorted(units))))
        put(staging / _TOLD, told)
        run = Run(staging, root, Phase.WRITING, tuple(entries), {})
        _save(run)
        folder = runs / f"{max(_numbers(runs), default=0) + 1:06}"
        staging.rename(folder)
        flush(runs)
    except OSError as error:
        shutil.rmtree(staging, ignore_errors=True)
        raise MigrateError(
            f"nothing was changed: the old files cannot be kept in {runs} ({error.strerror}); "
            "make room or give write permission, and run again"
        ) from error
    for number in sorted(_numbers(runs))[:-KEPT]:
        shutil.rmtree(runs / f"{number:06}", ignore_errors=True)
    return replace(run, folder=folder)


def last(root: Path) -> Run | None:
    """The last run that has not been taken back.

    Raises:
        MigrateError: what is kept of it cannot be read.
    """
    runs = root / STATE / "runs"
    for number in sorted(_numbers(runs), reverse=True):
        run = _load(runs / f"{number:06}", root)
        if run.phase is not Phase.UNDONE:
            return run
    return None


def advance(run: Run, phase: Phase, refused: dict[str, str] | None = None) -> Run:
    """Write down that ``run`` has come to ``phase``."""
    changed = replace(run, phase=phase, refused=run.refused if refused is None else refused)
    _save(changed)
    return changed


def put(path: Path, data: bytes) -> None:
    """Write a file of our own and see it on the disk."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def flush(folder: Path) -> None:
    """See the names in ``folder`` on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _save(run: Run) -> None:
    record = {
        "version": VERSION,
        "phase": run.phase.value,
        "files": [asdict(entry) for entry in run.entries],
        "refused": run.refused,
    }
    put(run.folder / "run.json.new", json.dumps(record, indent=1).encode())
    os.replace(run.folder / "run.json.new", run.folder / "run.json")
    flush(run.folder)


def _load(folder: Path, root: Path) -> Run:
    try:
        record = json.loads((folder / "run.json").read_bytes())
        if record["version"] != VERSION:
            raise MigrateError(f"{folder} was written by another version of tfgradfix: use that one to undo it")
        entries = tuple(Entry(**{**entry, "units": tuple(entry["units"])}) for entry in record["files"])
        return Run(folder, root, Phase(record["phase"]), entries, record["refused"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise MigrateError(
            f"{folder / 'run.json'} cannot be read ({error}): the files before the run are in {folder / 'before'}; "
            "put back what you need by hand, then remove that folder"
        ) from error


def _numbers(runs: Path) -> list[int]:
    try:
        return [int(name) for name in os.listdir(runs) if name.isdigit()]
    except OSError:
        return []
