"""A process that has imported TensorFlow and forks for each program: the import is paid for once.

Over the socket comes one order after the other (JSON), each with four descriptors: report, output, errors, and one
for the fork's number and status.
The process runs no operation itself: forks of a process whose TensorFlow context is initialised hang (measured: always
in ``fit``, ``tf.function`` and ``tf.data``), so that is looked at before each fork. What a program leaves behind comes
back to this process, which asked for orphans, and is killed.
"""

from __future__ import annotations

import array
import atexit
import contextlib
import ctypes
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import tempfile
import threading
import traceback
from typing import Any

from .runs import run

#: Linux's prctl that makes a process the parent of its orphaned descendants.
PR_SET_CHILD_SUBREAPER = 36
#: Descriptors that come with an order.
GIVEN = 4
LARGEST_ORDER = 1 << 20


def receive(connection: socket.socket) -> tuple[dict[str, Any] | None, list[int]]:
    """One order and its descriptors; None once nobody sends any more."""
    descriptors = array.array("i")
    data, ancillary, _, _ = connection.recvmsg(LARGEST_ORDER, socket.CMSG_LEN(GIVEN * descriptors.itemsize))
    for level, kind, payload in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors.frombytes(payload[: len(payload) - len(payload) % descriptors.itemsize])
    return (json.loads(data) if data else None), list(descriptors)


class Forker:
    """Forks for each order and tells how the forks end."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.running: dict[int, int] = {}
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def serve(self) -> None:
        """Take orders until the other side is gone; then nothing of what was started is left."""
        ready = True
        while ready or self.running:
            waiting, _, _ = select.select([self.connection] if ready else [], [], [], 0.02 if self.running else None)
            if waiting:
                order, descriptors = receive(self.connection)
                if order is None:
                    ready = False
                    for child in self.running:
                        self.kill(child)
                else:
                    self.fork(order, descriptors)
            self.reap()

    def fork(self, order: dict[str, Any], descriptors: list[int]) -> None:
        """Run one program in a fork."""
        report, output, errors, status = descriptors
        if importlib.import_module("tensorflow.python.eager.context").context()._initialized:
            raise RuntimeError("TensorFlow's context is initialised: a fork would hang")
        child = os.fork()
        if child == 0:
            self.connection.close()
            os.setsid()
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(output, 1)
            os.dup2(errors, 2)
            for descriptor in (output, errors, status):
                os.close(descriptor)
            self.begin({**order, "report": report})
        os.write(status, f"{child}\n".encode("ascii"))
        self.running[child] = status
        for descriptor in (report, output, errors):
            os.close(descriptor)

    def begin(self, order: dict[str, Any]) -> None:
        """The fork's whole life: the program, and the interpreter's shutdown as it would be without us."""
        os.environ["TMPDIR"] = order["temporary"]
        tempfile.tempdir = None
        os.chdir(order["cwd"])
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL if number == signal.SIGTERM else signal.default_int_handler)
        status = 0
        try:
            run(order)
        except SystemExit as leave:
            status = leave.code if isinstance(leave.code, int) else int(leave.code is not None)
            if isinstance(leave.code, str):
                sys.stderr.write(leave.code + "\n")
        except BaseException:  # noqa: BLE001  # a fork must not go on as a server
            traceback.print_exc()
            status = 1
        finish(status)

    def reap(self) -> None:
        """Tell the status of forks that have ended, and kill what they left behind."""
        ended = False
        for child in list(self.running):
            found, status = os.waitpid(child, os.WNOHANG)
            if found:
                ended = True
                with contextlib.suppress(OSError):
                    os.write(self.running[child], f"{os.waitstatus_to_exitcode(status)}\n".encode("ascii"))
                os.close(self.running.pop(child))
                self.kill(child)
        if ended:
            self.kill_orphans()

    @staticmethod
    def kill(child: int) -> None:
        """Kill the group of a fork."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)

    def kill_orphans(self) -> None:
        """Kill processes that have become this one's children, and theirs, until there are none."""
        for _ in range(100):
            orphans = [child for child in children_of(os.getpid()) if child not in self.running]
            if not orphans:
                return
            for orphan in orphans:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(orphan, signal.SIGKILL)
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(orphan, 0)


def finish(status: int) -> None:
    """End the process as the interpreter would, without taking TensorFlow apart, which costs more than the program."""
    try:
        threading._shutdown()  # type: ignore[attr-defined]  # waits for the program's threads
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status & 0xFF)


def children_of(process: int) -> list[int]:
    """The processes whose parent a process is; none where /proc does not tell."""
    found = []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdigit():
            with (
                contextlib.suppress(OSError, IndexError, ValueError),
                open(f"/proc/{name}/stat", encoding="utf-8") as file,
            ):
                if int(file.read().rpartition(")")[2].split()[1]) == process:
                    found.append(int(name))
    return found


def serve(descriptor: int) -> None:
    """Import TensorFlow, and Keras where there is one, and serve the other side of a socket."""
    connection = socket.socket(fileno=descriptor)
    importlib.import_module("tensorflow")
    with contextlib.suppress(Exception):  # a broken Keras is the program's matter
        importlib.import_module("keras")
    gc.collect()
    gc.freeze()  # collections in the forks leave what is shared alone
    connection.send(b"ready")
    Forker(connection).serve()
