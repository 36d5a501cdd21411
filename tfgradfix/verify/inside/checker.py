"""Checks gradients as numbers: the program is run again and again with its weights moved a little.

The process that has imported TensorFlow forks for each run and never runs an operation itself: a fork of a process
with an initialised context hangs sooner or later. The central difference ``(f(x+hd) - f(x-hd)) / 2h`` of two runs has
an error of order ``h²`` and a round-off of ``eps·|f|/h``, so that ``h`` is the cube root of ``eps`` (Nocedal and
Wright, Numerical Optimization, section 8.1), in units of the root mean square of each variable.
"""

from __future__ import annotations

import importlib
import json
import os
import select
import signal
import time
from typing import TYPE_CHECKING, Any

from .caps import install_caps
from .counters import compiled
from .datasets import Datasets
from .differences import TIGHT, compared
from .program import plainly, run_main
from .repeating import Repeating
from .replay import Replay
from .seeds import Seeds

if TYPE_CHECKING:
    from .places import Places

#: The sites of a program that are checked.
SITES = 8
#: Why a call is not checkable, by the outcome of its directions.
WHY = {
    "rough": "the target is not smooth there",
    "lost": "the slope is lost in the round-off of the target",
    "unknown": "the runs with moved weights did not reach it",
}


def check_numbers(order: dict[str, Any], places: Places, tensorflow: Any, numpy: Any) -> dict[str, Any]:
    """Check the gradients of a program, in forks of this process."""
    context = importlib.import_module("tensorflow.python.eager.context").context()
    if not hasattr(os, "fork") or context._initialized:
        return {"calls": [], "why": "this system cannot fork a process that has TensorFlow"}

    def start(answer: int, chosen: Any) -> None:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        tensorflow.config.run_functions_eagerly(True)
        if order.get("capped"):
            install_caps(places, tensorflow)
        Datasets(tensorflow, numpy).install()
        Replay(places, tensorflow, numpy, order, answer, chosen).install()
        Seeds(tensorflow, numpy).seed_all(order["seed"])
        run_main(order["script"], order["arguments"], compiled if order.get("capped") else plainly)

    checker = Checker(start, order["probe"])
    checker.repeating = Repeating(start, places, checker.deadline)
    return checker.check()


class Checker:
    """Forks the runs and judges each gradient call."""

    def __init__(self, start: Any, limit: float) -> None:
        self.start = start
        self.deadline = time.monotonic() + limit
        self.repeating: Repeating | None = None

    def check(self) -> dict[str, Any]:
        """The outcome of each call that was looked at, and why others were not."""
        noted = self.repeating.noted() if self.repeating is not None else self.fork(None)
        sites: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
        for record in noted:
            key = (record["site"]["file"], record["site"]["line"], record["site"]["library"], record["method"])
            sites.setdefault(key, []).append(record)
        return {"calls": [self.site(calls) for calls in list(sites.values())[:SITES]]}

    def site(self, calls: list[dict[str, Any]]) -> dict[str, Any]:
        """The outcome at one site: at its second call if that can be checked, since the first may build the model."""
        able = [call for call in calls if "why" not in call]
        if not able:
            return {**named(calls[0]), "outcome": "not checkable", "why": calls[0]["why"]}
        results: list[dict[str, Any]] = []
        for call in sorted(able, key=lambda call: call is calls[0]):
            results.append(self.call(call))
            if results[-1]["outcome"] == "agrees" or time.monotonic() > self.deadline:
                break
        differing = [each for each in results if each["outcome"] == "differs"]
        # A kink that lies just where the weights are looks wrong at one call; the next one has to agree closely then.
        if differing and results[-1].get("error", 1.0) > TIGHT[able[0]["dtype"]]:
            return differing[0]
        return results[-1]

    def call(self, call: dict[str, Any]) -> dict[str, Any]:
        """The outcome at one call."""
        outcomes = []
        for direction in call["directions"]:
            outcomes.append(self.direction(call, direction))
            if outcomes[-1]["outcome"] == "differs":
                break
        known = [each for each in outcomes if each["outcome"] in ("agrees", "differs")]
        differing = [each for each in known if each["outcome"] == "differs"]
        record = {**named(call), "directions": len(known)}
        if differing:
            worst = max(differing, key=lambda each: each["error"])
            return {**record, "outcome": "differs", "slope": worst["slope"], "difference": worst["difference"]}
        agreeing = [each for each in known if each["outcome"] == "agrees"]
        if not agreeing:
            reasons = {each["outcome"] for each in outcomes}
            why = next(WHY[outcome] for outcome in WHY if outcome in reasons)
            return {**record, "outcome": "not checkable", "why": why}
        return {**record, "outcome": "agrees", "error": max(each["error"] for each in agreeing)}

    def direction(self, call: dict[str, Any], direction: dict[str, Any]) -> dict[str, Any]:
        """Compare one slope with the differences."""

        def sides(size: float) -> tuple[float, float] | None:
            ahead, behind = (self.moved(call, direction, sign * size) for sign in (1.0, -1.0))
            if ahead is None or behind is None or time.monotonic() > self.deadline:
                return None
            return ahead, behind

        return compared(direction["slope"], call["value"], call["size"], call["dtype"], sides)

    def moved(self, call: dict[str, Any], direction: dict[str, Any], step: float) -> float | None:
        """The target with the weights moved, or None where that run did not get there."""
        moves = [(kind, number, scale * step) for kind, number, scale in direction["moves"]]
        chosen = {"call": call["call"], "tape": call["tape"], "moves": moves, "direction": direction["direction"]}
        answers = self.answers(chosen)
        return answers[-1]["value"] if answers else None

    def answers(self, chosen: dict[str, Any]) -> list[dict[str, Any]]:
        """What a run with the weights moved answers, in a process that has run the program before, or in a fork."""
        if self.repeating is not None:
            found = self.repeating.answer(chosen)
            if found is not None:
                return found
            self.repeating.end()
            self.repeating = None
        return self.fork(chosen)

    def fork(self, chosen: dict[str, Any] | None) -> list[dict[str, Any]]:
        """Run the program in a fork; give the lines that it answered."""
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                os.close(reading)
                self.start(writing, chosen)
            finally:
                os._exit(0)
        os.close(writing)
        data = b""
        while True:
            ready, _, _ = select.select([reading], [], [], max(0.0, self.deadline - time.monotonic()))
            part = os.read(reading, 1 << 16) if ready else b""
            if not part:
                break
            data += part
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return [json.loads(line) for line in data.decode("ascii").splitlines() if line.endswith("}")]


def named(call: dict[str, Any]) -> dict[str, Any]:
    """What tells a call from others."""
    return {"site": call["site"], "method": call["method"], "index": call["index"]}
