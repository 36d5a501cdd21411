"""How much a program may take, and how much it and all that it has started take now.

An address space limit (``RLIMIT_AS``) is of no use: TensorFlow maps several times what it uses. ``RLIMIT_NPROC`` counts
the user's other processes, too. So the process tree is looked at from outside, a few times a second.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")
#: What may be given to one program of the memory there is; two run side by side.
SHARE: Final = 0.5
#: Where the memory is not known.
OTHERWISE: Final = 8_000_000_000
PROCESSES: Final = 256
#: Where a container is told how much memory it has: the second version of control groups, the first.
_GROUPS: Final = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def machine_memory() -> int | None:
    """Bytes of memory of this machine, or of the container that this is; None where the system does not tell."""
    try:
        found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    except (OSError, ValueError):
        return None
    for name in _GROUPS:
        try:
            found.append(int(Path(name).read_text(encoding="ascii")))
        except (OSError, ValueError):  # there is no such file, or it says "max"
            continue
    return min(found)


def _share() -> int:
    memory = machine_memory()
    return int(memory * SHARE) if memory else OTHERWISE


@dataclass(frozen=True)
class Limits:
    """What a program and all that it starts may take: bytes of memory, and processes."""

    memory: int = field(default_factory=_share)
    processes: int = PROCESSES

    def passed(self, root: int) -> str | None:
        """Which limit the processes from ``root`` downwards have passed, as words after the program's name."""
        tree = processes_below(root)
        if len(tree) > self.processes:
            return f"has more than {self.processes} processes at once"
        # Shared pages are counted once for each process at first; the exact number costs far more.
        if sum(_resident(process) for process in tree) > self.memory < sum(_proportional(each) for each in tree):
            return f"uses more than {self.memory / 1e9:.1f} GB of memory"
        return None


def processes_below(root: int) -> set[int]:
    """A process and all below it; empty where the system has no /proc."""
    parents = {}
    for name in os.listdir(PROC) if PROC.is_dir() else ():
        if name.isdigit():
            try:
                stat = (PROC / name / "stat").read_bytes()
                parents[int(name)] = int(stat.rpartition(b")")[2].split()[1])
            except (OSError, IndexError, ValueError):  # it has just ended
                continue
    children: dict[int, list[int]] = {}
    for process, parent in parents.items():
        children.setdefault(parent, []).append(process)
    found, waiting = set(), [root] if root in parents else []
    while waiting:
        process = waiting.pop()
        found.add(process)
        waiting += [child for child in children.get(process, ()) if child not in found]
    return found


def _resident(process: int) -> int:
    """Bytes of a process that are in memory, shared or not."""
    try:
        return int((PROC / str(process) / "statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0


def _proportional(process: int) -> int:
    """The same, with what is shared divided among those that share it; without that where the kernel does not tell."""
    try:
        lines = (PROC / str(process) / "smaps_rollup").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    except (OSError, StopIteration, ValueError):
        return _resident(process)
