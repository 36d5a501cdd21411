"""The fork servers of this run: one for each interpreter, started when it is first needed, ended with this process."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import socket
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

START: Final = Path(__file__).with_name("inside") / "start.py"
#: Seconds that the imports may take.
IMPORT: Final = 120.0
#: What a program says before it imports TensorFlow or Keras to choose between their kinds: the server has chosen.
CHOOSING: Final = (
    b"TF_USE_LEGACY_KERAS",
    b"KERAS_BACKEND",
    b"TF_ENABLE_ONEDNN_OPTS",
    b"XLA_FLAGS",
    b"disable_v2_behavior",
)


@dataclass
class Forked:
    """A program in a fork, with what `subprocess.Popen` offers of one."""

    stdout: IO[bytes]
    stderr: IO[bytes]
    ending: IO[bytes]
    pid: int = 0
    status: int | None = None
    told: bytes = b""

    def poll(self) -> int | None:
        """The exit status, or None while the program runs."""
        if self.status is None:
            with contextlib.suppress(BlockingIOError):
                part = os.read(self.ending.fileno(), 1 << 10)
                self.told += part
                lines = self.told.split(b"\n")
                self.pid = int(lines[0]) if len(lines) > 1 else 0
                if len(lines) > 2:
                    self.status = int(lines[1])
                elif not part:
                    self.status = -signal.SIGKILL
        return self.status

    def kill_all(self) -> None:
        """Kill the program and what it has started; the server sees to what has left its group."""
        if self.pid:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """The exit status, once it is there."""
        os.set_blocking(self.ending.fileno(), True)
        while self.poll() is None:
            pass
        for stream in (self.stdout, self.stderr, self.ending):
            stream.close()
        return self.status if self.status is not None else 0


class Server:
    """One process that forks for every program."""

    def __init__(self, python: Path, environment: Mapping[str, str]) -> None:
        self.lock = threading.Lock()
        mine, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with other:
            self.process = subprocess.Popen(
                [python, START, str(other.fileno())],
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(other.fileno(),),
                start_new_session=True,
            )
        self.connection = mine
        self.connection.settimeout(IMPORT)

    def ready(self) -> bool:
        """Whether the imports went well; waits for them."""
        try:
            return self.connection.recv(16) == b"ready"
        except OSError:
            return False

    def start(self, order: Mapping[str, object], report: int) -> Forked:
        """Run a program in a fork; its report goes to the descriptor ``report``.

        Raises:
            OSError: the server is gone.
        """
        pipes = [os.pipe() for _ in range(3)]
        writing = [report, *(pipe[1] for pipe in pipes)]
        try:
            with self.lock:
                socket.send_fds(self.connection, [json.dumps(order).encode()], writing)
        finally:
            for _, descriptor in pipes:
                os.close(descriptor)
        output, errors, ending = (os.fdopen(pipe[0], "rb", buffering=0) for pipe in pipes)
        os.set_blocking(ending.fileno(), False)
        return Forked(output, errors, ending)

    def end(self) -> None:
        """Let the server go: it kills what it has started."""
        self.connection.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(5.0)
        self.process.kill()
        self.process.wait()


class Servers:
    """The servers by interpreter and environment; None stands for one that cannot serve."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.known: dict[tuple[Path, frozenset[tuple[str, str]]], Server | None] = {}

    def of(self, python: Path, environment: Mapping[str, str]) -> Server | None:
        """The server of an interpreter, which has done its imports; None where there can be none."""
        if not (hasattr(socket, "SOCK_SEQPACKET") and hasattr(socket, "send_fds")):
            return None
        key = (python, frozenset(environment.items()))
        with self.lock:
            known = self.known.get(key)
            if key not in self.known or (known is not None and known.process.poll() is not None):
                self.known[key] = self._begun(python, environment)
            return self.known[key]

    @staticmethod
    def _begun(python: Path, environment: Mapping[str, str]) -> Server | None:
        try:
            server = Server(python, environment)
        except OSError:
            return None
        if server.ready():
            return server
        server.end()
        return None

    def end(self) -> None:
        """End all of them."""
        for server in self.known.values():
            if server is not None:
                server.end()
        self.known.clear()


SERVERS: Final = Servers()
atexit.register(SERVERS.end)


def chooses_kinds(text: bytes) -> bool:
    """Whether a program says how TensorFlow or Keras are to be imported, so that it needs an interpreter of its own."""
    return any(word in text for word in CHOOSING)
