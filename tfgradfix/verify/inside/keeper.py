"""Stands between a fork server and one program: tells how the program ends, and kills what it leaves behind.

Whatever a program starts, in whatever session, comes back to its keeper when its own parent ends, since the keeper asks
for orphans (Linux). A program that kills its parent has killed its keeper and dies with it; the server is out of reach.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from typing import TYPE_CHECKING, Any, NoReturn

from .forked import begin

if TYPE_CHECKING:
    from collections.abc import Iterable

#: Linux's prctl: which signal a process gets when its parent ends, and being the parent of orphaned descendants.
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def keep(order: dict[str, Any], report: int, output: int, errors: int, status: int) -> NoReturn:
    """Run a program in a fork of this process, tell its number and its status, leave nothing of it, and end."""
    try:
        ask_system(PR_SET_PDEATHSIG, signal.SIGKILL)
        adopt_orphans()
        os.setsid()
        program = os.fork()
        if program == 0:
            ask_system(PR_SET_PDEATHSIG, signal.SIGKILL)
            os.close(status)
            begin(order, report, output, errors)
        for descriptor in (report, output, errors):
            os.close(descriptor)
        tell(status, f"{os.getpid()} {program}\n")
        tell(status, f"{os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])}\n")
        with contextlib.suppress(ChildProcessError):  # there is nothing left, in nearly all cases
            os.waitpid(-1, os.WNOHANG)
            end_children()
        os.close(status)  # nothing is left: taking this process's memory apart is not to be waited for
    finally:
        os._exit(0)


def tell(status: int, line: str) -> None:
    """Write a line to the process that gave the order, if it is still there."""
    with contextlib.suppress(OSError):
        os.write(status, line.encode("ascii"))


def end_children(spared: Iterable[int] = ()) -> None:
    """Kill this process's children and theirs, which become its own as their parents end, until there are none."""
    while True:
        children = children_of(os.getpid()) - set(spared)
        if not children:
            return
        for child in children:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(child, signal.SIGKILL)
        for child in children:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, 0)


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent ends."""
    ask_system(PR_SET_CHILD_SUBREAPER, 1)


def ask_system(option: int, value: int) -> None:
    """Linux's prctl; elsewhere nothing."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(option, int(value), 0, 0, 0)


def children_of(process: int) -> set[int]:
    """The processes whose parent a process is; none where /proc does not tell."""
    found = set()
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if name.isdigit():
            with (
                contextlib.suppress(OSError, IndexError, ValueError),
                open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file,
            ):
                if int(file.read().rpartition(")")[2].split()[1]) == process:
                    found.add(int(name))
    return found
