"""The fork server and its keepers: every run starts afresh, and whatever is killed, nothing of a program is left."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tfgradfix.verify import Run
from tfgradfix.verify.limits import processes_below
from tfgradfix.verify.server import SERVERS, Server

pytestmark = [
    pytest.mark.slow,
    pytest.mark.runs_tensorflow,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc"),
]

Observe = Callable[..., Run]
WAITING = "import subprocess, time\nsubprocess.Popen(['sleep', '600'], start_new_session=True)\ntime.sleep(600)"


def waiting() -> int | None:
    """The server under which a program waits with its child; other tests may have left servers of other environments."""
    tops = [each.process.pid for (_, _, preload), each in SERVERS.known.items() if preload and each is not None]
    return next((top for top in tops if len(processes_below(top)) == 4), None)


def until(condition: Callable[[], bool]) -> bool:
    """Whether something comes true within a few seconds."""
    deadline = time.monotonic() + 10.0
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


def hit(observed: Observe, number: signal.Signals, target: Callable[[list[int]], int], timeout: float = 60.0) -> Run:
    """Run a program that waits, and send a signal once its child is there: the tree is server, keeper, program, child."""
    observed("print('the server is there')")
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(observed, WAITING, timeout=timeout)
        assert until(lambda: waiting() is not None)
        top = waiting()
        assert top is not None
        os.kill(target(sorted(processes_below(top))), number)
        result = run.result()
    assert until(lambda: processes_below(top) in ({top}, set()))
    return result


def test_every_run_starts_afresh(observed: Observe) -> None:
    text = "import os, random, sys\nprint(random.random(), np.random.rand(), os.getcwd()[-7:], len(sys.argv))\nnp.left = 1\n"
    first, second = observed(text), observed(text.replace("np.left = 1", "print(hasattr(np, 'left'))"))
    assert second.output.splitlines()[0] == first.output.strip()
    assert second.output.splitlines()[1] == "False"


def test_a_keeper_that_is_killed_takes_its_program_along(observed: Observe) -> None:
    run = hit(observed, signal.SIGKILL, lambda tree: tree[1])
    assert (run.ended, run.status) == ("killed", -9)
    assert run.seconds < 10.0


def test_a_keeper_that_is_stopped_is_replaced_by_its_server(observed: Observe) -> None:
    run = hit(observed, signal.SIGSTOP, lambda tree: tree[1], timeout=2.0)
    assert run.ended == "time limit"
    assert run.seconds < 15.0


def test_a_server_that_is_killed_takes_all_along_and_is_replaced(observed: Observe) -> None:
    run = hit(observed, signal.SIGKILL, lambda tree: tree[0])
    assert run.ended == "killed"
    assert observed("print('next')").output == "next\n"


def test_a_server_ends_with_its_other_side(observed: Observe, python: Path) -> None:
    own = Server(python, os.environ, preload=False)
    assert own.ready()
    here = {"script": "", "arguments": [], "folder": "/", "cwd": "/", "temporary": "/", "writable": []}
    reading, writing = os.pipe()
    child = own.start(here, writing)  # it imports TensorFlow before it finds that there is no script
    assert until(lambda: child.poll() is None and child.pid > 0)
    own.end()
    assert not processes_below(child.pid) | processes_below(own.process.pid)
    for descriptor in (reading, writing):
        os.close(descriptor)
    assert child.wait() == -signal.SIGKILL
