"""Limits and confinement, seen on small processes without TensorFlow."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tfgradfix.verify.inside import confine
from tfgradfix.verify.kept_output import KEPT, KeptOutput
from tfgradfix.verify.limits import Limits, machine_memory, processes_below

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="there is no /proc")
#: Starts two children, one of them in a session of its own; says so; waits for the end of its input.
FAMILY = """
import subprocess, sys
wait = [sys.executable, "-c", "import sys; block = bytearray(50_000_000); print('here', flush=True); sys.stdin.read()"]
for session in (False, True):
    child = subprocess.Popen(wait, start_new_session=session, stdout=subprocess.PIPE)
    child.stdout.readline()
print("there", flush=True)
sys.stdin.read()
"""


@LINUX
def test_a_family_is_counted_together() -> None:
    with subprocess.Popen([sys.executable, "-c", FAMILY], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as family:
        assert family.stdin is not None
        assert family.stdout is not None
        family.stdout.readline()
        assert len(processes_below(family.pid)) == 3
        assert Limits(memory=10**10, processes=3).passed(family.pid) is None
        assert Limits(memory=10**10, processes=2).passed(family.pid) == "has more than 2 processes at once"
        assert Limits(memory=100_000_000, processes=9).passed(family.pid) == "uses more than 0.1 GB of memory"
        family.stdin.close()
    assert processes_below(family.pid) == set()


@LINUX
def test_shared_memory_counts_once() -> None:
    sharing = "import os, sys\nblock = bytearray(b'x' * 80_000_000)\nfor _ in range(3): os.fork() or sys.stdin.read()\nprint('here', flush=True)\nsys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", sharing], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as family:
        assert family.stdin is not None
        assert family.stdout is not None
        family.stdout.readline()
        assert len(processes_below(family.pid)) == 4
        assert Limits(memory=200_000_000).passed(family.pid) is None
        assert Limits(memory=70_000_000).passed(family.pid) is not None
        family.stdin.close()


def test_by_default_a_program_gets_half_of_the_memory() -> None:
    memory = machine_memory()
    assert memory is not None
    assert Limits().memory == memory // 2


@given(st.lists(st.integers(0, 3 * KEPT), max_size=12))
def test_the_beginning_and_the_end_of_an_output_are_kept(sizes: list[int]) -> None:
    kept, whole = KeptOutput(), b""
    for number, size in enumerate(sizes):
        data = bytes([97 + number]) * size
        kept.add(data)
        whole += data
    assert (kept.head, kept.tail) == (whole[:KEPT], whole[KEPT:][-KEPT:])
    assert kept.dropped == max(0, len(whole) - 2 * KEPT)
    assert (f"{kept.dropped:,} bytes left out" in kept.text()) == (len(whole) > 2 * KEPT)


def confined(code: str, folders: list[Path]) -> list[str]:
    """What a process prints that is bound to some folders."""
    text = f"import confine, os\nassert confine.confine({[str(folder) for folder in folders]})\n{code}"
    run = subprocess.run(
        [sys.executable, "-c", text], cwd=Path(confine.__file__).parent, capture_output=True, text=True, check=True
    )
    return run.stdout.split()


@pytest.mark.skipif(confine.landlock_version() < 1, reason="this system cannot keep a process from writing")
def test_a_confined_process_writes_where_it_may(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (outside / "kept.txt").write_text("kept")
    (inside / "link.txt").symlink_to(outside / "kept.txt")
    code = f"""
def tried(act):
    try:
        act()
        print("done")
    except OSError as error:
        print(type(error).__name__)
tried(lambda: open({str(inside / "new.txt")!r}, "w").write("x"))
tried(lambda: open({str(outside / "kept.txt")!r}).read())
tried(lambda: open("/dev/null", "w").write("x"))
tried(lambda: open({str(inside / "link.txt")!r}, "w"))
tried(lambda: open({str(outside / "new.txt")!r}, "w"))
tried(lambda: os.remove({str(outside / "kept.txt")!r}))
tried(lambda: os.system("echo x > {outside}/by-a-child.txt 2> /dev/null") and open("/proc/none"))
"""
    refused = ["PermissionError"] * 3 + ["FileNotFoundError"]
    assert confined(code, [inside]) == ["done"] * 3 + refused
    assert [path.name for path in outside.iterdir()] == ["kept.txt"]
    assert (outside / "kept.txt").read_text() == "kept"


@pytest.mark.skipif(confine.landlock_version() < 6, reason="this system cannot keep a process from signalling others")
def test_a_confined_process_signals_its_own_kind_only() -> None:
    code = """
import signal, subprocess
child = subprocess.Popen(["sleep", "60"])
child.kill()
print(child.wait())
try:
    os.kill(os.getppid(), 0)
except PermissionError:
    print("refused")
"""
    assert confined(code, []) == ["-9", "refused"]


def test_a_folder_that_is_not_there_is_no_fault(tmp_path: Path) -> None:
    bound = confine.landlock_version() >= 1
    code = f"import confine\nassert confine.confine(['{tmp_path}/none']) is {bound}"
    subprocess.run([sys.executable, "-c", code], cwd=os.path.dirname(confine.__file__), check=True)
