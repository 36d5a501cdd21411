"""The life of a program in a fork: how it begins, and how it ends."""

from __future__ import annotations

import atexit
import contextlib
import os
import resource
import signal
import sys
import tempfile
import threading
import traceback
from typing import Any, NoReturn

from .confine import confine
from .runs import run


def begin(order: dict[str, Any], report: int, output: int, errors: int) -> NoReturn:
    """Run a program in this process, as an interpreter would that has just been started for it."""
    status = 1
    try:
        settle(order, output, errors)
        run({**order, "report": report})
        status = 0
    except SystemExit as leave:
        status = leave.code if isinstance(leave.code, int) else int(leave.code is not None)
        if isinstance(leave.code, str):
            sys.stderr.write(leave.code + "\n")
    except BaseException:  # noqa: BLE001  # a fork must not go on as a server
        traceback.print_exc()
    finish(status)


def settle(order: dict[str, Any], output: int, errors: int) -> None:
    """Take the place of the program: its own session, streams, folder and signals, and no way to write elsewhere."""
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(errors, 2)
    for descriptor in (output, errors):
        os.close(descriptor)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a crash leaves no file of its memory
    os.environ["TMPDIR"] = order["temporary"]
    tempfile.tempdir = None
    os.chdir(order["cwd"])
    confine(order["writable"])


def finish(status: int) -> NoReturn:
    """End the process as the interpreter would, without taking TensorFlow apart, which costs more than the program."""
    try:
        threading._shutdown()  # type: ignore[attr-defined]  # waits for the program's threads
        atexit._run_exitfuncs()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):  # the program closed it, or put something else in its place
                stream.flush()
        os._exit(status & 0xFF)
