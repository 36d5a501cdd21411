"""Runs a small program again and again in one fork: TensorFlow's first operations cost a process more than the program.

A program may leave something in its process that makes its next run another one. So for each call the program is first
run once more as it is, and only if the target has the very value that it had the first time, what this process answers
is believed. Otherwise every run gets a fork of its own.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import sys
import time
from importlib.machinery import SourceFileLoader
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable

    from .places import Places

#: Seconds of a first run from which on it is no matter what a fork costs.
SMALL = 2.0
#: A run that takes so many times as long as the first, and more than so many seconds, has gone astray.
PATIENCE, AT_LEAST = 5.0, 1.0
OVER = {"over": True}


class Left(BaseException):
    """The program has been left where it would have ended its process."""


class Repeating:
    """One fork and the runs in it; ``start`` is what a fork for one run would do."""

    def __init__(self, start: Callable[[int, Any], None], places: Places, deadline: float) -> None:
        self.start, self.places, self.deadline = start, places, deadline
        self.values: dict[int, float] = {}
        self.believed: set[int] = set()
        self.first = 0.0
        self.data = b""
        answers, orders = os.pipe(), os.pipe()
        self.child = os.fork()
        if self.child == 0:
            try:
                os.close(answers[0])
                os.close(orders[1])
                self.serve(orders[0], answers[1])
            finally:
                os.kill(os.getpid(), signal.SIGKILL)
        os.close(answers[1])
        os.close(orders[0])
        self.reading, self.writing = answers[0], orders[1]

    def noted(self) -> list[dict[str, Any]]:
        """What the first run notes."""
        began = time.monotonic()
        records = self.ask(None, self.deadline)
        self.first = time.monotonic() - began
        self.values = {record["call"]: record["value"] for record in records if "value" in record}
        return records

    def answer(self, chosen: dict[str, Any]) -> list[dict[str, Any]] | None:
        """What a run with the weights moved answers; None where this process is not to be believed."""
        if self.first > SMALL:
            return None
        if chosen["call"] not in self.believed:
            as_it_is = self.value({**chosen, "moves": []})
            if as_it_is is None or as_it_is != self.values.get(chosen["call"]):
                return None
            self.believed.add(chosen["call"])
        value = self.value(chosen)
        return None if value is None else [{"value": value}]

    def value(self, chosen: dict[str, Any]) -> float | None:
        """The target of one run; None where it did not get there."""
        until = min(self.deadline, time.monotonic() + max(AT_LEAST, PATIENCE * self.first))
        answers = self.ask(chosen, until)
        return float(answers[-1]["value"]) if answers and "value" in answers[-1] else None

    def ask(self, chosen: Any, until: float) -> list[dict[str, Any]]:
        """The lines of one run; those that came by then if it is not over at some time."""
        try:
            os.write(self.writing, (json.dumps(chosen) + "\n").encode("ascii"))
        except BrokenPipeError:
            return []
        records: list[dict[str, Any]] = []
        while OVER not in records:
            ready, _, _ = select.select([self.reading], [], [], max(0.0, until - time.monotonic()))
            part = os.read(self.reading, 1 << 16) if ready else b""
            *lines, self.data = (self.data + part).split(b"\n")
            records += [json.loads(line) for line in lines if line.endswith(b"}")]
            if not part:
                return records if chosen is None else []
        return [record for record in records if record != OVER]

    def end(self) -> None:
        """End the fork."""
        os.kill(self.child, signal.SIGKILL)
        os.waitpid(self.child, 0)
        os.close(self.reading)
        os.close(self.writing)

    def serve(self, orders: int, answers: int) -> None:
        """The life of the fork: one run after the other."""
        os._exit = left  # type: ignore[assignment]  # with this a run ends
        before = State(self.places)
        with os.fdopen(orders, encoding="ascii") as lines:
            for line in lines:
                with contextlib.suppress(BaseException):  # however a run ends, its answer is what counts
                    self.start(answers, json.loads(line))
                before.restore()
                os.write(answers, (json.dumps(OVER) + "\n").encode("ascii"))


def left(_status: int) -> NoReturn:
    """In place of `os._exit`."""
    raise Left


class State:
    """What a run changes in its process, as far as it is known, and how it was before."""

    def __init__(self, places: Places) -> None:
        self.places = places
        tensorflow = importlib.import_module("tensorflow")
        names = ("tensorflow.python.ops.array_ops", "tensorflow.compat.v1", "numpy.random")
        modules = [importlib.import_module(name) for name in names]
        variables = importlib.import_module("tensorflow.python.ops.resource_variable_ops").BaseResourceVariable
        classes = [
            tensorflow.GradientTape,
            tensorflow.autodiff.ForwardAccumulator,
            type(tensorflow.function(lambda: None)),
        ]
        # Where the wrappers of a run are put.
        holders = [tensorflow, *modules, *classes, variables, SourceFileLoader]
        self.holders = [(holder, dict(vars(holder))) for holder in holders]
        self.modules, self.main = set(sys.modules), sys.modules["__main__"]
        self.folder, self.path = os.getcwd(), list(sys.path)
        self.streams, self.environment = (sys.stdout, sys.stderr), dict(os.environ)

    def restore(self) -> None:
        """Make it so again."""
        for holder, attributes in self.holders:
            for name, value in attributes.items():
                if vars(holder).get(name) is not value:
                    setattr(holder, name, value)
            for name in set(vars(holder)) - set(attributes):
                if isinstance(holder, type):
                    delattr(holder, name)
        for name in set(sys.modules) - self.modules:
            file = getattr(sys.modules[name], "__file__", None)
            if isinstance(file, str) and self.places.kind(file) == "user":
                del sys.modules[name]
        sys.modules["__main__"] = self.main
        sys.path[:] = self.path
        sys.stdout, sys.stderr = self.streams
        os.chdir(self.folder)
        os.environ.clear()
        os.environ.update(self.environment)
        for name in ("keras", "tf_keras"):  # numbers its layers, and draws from a generator of its own
            if name in sys.modules:
                sys.modules[name].backend.clear_session()
        gc.collect()
