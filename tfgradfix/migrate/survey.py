"""Which files of a repository a migration looks at, and which it passes by, and why."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tfgradfix.config import Settings
from tfgradfix.discover.files import SUFFIXES, find_files
from tfgradfix.migrate.git import marked, own_files, submodules

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tfgradfix.migrate.git import Repository

#: Folders in which projects keep copies of the code of others.
VENDORED: Final = frozenset({"_vendor", "extern", "third_party", "third-party", "thirdparty", "vendor", "vendored"})
#: What generators write at the top of their files.
_GENERATED: Final = re.compile(
    rb"@generated\b|generated[^\n]{0,80}\bdo not (?:edit|modify)|\bdo not (?:edit|modify)[^\n]{0,80}generated", re.I
)
_GENERATED_NAMES: Final = re.compile(r"_pb2(?:_grpc)?\.py$")
#: Bytes in which such a line stands.
_TOP: Final = 1000


@dataclass(frozen=True)
class Survey:
    """The files to look at, and those passed by with the reason."""

    files: frozenset[Path]
    passed_by: tuple[tuple[Path, str], ...]


@dataclass(frozen=True)
class Choice(Settings):
    """Settings that moreover keep a run to ``files``."""

    files: frozenset[Path] = frozenset()

    def excludes(self) -> Callable[[Path], bool]:
        """A test that lets only ``files`` pass, and the folders that lead to them."""
        folders = {above for path in self.files for above in path.parents}
        return lambda path: path not in self.files and path not in folders


def survey(repository: Repository, settings: Settings) -> Survey:
    """List the Python files and notebooks of ``repository`` that are its own.

    Raises:
        MigrateError: git cannot tell which files are the repository's.
    """
    walk = _Walk(settings.excludes() or (lambda _: False))
    if repository.in_git:
        walk.own = own_files(repository)
        walk.folders = frozenset(above for path in walk.own for above in path.parents)
        walk.apart = dict.fromkeys(submodules(repository), "a submodule: migrate it in its own repository")
        python = frozenset(path for path in walk.own if path.name.endswith(SUFFIXES))
        walk.apart |= marked(repository, python)
    files = find_files([repository.folder], walk.leaves_out).files
    return Survey(frozenset(files), tuple(walk.passed_by))


@dataclass
class _Walk:
    """What decides of each file and folder met, and keeps the reasons."""

    configured: Callable[[Path], bool]
    own: frozenset[Path] | None = None
    folders: frozenset[Path] = frozenset()
    apart: dict[Path, str] = field(default_factory=dict)
    passed_by: list[tuple[Path, str]] = field(default_factory=list)

    def leaves_out(self, path: Path) -> bool:
        """Whether ``path`` is passed by; the reason is kept where it is not the user's own setting."""
        reason = self._reason(path)
        if reason:
            self.passed_by.append((path, reason))
        return bool(reason) or self.configured(path) or self._ignored(path)

    def _reason(self, path: Path) -> str | None:
        if path in self.apart:
            return self.apart[path]
        if path.is_dir():
            if path.name in VENDORED:
                return "vendored"
            return "another repository: migrate it by itself" if (path / ".git").exists() else None
        return "generated" if not self._ignored(path) and _is_generated(path) else None

    def _ignored(self, path: Path) -> bool:
        return self.own is not None and path not in self.own and path not in self.folders


def _is_generated(path: Path) -> bool:
    if _GENERATED_NAMES.search(path.name):
        return True
    try:
        with path.open("rb") as file:
            return _GENERATED.search(file.read(_TOP)) is not None
    except OSError:
        return False  # whoever reads the whole file tells what is wrong with it
