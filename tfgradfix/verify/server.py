"""The fork servers of this run, each started when it is first needed and ended with this process.

One that has imported TensorFlow serves all programs of an interpreter but those that choose between kinds of it; these
are forks of a bare one and import it themselves.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

START: Final = Path(__file__).with_name("inside") / "start.py"
#: Seconds that the imports may take.
IMPORT: Final = 120.0
#: Seconds for a server or a keeper to clear away what was left.
PATIENCE: Final = 5.0
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
    """A program in a fork: what it prints, and what its keeper tells of it."""

    stdout: IO[bytes]
    stderr: IO[bytes]
    ending: IO[bytes]
    keeper: int = 0
    pid: int = 0
    status: int | None = None
    told: bytes = b""
    left: bool = False

    def poll(self) -> int | None:
        """The exit status, or None while the program runs."""
        self._listen()
        return self.status

    def _listen(self) -> None:
        """Take in what the keeper has told: two numbers, the status, and silence once nothing is left."""
        with contextlib.suppress(BlockingIOError):
            while not self.left:
                part = os.read(self.ending.fileno(), 1 << 10)
                self.told += part
                self.left = not part
        first, *rest = self.told.split(b"\n")
        if rest and not self.pid:
            self.keeper, self.pid = (int(number) for number in first.split())
        if len(rest) > 1:
            self.status = int(rest[0])
        elif self.left and self.status is None:
            self.status = -signal.SIGKILL  # its keeper was killed, and it with him

    def kill_all(self) -> None:
        """Kill the program and its group; its keeper sees to the rest."""
        if self.poll() is None and self.pid:
            for kill in (os.killpg, os.kill):  # the program may have left its group
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    kill(self.pid, signal.SIGKILL)

    def wait(self) -> int:
        """The exit status, once nothing of the program is left."""
        for patience in (PATIENCE, PATIENCE):
            until = time.monotonic() + patience
            while not self.left and time.monotonic() < until:
                select.select([self.ending], [], [], until - time.monotonic())
                self._listen()
            if not self.left and self.keeper:  # it was stopped: its server does what it should have done
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(self.keeper, signal.SIGKILL)
        for stream in (self.stdout, self.stderr, self.ending):
            stream.close()
        return self.status if self.status is not None else -signal.SIGKILL


class Server:
    """One process that forks for every program.

    Args:
        python: the interpreter.
        environment: of the process and all programs.
        preload: whether it imports TensorFlow and Keras; else each program does so itself.

    Raises:
        OSError: the interpreter cannot be started.
    """

    def __init__(self, python: Path, environment: Mapping[str, str], preload: bool) -> None:
        self.lock = threading.Lock()
        mine, other = socket.socketpair()
        with other:
            self.process = subprocess.Popen(
                [python, START, str(other.fileno()), "preload" if preload else "bare"],
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
        text = json.dumps(order).encode()
        data = len(text).to_bytes(4, "big") + text
        try:
            with self.lock:
                sent = socket.send_fds(self.connection, [data], writing)
                self.connection.sendall(data[sent:])
        except OSError:
            for reading, _ in pipes:
                os.close(reading)
            raise
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
            self.process.wait(PATIENCE)
        self.process.kill()
        self.process.wait()


class Servers:
    """The servers by interpreter, environment and kind; None stands for one that cannot serve."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.known: dict[tuple[Path, frozenset[tuple[str, str]], bool], Server | None] = {}

    def of(self, python: Path, environment: Mapping[str, str], preload: bool) -> Server | None:
        """The server of an interpreter, which has done its imports if it was to do any; None where there can be none.

        Raises:
            OSError: the interpreter cannot be started.
        """
        if preload and sys.platform != "linux":
            return None  # not tried elsewhere: forks of a process with other threads may hang
        key = (python, frozenset(environment.items()), preload)
        with self.lock:
            known = self.known.get(key)
            dead = known is not None and known.process.poll() is not None
            if known is not None and dead:
                known.end()
            if key not in self.known or dead:
                self.known[key] = self._begun(python, environment, preload)
            return self.known[key]

    @staticmethod
    def _begun(python: Path, environment: Mapping[str, str], preload: bool) -> Server | None:
        server = Server(python, environment, preload)
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
