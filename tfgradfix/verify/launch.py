"""How a version is started: in a fork of a server that has imported TensorFlow, or in an interpreter of its own."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

from tfgradfix.verify.server import SERVERS, START, chooses_kinds

if TYPE_CHECKING:
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


def _environment(temporary: Path) -> dict[str, str]:
    """The user's environment, made repeatable and quiet; graphics cards are left alone."""
    fixed = {
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "MPLBACKEND": "Agg",
        "CUDA_VISIBLE_DEVICES": "-1",
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "TMPDIR": str(temporary),
    }
    return {**os.environ, **fixed}


@dataclass
class Fresh:
    """A program in an interpreter of its own."""

    process: subprocess.Popen[bytes]

    @property
    def stdout(self) -> IO[bytes]:
        """What it prints."""
        assert self.process.stdout is not None  # noqa: S101  # it was asked for as a pipe
        return self.process.stdout

    @property
    def stderr(self) -> IO[bytes]:
        """What it complains of."""
        assert self.process.stderr is not None  # noqa: S101
        return self.process.stderr

    def poll(self) -> int | None:
        """The exit status, or None while it runs."""
        return self.process.poll()

    def kill_all(self) -> None:
        """Kill it and what it has started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def wait(self) -> int:
        """The exit status, once it is there."""
        with self.process:
            return self.process.wait()


@dataclass(frozen=True)
class Launch:
    """Where and with what a version is run."""

    python: Path
    version: Version
    copy: Mirror
    temporary: Path

    def forked(self, order: dict[str, object], report: int) -> Forked | None:
        """The program in a fork of the server; None where it has to have an interpreter of its own."""
        if chooses_kinds(self.version.read(self.version.entry)):
            return None
        server = SERVERS.of(self.python, _environment(Path(tempfile.gettempdir())))
        if server is None:
            return None
        folder = _folder_to_run_in(self.version, self.copy)
        try:
            return server.start({**order, "cwd": str(folder), "temporary": str(self.temporary)}, report)
        except OSError:
            return None  # the server is gone; the next program gets a new one

    def fresh(self, order: dict[str, object], report: int) -> Fresh:
        """The program in an interpreter of its own.

        Raises:
            OSError: the interpreter cannot be started.
        """
        return Fresh(
            subprocess.Popen(
                [self.python, START, json.dumps({**order, "report": report})],
                cwd=_folder_to_run_in(self.version, self.copy),
                env=_environment(self.temporary),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(report,),
                start_new_session=True,
            )
        )
