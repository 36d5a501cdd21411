"""Runs many programs under the harness in forks of one process that has imported TensorFlow, to see whether two differ.

It is for choosing only: what the proof says of a program is asked of the proof, which starts interpreters of its own.
"""

from __future__ import annotations

import atexit
import importlib
import os
import select
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tfgradfix.verify import Agreement
from tfgradfix.verify.inside.runs import run
from tfgradfix.verify.output import first_difference
from tfgradfix.verify.records import Report, Value, read_weights
from tfgradfix.verify.values import GRADIENTS, TARGETS, WEIGHTS, agree, precision

#: Seconds for one run.
SECONDS: Final = 60.0
#: Gradient calls that are compared.
CALLS: Final = 30


@dataclass(frozen=True)
class Seen:
    """What one run gave: whether it came to its end, its gradient calls, its weights and what it printed."""

    finished: bool
    report: Report
    weights: tuple[Value | None, ...]
    output: str


def prepare() -> None:
    """Import what all programs need; no operation may run before the forks."""
    os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="-1", MPLBACKEND="Agg", PYTHONHASHSEED="0")
    for name in ("numpy", "tensorflow", "keras", "tensorflow.keras"):
        importlib.import_module(name)


def observe(folder: Path, script: Path) -> Seen:
    """Run ``script`` of ``folder`` in a fork, which changes files beside the script at will."""
    reading, writing = os.pipe()
    printed = folder.with_suffix(".out")
    child = os.fork()
    if not child:
        os.close(reading)
        _run(folder, script, writing, printed)
    os.close(writing)
    data, limit = b"", time.monotonic() + SECONDS
    while select.select([reading], [], [], max(limit - time.monotonic(), 0.0))[0]:
        chunk = os.read(reading, 1 << 16)
        if not chunk:
            break
        data += chunk
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(reading)
    report = Report()
    report.read(line.decode() for line in data.split(b"\n")[:-1])
    end = report.end or {}
    finished = report.end is not None and not end["status"] and report.failure is None
    return Seen(finished, report, read_weights(end), printed.read_text(errors="replace"))


def _run(folder: Path, script: Path, writing: int, printed: Path) -> None:
    """In the fork: become the harness's child process."""
    os.setsid()
    output = os.open(printed, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    silent = os.open(os.devnull, os.O_RDWR)
    for descriptor, to in ((silent, 0), (output, 1), (silent, 2)):
        os.dup2(descriptor, to)
    atexit._clear()  # the parent's handlers would delete its temporary folder
    os.chdir(script.parent)
    order = {"script": str(script), "arguments": [], "folder": str(folder), "report": writing, "seed": 20}
    sys.path[0] = str(script.parent)
    status = 1
    try:
        run({**order, "eager": False, "stop_after": None})
        status = 0
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(status)


def differ(one: Seen, other: Seen) -> str:
    """In what two runs differ: "gradient", "value", "weights", "output" or ""."""
    pairs = list(zip(one.report.calls[:CALLS], other.report.calls[:CALLS], strict=False))
    if len(one.report.calls) != len(other.report.calls):
        return "calls"
    for first, second in pairs:
        for mine, its in zip(first.sources, second.sources, strict=False):
            if (mine.gradient is None) != (its.gradient is None) or _apart(mine.gradient, its.gradient, GRADIENTS):
                return "gradient"
        if any(_apart(mine, its, TARGETS) for mine, its in zip(first.targets, second.targets, strict=False)):
            return "value"
    if any(_apart(mine, its, WEIGHTS) for mine, its in zip(one.weights, other.weights, strict=False)):
        return "weights"
    return "output" if first_difference(one.output, other.output) else ""


def _apart(one: Value | None, other: Value | None, tolerances: object) -> bool:
    tolerance = tolerances[precision((one, other))]  # type: ignore[index]
    return agree(one, other, tolerance) is Agreement.DIFFERENT
