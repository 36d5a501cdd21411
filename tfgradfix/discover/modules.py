"""File and dotted module name, from the folders alone.

A folder with ``__init__.py`` is a package. The folder above the outermost package, the script's own folder and
``src`` beside either are taken for import roots, as Python's own ``sys.path`` would have them. All paths are absolute.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

#: What marks the folder of a project.
_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")


def module_name(path: Path) -> str:
    """The dotted name under which other files of its project import ``path``.

    ``pkg/sub/helpers.py`` is ``pkg.sub.helpers`` if both folders are packages; ``pkg/__init__.py`` is ``pkg``.
    """
    parts = [] if path.stem == "__init__" else [path.stem]
    folder = path.parent
    while is_package(folder):
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts)


@lru_cache(maxsize=4096)
def is_package(folder: Path) -> bool:
    """Whether ``folder`` holds an ``__init__.py``."""
    return (folder / "__init__.py").is_file()


@lru_cache(maxsize=4096)
def project_root(folder: Path) -> Path:
    """The nearest folder at or above ``folder`` with a project file in it, else ``folder`` itself."""
    return next((candidate for candidate in (folder, *folder.parents) if is_marked(candidate)), folder)


def is_marked(folder: Path) -> bool:
    """Whether a project file lies in ``folder``."""
    return any((folder / mark).exists() for mark in _MARKS)


@lru_cache(maxsize=4096)
def import_roots(folder: Path) -> tuple[Path, ...]:
    """The folders in which an absolute import, written in a file of ``folder``, is looked for, nearest first."""
    above = folder
    while is_package(above):
        above = above.parent
    root = project_root(above)
    roots = [folder, above, above / "src", root, root / "src"]
    return tuple(dict.fromkeys(candidate for candidate in roots if candidate.is_dir()))


def resolve_import(importer: Path, module: str, level: int = 0) -> tuple[Path, ...]:
    """The files of the project that importing ``module`` from ``importer`` runs: its packages, then itself.

    Args:
        importer: the file with the import statement.
        module: the dotted name after ``import`` or ``from``; may be empty for ``from . import x``.
        level: the number of leading dots.

    Returns:
        The files in order of execution; empty if the module is not part of the project.
    """
    return _resolve(importer.parent, module, level)


@lru_cache(maxsize=65536)
def _resolve(folder: Path, module: str, level: int) -> tuple[Path, ...]:
    if level:
        for _ in range(level - 1):
            folder = folder.parent
        return _files_of(folder, module)
    return next((files for root in import_roots(folder) if (files := _files_of(root, module))), ())


def _files_of(root: Path, module: str) -> tuple[Path, ...]:
    files: list[Path] = []
    folder = root
    if not module:
        return (root / "__init__.py",) if is_package(root) else ()
    for part in module.split("."):
        single = folder / f"{part}.py"
        folder = folder / part
        if is_package(folder):
            files.append(folder / "__init__.py")
        elif single.is_file():
            # What follows names something inside this module.
            return (*files, single)
        elif not folder.is_dir():
            break
    return tuple(files)
