"""Runs the inside part under the user's interpreter and reads what it tells, until the program ends or has to end."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from tfgradfix.explaining.records import Told
from tfgradfix.verify.records import HarnessError
from tfgradfix.verify.server import START

if TYPE_CHECKING:
    from collections.abc import Mapping

_INSIDE: Final = Path(__file__).with_name("inside")
#: Seconds for the import of TensorFlow, and for the interpreter to shut down once the program has ended.
_IMPORT: Final = 120.0
_GRACE: Final = 10.0


class Output:
    """What the program prints goes on to a stream as it comes, with the user's paths for those of the scratch copy."""

    def __init__(self, stream: BinaryIO | None, scratch: Path, folder: Path) -> None:
        self.stream, self.scratch, self.folder = stream, os.fsencode(scratch), os.fsencode(folder)
        self.last = b""

    def add(self, data: bytes) -> None:
        """Pass bytes on."""
        shown = data.replace(self.scratch, self.folder)
        self.last = (self.last + shown)[-2000:]
        if self.stream is not None:
            self.stream.write(shown)
            self.stream.flush()


def run_inside(
    python: Path,
    order: Mapping[str, object],
    folder: Path,
    temporary: Path,
    timeout: float,
    outputs: tuple[Output, Output],
) -> tuple[Told, bool]:
    """Run one program to its end or its limit; nothing of its process group is left running.

    Args:
        python: an interpreter that has TensorFlow.
        order: what the inside part is to do (see `tfgradfix/verify/inside`), without descriptor and explaining folder.
        folder: where the program runs.
        temporary: its folder for temporary files.
        timeout: seconds for the program; TensorFlow's import is not counted.
        outputs: where its standard output and standard error go.

    Returns:
        What it told, and whether it was killed at its limit.

    Raises:
        HarnessError: the interpreter cannot be started, or lacks a working TensorFlow.
    """
    reading, writing = os.pipe()
    told = Told(eager=bool(order["eager"]))
    try:
        child = subprocess.Popen(
            [python, START, json.dumps({**order, "report": writing, "explaining": str(_INSIDE)})],
            cwd=folder,
            env=_environment(temporary),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(writing,),
            start_new_session=True,
        )
    except OSError as error:
        os.close(reading)
        raise HarnessError(f"{python} cannot be started: {error}") from error
    finally:
        os.close(writing)
    with child, os.fdopen(reading, "rb", buffering=0) as report:
        try:
            killed = _follow(child, report.fileno(), told, timeout, outputs)
        finally:
            # The group outlives its leader when the program left processes behind.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child.pid, signal.SIGKILL)
    if told.unusable is not None:
        raise HarnessError(f"TensorFlow cannot be imported: {told.unusable}")
    if told.start is None:
        reason = outputs[1].last.decode("utf-8", "replace").strip()[-500:]
        raise HarnessError(f"the program could not be started: {reason}")
    return told, killed


def _environment(temporary: Path) -> dict[str, str]:
    fixed = {
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "MPLBACKEND": "Agg",
        "CUDA_VISIBLE_DEVICES": "-1",
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "TMPDIR": str(temporary),
    }
    return {**os.environ, **fixed}


def _follow(
    child: subprocess.Popen[bytes], report: int, told: Told, timeout: float, outputs: tuple[Output, Output]
) -> bool:
    """Read all three pipes until the child is gone; whether it has to be killed."""
    assert child.stdout is not None  # noqa: S101  # both were asked for as pipes
    assert child.stderr is not None  # noqa: S101
    partial = b""
    deadline = time.monotonic() + _IMPORT
    takers = {child.stdout.fileno(): outputs[0].add, child.stderr.fileno(): outputs[1].add}
    with selectors.DefaultSelector() as selector:
        for descriptor in (report, *takers):
            os.set_blocking(descriptor, False)
            selector.register(descriptor, selectors.EVENT_READ)
        while True:
            gone = child.poll() is not None
            ready = selector.select(0 if gone else max(0.0, min(0.2, deadline - time.monotonic())))
            for key, _ in ready:
                data = os.read(key.fd, 1 << 16)
                if not data:
                    selector.unregister(key.fd)
                elif key.fd != report:
                    takers[key.fd](data)
                else:
                    fresh, over = told.start is None, told.end is None
                    *lines, partial = (partial + data).split(b"\n")
                    for line in lines:
                        told.read(line.decode("utf-8", "replace"))
                    if fresh and told.start is not None:
                        deadline = time.monotonic() + timeout
                    if over and told.end is not None:
                        deadline = min(deadline, time.monotonic() + _GRACE)
            if gone and not ready:
                return False
            if time.monotonic() > deadline:
                return told.end is None
