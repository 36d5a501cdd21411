"""A process that forks for each program; one that has imported TensorFlow pays for the import once.

Over the socket comes one order after the other (JSON behind its length), each with four descriptors: report, output,
errors, and one for the fork's numbers and status. The process runs no operation itself: forks of a process whose
TensorFlow context is initialised hang (measured: always in ``fit``, ``tf.function`` and ``tf.data``), so that is looked
at before each fork. Between it and each program stands a keeper (`keeper.py`); what a keeper that was killed leaves
behind comes to this process, and is killed.
"""

from __future__ import annotations

import array
import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import sysconfig
from typing import Any

from .keeper import adopt_orphans, end_children, keep

#: Descriptors that come with an order.
GIVEN = 4
#: Bytes of the number that says how long an order is.
LENGTH = 4
#: Seconds between two looks for keepers that have ended, while there are any.
LOOK = 0.1


def receive(connection: socket.socket) -> tuple[dict[str, Any] | None, list[int]]:
    """One order and its descriptors; None once nobody sends any more."""
    descriptors = array.array("i")
    data, ancillary, _, _ = connection.recvmsg(LENGTH, socket.CMSG_LEN(GIVEN * descriptors.itemsize))
    for level, kind, payload in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            descriptors.frombytes(payload[: len(payload) - len(payload) % descriptors.itemsize])
    length = int.from_bytes(data, "big") + LENGTH if len(data) == LENGTH else 0
    while len(data) < length:
        part = connection.recv(length - len(data))
        if not part:
            return None, list(descriptors)
        data += part
    return (json.loads(data[LENGTH:]) if data else None), list(descriptors)


class Forker:
    """Forks a keeper for each order."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.keepers: set[int] = set()
        adopt_orphans()

    def serve(self) -> None:
        """Take orders until the other side is gone; then nothing of what was started is left."""
        while True:
            waiting, _, _ = select.select([self.connection], [], [], LOOK if self.keepers else None)
            if waiting:
                order, descriptors = receive(self.connection)
                if order is None:
                    end_children()
                    return
                self.fork(order, descriptors)
            self.reap()

    def fork(self, order: dict[str, Any], descriptors: list[int]) -> None:
        """Run one program below a keeper."""
        if initialised():
            raise RuntimeError("TensorFlow's context is initialised: a fork would hang")
        keeper = os.fork()
        if keeper == 0:
            self.connection.close()
            keep(order, *descriptors)
        self.keepers.add(keeper)
        for descriptor in descriptors:
            os.close(descriptor)

    def reap(self) -> None:
        """Take note of keepers that have ended, and kill what one that was killed left behind."""
        for keeper in list(self.keepers):
            if os.waitpid(keeper, os.WNOHANG)[0]:
                self.keepers.discard(keeper)
                end_children(spared=self.keepers)


def initialised() -> bool:
    """Whether TensorFlow is there and has begun to work."""
    context = sys.modules.get("tensorflow.python.eager.context")
    return context is not None and bool(context.context()._initialized)


def serve(descriptor: int, preload: bool) -> None:
    """Serve the other side of a socket; before that import TensorFlow, and Keras where there is one, if asked to."""
    connection = socket.socket(fileno=descriptor)
    if preload:
        importlib.import_module("tensorflow")
        with contextlib.suppress(Exception):  # a broken Keras is the program's matter
            importlib.import_module("keras")
        importlib.import_module("tensorflow.python.eager.context")
        sysconfig.get_paths()  # every program asks for them, and the first answer takes long
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # it ends with the other side of its socket
    gc.collect()
    gc.freeze()  # collections in the forks leave what is shared alone
    connection.send(b"ready")
    Forker(connection).serve()
