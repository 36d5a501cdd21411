"""Which folder a driver is run in, before and after the change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tfgradfix.discover.modules import is_package, project_root

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Where:
    """The folder of the project; ``after`` is that of the version after the change, if that lies elsewhere."""

    folder: Path
    after: Path | None = None


def project_of(path: Path) -> Where:
    """The project that ``path`` belongs to: the folder with a project file, at the least that above its package."""
    folder = path.resolve().parent
    while is_package(folder):
        folder = folder.parent
    return Where(project_root(folder))
