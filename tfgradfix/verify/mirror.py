"""A scratch copy of a program, so that running it leaves nothing in the user's folders.

What a program writes beside itself goes into the copy. A folder too big to copy is copied as far as the limits go,
the script's own folder first; what is left over is linked, so that the program can still read it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tfgradfix.discover.modules import project_root
from tfgradfix.verify.records import HarnessError

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Folders that no program needs in order to run.
SKIPPED: Final = frozenset({"__pycache__", "node_modules"})
LARGEST_FILE: Final = 32_000_000
LARGEST_FOLDER: Final = 256_000_000
MOST_FILES: Final = 10_000


@dataclass(frozen=True)
class Version:
    """One version of a program: the script to run, the folder it needs, and files that are to read otherwise.

    ``changed`` maps files of ``folder`` to the bytes that they have in this version; on the disk they stay as they are,
    or are not there at all.
    All paths are absolute, below ``folder``.
    """

    script: Path
    folder: Path
    changed: Mapping[Path, bytes] = field(default_factory=dict)

    @property
    def entry(self) -> str:
        """The script, as the harness names it: its path in the folder."""
        return self.script.relative_to(self.folder).as_posix()

    def read(self, file: str) -> bytes:
        """What ``file``, named by its path in the folder, holds in this version.

        Raises:
            OSError: there is no such file.
        """
        path = self.folder / file
        data = self.changed.get(path)
        return path.read_bytes() if data is None else data


def version_of(path: Path, entry: str | None = None) -> Version:
    """The version that lies at ``path``: a script with the project around it, or a folder whose script is ``entry``.

    Raises:
        HarnessError: there is no such script.
    """
    path = path.resolve()
    script = path / entry if entry is not None and path.is_dir() else path
    if path.is_dir() and entry is None:
        raise HarnessError(f"{path} is a folder: name the script in it that is to be run")
    if not script.is_file():
        raise HarnessError(f"no such script: {script}")
    return Version(script, path if path.is_dir() else project_root(script.parent))


@dataclass(frozen=True)
class Mirror:
    """The scratch copy of a version: ``linked`` are the parts that were too big to copy."""

    folder: Path
    script: Path
    linked: tuple[str, ...] = ()


def mirror(version: Version, target: Path) -> Mirror:
    """Copy a version to ``target``, which does not exist yet.

    Raises:
        HarnessError: the script cannot be read.
    """
    copier = _Copier(version.folder, target.parent)
    script = target / version.script.relative_to(version.folder)
    script.parent.mkdir(parents=True)
    try:
        if version.script not in version.changed:  # one that is made for the run lies on no disk
            shutil.copyfile(version.script, script)
        copier.copy(version.script.parent, script.parent)
        copier.copy(version.folder, target)
        for path, data in version.changed.items():
            place = target / path.relative_to(version.folder)
            place.unlink(missing_ok=True)
            place.write_bytes(data)
    except OSError as error:
        raise HarnessError(f"{version.folder} cannot be copied: {error}") from error
    return Mirror(target, script, tuple(copier.linked))


class _Copier:
    """Copies folders within one common limit."""

    def __init__(self, root: Path, scratch: Path) -> None:
        self.root = root
        # The user's TMPDIR may lie in the project: a copy must not be copied into itself.
        self.passed_by = {scratch, Path(tempfile.gettempdir()).resolve()}
        self.files = 0
        self.size = 0
        self.linked: list[str] = []

    def copy(self, source: Path, target: Path) -> None:
        """Copy what is in ``source`` and not yet in ``target``."""
        target.mkdir(exist_ok=True)
        with os.scandir(source) as entries:
            inside = sorted(entries, key=lambda entry: (entry.is_dir(), entry.name))
        for entry in inside:
            place = target / entry.name
            if entry.is_symlink() and self._leads_inside(entry):
                if not place.is_symlink():
                    place.symlink_to(os.readlink(entry.path))
            elif entry.is_dir(follow_symlinks=False):
                self._folder(Path(entry.path), place)
            elif entry.is_dir() and not place.exists():
                self._link(Path(entry.path).resolve(), place)
            elif entry.is_file() and not place.exists():
                self._file(entry, place)

    def _leads_inside(self, entry: os.DirEntry[str]) -> bool:
        """Whether a link means the same in the copy: relative, and to something in the folder."""
        link = os.readlink(entry.path)
        return not os.path.isabs(link) and Path(entry.path).resolve().is_relative_to(self.root)

    def _folder(self, source: Path, place: Path) -> None:
        environment = (source / "pyvenv.cfg").exists() or (source / "conda-meta").exists()
        if source in self.passed_by:
            return
        if source.name in SKIPPED or source.name.startswith(".") or environment or not os.access(source, os.R_OK):
            return
        if self.files < MOST_FILES and self.size < LARGEST_FOLDER:
            self.copy(source, place)
        elif not place.exists():
            self._link(source, place)

    def _file(self, entry: os.DirEntry[str], place: Path) -> None:
        size = entry.stat().st_size
        if not os.access(entry.path, os.R_OK):
            return
        if size > LARGEST_FILE or self.size + size > LARGEST_FOLDER or self.files >= MOST_FILES:
            self._link(Path(entry.path), place)
            return
        self.files += 1
        self.size += size
        shutil.copy(entry.path, place)

    def _link(self, source: Path, place: Path) -> None:
        place.symlink_to(source)
        self.linked.append(str(source))
