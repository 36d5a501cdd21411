"""Lets a process write in some folders only, and signal nobody but its own kind: Linux's Landlock, which needs no root.

A program that is run for a proof must not overwrite what its last real run has left, wherever it writes. What it starts
is bound in the same way. Where there is no Landlock (before Linux 5.13, other systems) nothing is bound.

The numbers are those of the kernel's ``include/uapi/linux/landlock.h``; its documentation says which version of the
interface knows which right (https://docs.kernel.org/userspace-api/landlock.html).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

#: System calls, alike on all architectures.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
ASK_VERSION, PATH_BENEATH = 1, 1
PR_SET_NO_NEW_PRIVS = 38
#: Write a file; remove a folder, a file; make a device, folder, file, socket, pipe, block device, link.
WRITING = 1 << 1 | sum(1 << bit for bit in range(4, 13))
#: Rights that came with a later version of the interface: moving between folders, cutting a file short.
LATER = {2: 1 << 13, 3: 1 << 14}
#: Of these a rule about a single file knows.
OF_FILES = 1 << 1 | 1 << 14
#: From this version on signals can be kept inside.
SIGNALS_VERSION, SIGNALS = 6, 1 << 1

#: Folders below the user's home in which libraries keep what they have fetched or worked out.
CACHES = (".cache", ".keras", ".config/matplotlib", "tensorflow_datasets", "nltk_data", "scikit_learn_data")
#: What names such a folder elsewhere.
NAMED = ("XDG_CACHE_HOME", "KERAS_HOME", "TFDS_DATA_DIR", "HF_HOME", "MPLCONFIGDIR", "NLTK_DATA", "SCIKIT_LEARN_DATA")


def confine(folders: Iterable[str]) -> bool:
    """Bind this process and what it starts: they write in ``folders``, ``/dev`` and the caches of libraries only.

    Returns:
        Whether the system could do it.
    """
    version = landlock_version()
    if version < 1:
        return False
    system = ctypes.CDLL(None, use_errno=True)
    rights = WRITING | sum(right for since, right in LATER.items() if version >= since)
    asked = struct.pack("QQQ", rights, 0, SIGNALS) if version >= SIGNALS_VERSION else struct.pack("Q", rights)
    rules = system.syscall(CREATE_RULESET, asked, ctypes.c_size_t(len(asked)), ctypes.c_uint(0))
    if rules < 0:
        return False
    for place in (*folders, "/dev", *caches()):
        with contextlib.suppress(OSError):  # there is no such folder
            allow(system, rules, place, rights)
    failed = system.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or system.syscall(RESTRICT_SELF, rules, 0)
    os.close(rules)
    return not failed


def landlock_version() -> int:
    """The version of Landlock's interface that the system has; below 1 where it has none."""
    if not sys.platform.startswith("linux"):
        return 0
    system = ctypes.CDLL(None, use_errno=True)
    return int(system.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint(ASK_VERSION)))


def caches() -> list[str]:
    """The caches of libraries, whether they exist or not."""
    home = os.path.expanduser("~")
    return [*(os.path.join(home, name) for name in CACHES), *(os.environ[name] for name in NAMED if name in os.environ)]


def allow(system: ctypes.CDLL, rules: int, place: str, rights: int) -> None:
    """Allow writing at and below a place.

    Raises:
        OSError: there is no such place.
    """
    descriptor = os.open(place, os.O_PATH | os.O_CLOEXEC)
    try:
        mine = rights if os.path.isdir(place) else rights & OF_FILES
        rule = struct.pack("=Qi", mine, descriptor)
        system.syscall(ADD_RULE, rules, ctypes.c_int(PATH_BENEATH), rule, ctypes.c_uint(0))
    finally:
        os.close(descriptor)
