"""Programs that do what no program should: each ends within its limits, is told clearly, and leaves nothing behind."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tfgradfix.verify import HarnessError, Run
from tfgradfix.verify.inside.confine import landlock_version
from tfgradfix.verify.limits import Limits, processes_below
from tfgradfix.verify.server import SERVERS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.runs_tensorflow,
    pytest.mark.skipif(sys.platform != "linux", reason="what is left is looked for in /proc"),
]

Observe = Callable[..., Run]
#: A word that makes a program import TensorFlow itself, in a fork of the bare server.
BARE = "\n# KERAS_BACKEND\n"

OUTLIVING = """
import os, time
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 100)
            time.sleep(600)
        os._exit(0)
print("started")
"""
ENDLESS = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: pass"
STOPPED = "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)"
THREADS = "import threading, time\nthreading.Thread(target=lambda: [time.sleep(1) for _ in range(600)]).start()"
GREEDY = "blocks = []\nwhile True: blocks.append(np.ones(20_000_000))"
MANY = """
import subprocess, time
kept = [subprocess.Popen(["sleep", "600"], start_new_session=True) for _ in range(12)]
time.sleep(600)
"""
CLOSING = "import os\nos.closerange(3, 4096)"
LIMITS = """
import resource, threading
resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
threading.Thread(target=print).start()
"""
EXITS = "import atexit, sys\natexit.register(sys.exit, 5)\natexit.register(lambda: 1 / 0)"
DAEMON = """
import threading, time
def work():
    while True:
        time.sleep(0.001)
        gone = [][0] if not threading.main_thread().is_alive() else None
threading.Thread(target=work, daemon=True).start()
"""
DEEP = "def deeper(): deeper()\ndeeper()"
CRASHING = "import ctypes\nctypes.string_at(0)"
GROUP = "import os, signal\nos.kill(0, signal.SIGKILL)"
OWN_GROUP = "import os, signal\nos.killpg(os.getpgrp(), signal.SIGKILL)"
STREAMS = "import sys\nsys.stdout.close()\nsys.stderr = None\nsys.stdin = 5"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where scratch copies are made; afterwards nothing is in it, and nothing runs but the servers."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []
    servers = {server.process.pid for server in SERVERS.known.values() if server is not None}
    deadline = time.monotonic() + 5.0
    while left_behind(folder, servers) and time.monotonic() < deadline:
        time.sleep(0.05)  # a keeper that was killed leaves the clearing to its server
    assert left_behind(folder, servers) == {}


def left_behind(folder: Path, servers: set[int]) -> dict[int, str]:
    """Processes that stand in a folder, or come from this process and are no servers."""
    found = {}
    for process in (int(name) for name in os.listdir("/proc") if name.isdigit()):
        try:
            stands = os.readlink(f"/proc/{process}/cwd")
        except OSError:
            continue
        if stands.startswith(str(folder)):
            found[process] = stands
    below = {process: "below" for server in servers for process in processes_below(server) - {server}}
    return {**found, **below}


@pytest.mark.parametrize(
    ("text", "ended", "status"),
    [
        pytest.param(OUTLIVING, "finished", 0, id="children that outlive it"),
        pytest.param("import os\nos._exit(7)", "error", 7, id="hard exit"),
        pytest.param(CLOSING, "killed", 0, id="closed descriptors"),
        pytest.param(GROUP, "killed", -9, id="kills group 0"),
        pytest.param(OWN_GROUP, "killed", -9, id="kills its group"),
        pytest.param(LIMITS, "finished", 0, id="its own limits"),
        pytest.param(EXITS, "finished", 0, id="leaves while leaving"),
        pytest.param(DAEMON, "finished", 0, id="daemon thread"),
        pytest.param(DEEP, "error", 1, id="recursion"),
        pytest.param(CRASHING, "killed", -11, id="segmentation fault"),
        pytest.param(STREAMS, "finished", 0, id="streams"),
    ],
)
def test_it_ends(observed: Observe, place: Path, text: str, ended: str, status: int) -> None:
    run = observed(text, timeout=20.0)
    assert (run.ended, run.status, run.limit) == (ended, status, ""), run.errors
    assert run.seconds < 15.0


@pytest.mark.parametrize("text", [ENDLESS, STOPPED, THREADS], ids=["endless loop", "stops itself", "threads"])
def test_it_is_ended_when_its_time_is_over(observed: Observe, place: Path, text: str) -> None:
    run = observed(text, timeout=1.0)
    assert (run.ended, run.limit) == ("time limit", "is not over at the time limit of 1 s")
    assert run.seconds < 6.0


@pytest.mark.parametrize(
    ("text", "limits", "told"),
    [
        pytest.param(GREEDY, Limits(memory=1_500_000_000), "uses more than 1.5 GB of memory", id="memory"),
        pytest.param(MANY, Limits(processes=8), "has more than 8 processes at once", id="processes"),
    ],
)
def test_it_is_ended_when_it_takes_too_much(
    observed: Observe, place: Path, text: str, limits: Limits, told: str
) -> None:
    run = observed(text, timeout=60.0, limits=limits)
    assert (run.ended, run.limit) == ("limit", told)
    assert run.seconds < 30.0


def test_a_gigabyte_of_output_is_let_go(observed: Observe, place: Path) -> None:
    run = observed(
        "import os\nblock = b'x' * 1_000_000\nfor _ in range(1000): os.write(1, block)\nprint('end')", timeout=60.0
    )
    assert run.ended == "finished"
    assert "bytes left out" in run.output
    assert run.output.endswith("end\n")
    assert len(run.output) < 200_000


@pytest.mark.parametrize("bare", ["", BARE], ids=["after the import", "before the import"])
def test_its_parents_are_out_of_reach(observed: Observe, place: Path, bare: str) -> None:
    killing = f"import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nprint('still here'){bare}"
    run = observed(killing, timeout=20.0)
    assert run.ended in ("error", "killed")
    assert "still here" not in run.output
    if landlock_version() >= 6:
        assert run.failure is not None
        assert run.failure.type == "PermissionError"
    assert observed(f"print('next'){bare}").output == "next\n"


@pytest.mark.skipif(landlock_version() < 1, reason="this Linux cannot keep a process from writing")
@pytest.mark.parametrize("bare", ["", BARE], ids=["after the import", "before the import"])
def test_it_writes_in_its_copy_only(observed: Observe, place: Path, tmp_path: Path, bare: str) -> None:
    text = f"""
import os, tempfile
open("beside.txt", "w").write("x")
os.makedirs("logs/run"); os.rename("beside.txt", "logs/run/moved.txt"); os.truncate("logs/run/moved.txt", 0)
tempfile.NamedTemporaryFile().write(b"x")
open({str(tmp_path / "program.py")!r}).read()
for act in (
    lambda: open({str(tmp_path / "outside.txt")!r}, "w"),
    lambda: os.remove({str(tmp_path / "program.py")!r}),
    lambda: os.mkdir(os.path.expanduser("~/left-by-a-program")),
    lambda: os.truncate({str(tmp_path / "program.py")!r}, 0),
    lambda: os.rename("logs", {str(tmp_path / "logs")!r}),
):
    try:
        act()
        print("done")
    except OSError as error:
        print(type(error).__name__)
open({str(tmp_path / "outside.txt")!r}, "w"){bare}
"""
    run = observed(text, timeout=20.0)
    assert set(run.output.split()) <= {"PermissionError", "OSError"}
    assert run.output.count("\n") == 5
    assert run.failure is not None
    assert "a program under proof writes in its scratch copy only" in str(run.failure)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["program.py", "scratch"]
    assert (tmp_path / "program.py").read_text().endswith(text)


@pytest.mark.parametrize("text", ["b'x' * 1000", "b'x\\n'"], ids=["without end", "a line"])
def test_what_it_writes_into_the_report_is_told(observed: Observe, place: Path, text: str) -> None:
    writing = f"""
import os, stat
for number in map(int, os.listdir("/proc/self/fd")):
    try:
        if number > 2 and stat.S_ISFIFO(os.fstat(number).st_mode):
            for _ in range(100_000):
                os.write(number, {text})
    except OSError:
        continue
"""
    with pytest.raises(HarnessError, match="garbled"):
        observed(writing, timeout=20.0)


def test_a_bare_except_does_not_save_it(observed: Observe, place: Path) -> None:
    run = observed(
        """
        w = tf.Variable(1.0)
        while True:
            try:
                with tf.GradientTape() as tape:
                    loss = w * w
                tape.gradient(loss, w)
            except:
                pass
        """,
        timeout=2.0,
    )
    assert run.ended == "time limit"
    assert run.calls


def test_the_bare_server_clears_away_too(observed: Observe, place: Path) -> None:
    run = observed(OUTLIVING + "import time\nwhile True: time.sleep(1)" + BARE, timeout=1.0)
    assert run.ended == "time limit"
    assert run.output == "started\n"
