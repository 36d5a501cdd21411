"""Files go from one of their two versions to the other, fix unit by fix unit, each file by one rename.

All new bytes are put on the disk first, beside the journal, so that a full disk shows before anything is touched.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tfgradfix.migrate.journal import Phase, Side, advance, digest, flush, put
from tfgradfix.write import obstacle, replace_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from tfgradfix.migrate.journal import Entry, Run


@dataclass(frozen=True)
class Moved:
    """What a transaction did: the files that are now in the wanted version, and those that are not, with the reason."""

    run: Run
    done: tuple[Path, ...]
    refused: tuple[tuple[Path, str], ...]


def write(run: Run, told: Callable[[Path, int, int], None] = lambda *_: None) -> Moved:
    """Bring every file of ``run`` to its new version; what cannot be written holds back its whole fix unit."""
    moved = _Move(run, Side.AFTER, told).all()
    # Known before anything is moved back, so that a run that is resumed does not try these again.
    return Moved(advance(moved.run, Phase.DONE), moved.done, moved.refused)


def undo(run: Run, told: Callable[[Path, int, int], None] = lambda *_: None) -> Moved:
    """Bring every file of ``run`` back to its old version; one that was edited since stays, with its fix unit."""
    moved = _Move(advance(run, Phase.UNDOING), Side.BEFORE, told).all()
    phase = Phase.DONE if moved.refused else Phase.UNDONE
    return Moved(advance(moved.run, phase, run.refused), moved.done, moved.refused)


def state_of(run: Run, entry: Entry) -> Side | str:
    """Which version the file of ``entry`` holds, or what has become of it."""
    try:
        found = digest(run.target(entry).read_bytes())
    except FileNotFoundError:
        return "it is no longer there"
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    if found == entry.after:
        return Side.AFTER
    return Side.BEFORE if found == entry.before else "it has been edited since"


def tied(entries: Iterable[Entry]) -> list[list[Entry]]:
    """The entries in groups that share no fix unit; a file without one of its own belongs with all."""
    groups: list[tuple[set[str], list[Entry]]] = []
    for entry in entries:
        units = set(entry.units)
        joined = [group for group in groups if not units or not group[0] or units & group[0]]
        groups = [group for group in groups if group not in joined]
        members = [member for group in joined for member in group[1]]
        groups.append((units.union(*(group[0] for group in joined)), [*members, entry]))
    return [members for _, members in groups]


class _Move:
    """One direction of a transaction."""

    def __init__(self, run: Run, side: Side, told: Callable[[Path, int, int], None]) -> None:
        self.run = run
        self.side = side
        self.other = Side.AFTER if side is Side.BEFORE else Side.BEFORE
        self.told = told
        self.moving = run.folder / "moving"
        self.refused: dict[str, str] = dict(run.refused) if side is Side.AFTER else {}

    def all(self) -> Moved:
        """Move every group that can be moved whole."""
        shutil.rmtree(self.moving, ignore_errors=True)
        groups = [group for group in tied(self.run.entries) if not self._blocked(group)]
        ready = [group for group in groups if self._staged(group)]
        if self.refused and self.side is Side.AFTER:
            self.run = advance(self.run, self.run.phase, self.refused)
        for group in tied(self.run.entries):
            if group in ready:
                self._group(group)
            elif self.side is Side.AFTER:
                self._back(group)
        shutil.rmtree(self.moving, ignore_errors=True)
        done = [entry for entry in self.run.entries if entry.path not in self.refused]
        return Moved(
            self.run,
            tuple(self.run.target(entry) for entry in done),
            tuple((self.run.root / path, reason) for path, reason in self.refused.items()),
        )

    def _blocked(self, group: Sequence[Entry]) -> bool:
        """Whether something stands in the way of ``group``; then all of it is refused."""
        reasons = {entry.path: reason for entry in group if (reason := self._obstacle(entry))}
        self._refuse(group, reasons)
        return bool(reasons)

    def _refuse(self, group: Sequence[Entry], reasons: dict[str, str]) -> None:
        if reasons:
            cause = next(iter(reasons))
            tie = f"its repair needs that of {cause}"
            self.refused.update({entry.path: reasons.get(entry.path, tie) for entry in group})

    def _obstacle(self, entry: Entry) -> str | None:
        if entry.path in self.refused:
            return self.refused[entry.path]
        state = state_of(self.run, entry)
        if not isinstance(state, Side):
            return state
        if state is self.side:
            return None
        target = self.run.target(entry)
        reason = obstacle(target, self.run.blob(entry, state).read_bytes(), self.run.root)
        if reason is None and not os.access(target.resolve().parent, os.W_OK | os.X_OK):
            return f"no permission to write in {target.resolve().parent}"
        return None if reason is None else reason.removeprefix("not written: ")

    def _staged(self, group: Sequence[Entry]) -> bool:
        """Put the new bytes of ``group`` on the disk, where a rename can take them from."""
        try:
            self.moving.mkdir(exist_ok=True)
            for entry in group:
                if state_of(self.run, entry) is self.other:
                    self._stage(entry, self.side)
        except OSError as error:
            self._refuse(group, dict.fromkeys([entry.path for entry in group], _reason(error)))
            return False
        return True

    def _stage(self, entry: Entry, side: Side) -> Path:
        place = self.moving / str(self.run.entries.index(entry))
        put(place, self.run.blob(entry, side).read_bytes())
        old = self.run.target(entry).stat()
        os.chmod(place, stat.S_IMODE(old.st_mode))
        if (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()):
            os.chown(place, old.st_uid, old.st_gid)
        return place

    def _group(self, group: Sequence[Entry]) -> None:
        for entry in group:
            reason = self._rename(entry, self.side)
            if reason is not None:
                self._refuse(group, {entry.path: reason})
                self.run = advance(self.run, self.run.phase, self.refused if self.side is Side.AFTER else None)
                self._back(group)
                return

    def _back(self, group: Sequence[Entry]) -> None:
        """Give back what was written of ``group`` already."""
        for entry in group:
            if state_of(self.run, entry) is self.side:
                try:
                    self.moving.mkdir(exist_ok=True)
                    self._stage(entry, self.other)
                    reason = self._rename(entry, self.other)
                except OSError as error:
                    reason = _reason(error)
                if reason is not None:
                    self.refused[entry.path] = f"half of its fix unit is written and cannot be taken back: {reason}"

    def _rename(self, entry: Entry, side: Side) -> str | None:
        """Let the staged bytes take the place of the file, if it still holds the other version."""
        state = state_of(self.run, entry)
        if state is side:
            return None
        if not isinstance(state, Side):
            return state
        target = self.run.target(entry).resolve()
        self.told(self.run.target(entry), self.run.entries.index(entry) + 1, len(self.run.entries))
        place = self.moving / str(self.run.entries.index(entry))
        try:
            os.replace(place, target)
            flush(target.parent)
        except OSError as error:
            if error.errno != errno.EXDEV:
                return _reason(error)
            # The file lies on another disk than the journal.
            before, after = self.run.blob(entry, state).read_bytes(), place.read_bytes()
            return replace_file(target, before, after, self.run.root)
        return None


def _reason(error: OSError) -> str:
    return f"{error.strerror or error}"
