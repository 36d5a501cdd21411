"""One run of a version with the hooks that explain: what it tells, and what it prints as it comes."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from tfgradfix.explaining.records import Told
from tfgradfix.verify.kept_output import KeptOutput
from tfgradfix.verify.limits import Limits
from tfgradfix.verify.scratch import scratch
from tfgradfix.verify.watch import Watch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix.verify.mirror import Version

_INSIDE: Final = Path(__file__).with_name("inside")
#: It is the user's own run that is looked at: nothing of it is bounded but its time.
_UNBOUNDED: Final = Limits(memory=sys.maxsize, processes=sys.maxsize)
_EVERYWHERE: Final = Path("/")


class PassedOn(KeptOutput):
    """What is printed goes on to a stream as it comes, with the user's paths for those of the scratch copy."""

    def __init__(self, stream: BinaryIO | None, copy: Path, folder: Path) -> None:
        super().__init__()
        self.stream, self.copy, self.folder = stream, os.fsencode(copy), os.fsencode(folder)

    def add(self, data: bytes) -> None:
        """Pass bytes on."""
        shown = data.replace(self.copy, self.folder)
        super().add(shown)
        if self.stream is not None:
            self.stream.write(shown)
            self.stream.flush()


def run_explained(
    version: Version,
    python: Path,
    arguments: Sequence[str],
    timeout: float,
    streams: tuple[BinaryIO | None, BinaryIO | None],
    *,
    eager: bool,
) -> tuple[Told, bool]:
    """Run a version to its end or its limit; nothing of it is left running.

    Args:
        version: what to run; it is run in a scratch copy.
        python: an interpreter that has TensorFlow.
        arguments: the command line of the script.
        timeout: seconds for the program; TensorFlow's import is not counted.
        streams: where its standard output and standard error go.
        eager: run functions eagerly, and let the program come further than TensorFlow does.

    Returns:
        What it told, and whether it was killed at its limit.

    Raises:
        HarnessError: the interpreter cannot be started, or lacks a working TensorFlow.
    """
    told = Told(eager=eager)
    with scratch(version) as place:
        output, errors = (PassedOn(stream, place.copy.folder, version.folder) for stream in streams)
        watch = Watch(timeout, limits=_UNBOUNDED, report=told, output=output, errors=errors)
        order = {**place.order(arguments), "eager": eager, "lenient": eager, "explaining": str(_INSIDE)}
        # The hooks go in before Keras is imported.
        watch.start(place.launch(python, _EVERYWHERE, preload=False), order)
        watch.require_start(errors.text())
    return told, watch.killed
