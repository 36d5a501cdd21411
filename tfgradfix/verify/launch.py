"""How a version is started: in a fork of a server that has imported TensorFlow, or of one that has not."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tfgradfix.verify.records import HarnessError
from tfgradfix.verify.server import SERVERS, chooses_kinds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tfgradfix.verify.mirror import Mirror, Version
    from tfgradfix.verify.server import Forked


def _folder_to_run_in(version: Version, copy: Mirror) -> Path:
    """Where the user stands, if that is inside the program's folder; else beside the script."""
    here = Path.cwd().resolve()
    if here == version.folder or version.folder in here.parents:
        place = copy.folder / here.relative_to(version.folder)
        if place.is_dir():
            return place
    return copy.script.parent


def _environment() -> dict[str, str]:
    """The user's environment, made repeatable and quiet; graphics cards are left alone."""
    fixed = {
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "MPLBACKEND": "Agg",
        "CUDA_VISIBLE_DEVICES": "-1",
        "TF_CPP_MIN_LOG_LEVEL": "3",
    }
    # pytest's word on the test that runs just now would give each test a server of its own.
    own = {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
    return {**own, **fixed}


@dataclass(frozen=True)
class Launch:
    """Where and with what a version is run.

    ``writable`` are the folders in which it may write. ``preload``: TensorFlow may be there before the program begins.
    """

    python: Path
    version: Version
    copy: Mirror
    temporary: Path
    writable: tuple[Path, ...]
    preload: bool = True

    def start(self, order: Mapping[str, object], report: int) -> Forked:
        """The program in a fork of a server; one that chooses between kinds of TensorFlow has to import it itself.

        Raises:
            OSError: the interpreter cannot be started.
            HarnessError: the interpreter cannot run our part of it.
        """
        where = {
            "cwd": str(_folder_to_run_in(self.version, self.copy)),
            "temporary": str(self.temporary),
            "writable": [str(folder) for folder in self.writable],
        }
        bare = not self.preload or chooses_kinds(self.version.read(self.version.entry))
        preloads = (False,) if bare else (True, False)
        for preload in preloads:
            for _ in range(2):  # a server that has just died is no reason to give up
                server = SERVERS.of(self.python, _environment(), preload)
                if server is None:
                    break
                with contextlib.suppress(OSError):
                    return server.start({**order, **where}, report)
        raise HarnessError(f"{self.python} starts, but runs nothing: is it Python 3.9 or newer?")
