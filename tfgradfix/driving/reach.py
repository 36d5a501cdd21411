"""Which files of the project run a changed file by importing it."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tfgradfix.discover.files import SUFFIXES, find_files
from tfgradfix.discover.modules import is_marked
from tfgradfix.driving.where import project_of
from tfgradfix.read.imports import imported_files
from tfgradfix.read.source import Source, decode, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tfgradfix.model import Report


@dataclass
class Reach:
    """The imports among ``files``, read as far as they lead to a changed file.

    ``files`` maps paths to their bytes before the change, None where these are on the disk. ``root`` is a folder that
    absolute imports are looked for in, too, whether or not a project file marks it.
    """

    files: dict[Path, bytes | None]
    root: Path | None = None
    trees: dict[Path, ast.Module | None] = field(default_factory=dict)
    imports: dict[Path, tuple[Path, ...]] = field(default_factory=dict)

    def tree(self, path: Path) -> ast.Module | None:
        """The syntax tree of a file, None if it has none."""
        if path not in self.trees:
            data = self._data(path)
            source = decode(path, data) if data is not None else None
            tree = parse(source) if isinstance(source, Source) else None
            self.trees[path] = tree if isinstance(tree, ast.Module) else None
        return self.trees[path]

    def imported(self, path: Path) -> tuple[Path, ...]:
        """The files that ``path`` imports."""
        if path not in self.imports:
            tree = self.tree(path)
            places = [path] if self.root is None else [path, self.root / path.name]
            found = [imported_files(place, tree) for place in places] if tree is not None else []
            self.imports[path] = tuple(dict.fromkeys(file for files in found for file in files if file != path))
        return self.imports[path]

    def of(self, script: Path) -> set[Path]:
        """The files that ``script`` runs: itself and what it imports."""
        reached, waiting = {script}, [script]
        while waiting:
            for path in self.imported(waiting.pop()):
                if path not in reached:
                    reached.add(path)
                    waiting.append(path)
        return reached

    def leading_to(self, changed: Iterable[Path]) -> list[Path]:
        """The files that run one of ``changed``, these included, in the order of ``files``.

        A file in which no name of such a module stands is not parsed.
        """
        leading = set(changed)
        fresh = leading
        while fresh:
            names = re.compile("|".join(sorted({rf"\b{re.escape(_name(path))}\b" for path in fresh})).encode())
            fresh = {
                path
                for path in self.files
                if path not in leading
                and (data := self._data(path)) is not None
                and names.search(data)
                and not leading.isdisjoint(self.imported(path))
            }
            leading = leading | fresh
        return [path for path in self.files if path in leading]

    def look_around(self, changed: Iterable[Path], excluded: Callable[[Path], bool] | None) -> None:
        """Add the files of the projects that ``changed`` are in, less those that are ``excluded``."""
        for folder in sorted({project_of(path).folder for path in changed}):
            for path in find_files(_searched(folder), excluded).files:
                self.files.setdefault(path, None)

    def _data(self, path: Path) -> bytes | None:
        known = self.files.get(path)
        if known is not None:
            return known
        try:
            return path.read_bytes()
        except OSError:
            return None  # it went away, and with it what it could have run


def reach_in(report: Report, root: Path | None = None) -> Reach:
    """The imports among the files of ``report``; ``root`` is the folder of the project, where it is known."""
    return Reach({file.path: file.before or None for file in report.files if not file.error}, root)


def _searched(root: Path) -> list[Path]:
    """What is searched of a project: all of it; where no project file marks its folder, the files beside."""
    if is_marked(root):
        return [root]
    return [path for path in sorted(root.iterdir()) if path.suffix in SUFFIXES and path.is_file()]


def _name(path: Path) -> str:
    """The last part of the name by which a module is imported."""
    return path.parent.name if path.stem == "__init__" else path.stem
