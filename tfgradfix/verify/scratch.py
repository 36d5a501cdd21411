"""Where a version is run: a scratch folder with a copy of it."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tfgradfix.verify.launch import Launch
from tfgradfix.verify.mirror import Mirror, Version, mirror
from tfgradfix.verify.records import HarnessError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SEED: Final = 20


@dataclass(frozen=True)
class Scratch:
    """The folder ``base`` with the ``copy`` of a version."""

    version: Version
    base: Path
    copy: Mirror

    def order(self, arguments: Sequence[str]) -> dict[str, object]:
        """What each kind of run is told."""
        copy = self.copy
        return {"script": str(copy.script), "arguments": list(arguments), "folder": str(copy.folder), "seed": SEED}

    def launch(self, python: Path, *writable: Path, preload: bool = True) -> Launch:
        """How the copy is started under ``python``; it may write in the scratch folder and in ``writable``."""
        return Launch(python, self.version, self.copy, self.base / "tmp", (self.base, *writable), preload)


@contextmanager
def scratch(version: Version) -> Iterator[Scratch]:
    """A scratch folder for a version, gone afterwards.

    Raises:
        HarnessError: there is none on this system, or the version cannot be copied.
    """
    if os.name != "posix":
        raise HarnessError("programs can be run on Linux and macOS only")
    with tempfile.TemporaryDirectory(prefix="tfgradfix-", ignore_cleanup_errors=True) as folder:
        base = Path(folder).resolve()
        copy = mirror(version, base / "program")
        (base / "tmp").mkdir()
        yield Scratch(version, base, copy)
