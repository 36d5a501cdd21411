"""Which folder a driver is run in, before and after the change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Where:
    """The folder of the project; ``after`` is that of the version after the change, if that lies elsewhere."""

    folder: Path
    after: Path | None = None
