"""Checks gradients as numbers: the program is run again and again with its weights moved a little.

The file stands alone, as ``harness.py`` does, which loads it. The process that has imported TensorFlow forks for each
run and never runs an operation itself: a fork of a process with an initialised context hangs sooner or later.

One first run notes the gradient calls and, for a few directions ``d`` in the space of the sources, the slope ``g·d``
that the gradients give. Each further run moves the variables by ``±h·d`` at the moment when the tape of the chosen
call is entered, reads the target at that call and leaves. The central difference ``(f(x+hd) - f(x-hd)) / 2h`` has an
error of order ``h²`` and a round-off of ``eps·|f|/h``, so that ``h`` is the cube root of ``eps`` (Nocedal and Wright,
Numerical Optimization, section 8.1), in units of the root mean square of each variable.
"""

from __future__ import annotations

import json
import linecache
import os
import select
import signal
import sys
import time
from typing import Any

#: Relative difference that is let pass where kinks or round-off show: double precision has little of either.
ROOM = {"float16": 0.2, "bfloat16": 0.3, "float32": 5e-2, "float64": 1e-4}
#: The same where the first step is enough.
TIGHT = {"float16": 5e-2, "bfloat16": 0.1, "float32": 5e-3, "float64": 1e-6}
EPS = {"float16": 9.8e-4, "bfloat16": 7.8e-3, "float32": 1.2e-7, "float64": 2.2e-16}
#: The part of a gap by which differences at several steps may differ when the gap is not one of kinks or round-off.
STEADY = 0.3
#: How many units of round-off in the target are let pass.
ROUND_OFF = 8.0
#: A slope that round-off may change by more than this part of it is not known.
LOST = 0.1
#: Steps tried, in units of the cube root of eps: the first alone where it agrees.
STEPS = (1.0, 4.0, 0.25, 16.0)
#: Tapes of one site whose calls the first run looks at, and the sites of a program that are checked.
TAPES, SITES = 3, 3
#: Sources that get a direction of their own, beside the directions in which all of them move.
ALONE, TOGETHER = 4, 2
#: Gradient calls after which the first run has seen enough.
ENOUGH = 40
#: Values of `tf.stop_gradient` that are kept, in bytes.
KEPT = 256_000_000
#: Why a call is not checkable, by the outcome of its directions.
WHY = {
    "rough": "the target is not smooth there",
    "lost": "the slope is lost in the round-off of the target",
    "unknown": "the runs with moved weights did not reach it",
}
#: The root mean square that a variable without one is taken to have.
SMALL = 0.1


class Probe:
    """The wrappers of one run: the first one, or one that moves the weights."""

    def __init__(
        self, places: Any, tensorflow: Any, numpy: Any, order: dict[str, Any], answer: int, chosen: Any
    ) -> None:
        self.places, self.tf, self.np = places, tensorflow, numpy
        self.order, self.answer, self.chosen = order, answer, chosen
        self.stops, self.kept = 0, 0
        self.made: list[Any] = []
        self.entered: list[Any] = []
        self.calls = 0
        self.counts: dict[tuple[Any, ...], int] = {}
        self.tapes: dict[tuple[Any, ...], list[int]] = {}
        self.depth = 0

    def install(self) -> None:
        """Put the wrappers in place."""
        tape = self.tf.GradientTape
        enter = tape.__enter__

        def entering(own: Any) -> Any:
            self.enter(own)
            return enter(own)

        tape.__enter__ = entering
        for method in ("gradient", "jacobian", "batch_jacobian"):
            setattr(tape, method, self.asking(getattr(tape, method), method))
        inner: Any = sys.modules["tensorflow.python.ops.array_ops"]
        for module in (self.tf, inner):
            module.stop_gradient = self.stopping(module.stop_gradient)
        resources: Any = sys.modules["tensorflow.python.ops.resource_variable_ops"]
        variables = resources.BaseResourceVariable
        make = variables.__init__

        def making(own: Any, *args: Any, **kwargs: Any) -> None:
            make(own, *args, **kwargs)
            self.made.append(own)
            self.moved_late(len(self.made) - 1)

        variables.__init__ = making

    def stopping(self, original: Any) -> Any:
        """``original``, which stops a gradient: what the author stops on purpose is a constant to every run."""

        def stopped(*args: Any, **kwargs: Any) -> Any:
            value = original(*args, **kwargs)
            if not self.tf.executing_eagerly() or not self.on_purpose():
                return value
            number, self.stops = self.stops, self.stops + 1
            path = os.path.join(self.order["scratch"], f"{number}.npy")
            if self.chosen is not None:
                return self.tf.constant(self.np.load(path)) if os.path.exists(path) else value
            array = self.np.asarray(value)
            self.kept += array.nbytes
            if self.kept < KEPT:
                self.np.save(path, array)
            return value

        stopped.autograph_info__ = {}  # type: ignore[attr-defined]
        return stopped

    def on_purpose(self) -> bool:
        """Whether the program had this stop before it was changed, or a library makes it."""
        place = self.places.caller()
        if place["library"] is not None or place["file"] is None:
            return True
        path = os.path.join(self.order["folder"], place["file"])
        return self.order["stops"] is None or linecache.getline(path, place["line"]).strip() in self.order["stops"]

    def enter(self, tape: Any) -> None:
        """Note which tape is entered when; move the variables if it is the chosen one."""
        number = len(self.entered)
        self.entered.append(tape)
        if self.chosen is not None and number == self.chosen["tape"]:
            with self.tf.init_scope():  # recorded by no tape
                for made, step in self.chosen["moves"]:
                    if made < len(self.made):
                        self.move(self.made[made], made, step)

    def moved_late(self, number: int) -> None:
        """Move a variable that is made after the chosen tape was entered: a model that is built by its first call."""
        if self.chosen is None or len(self.entered) <= self.chosen["tape"]:
            return
        for made, step in self.chosen["moves"]:
            if made == number:
                with self.tf.init_scope():
                    self.move(self.made[made], made, step)

    def move(self, variable: Any, number: int, step: float) -> None:
        """Add ``step`` times a fixed pattern of signs to a variable."""
        signs = self.signs(number, variable.shape, self.chosen["direction"] if self.chosen else 0)
        change = self.tf.constant((step * signs).astype(variable.dtype.as_numpy_dtype))
        self.tf.raw_ops.AssignAddVariableOp(resource=variable.handle, value=change)

    def signs(self, number: int, shape: Any, direction: int) -> Any:
        """The direction in which a variable moves: a pattern of signs, the same in every run."""
        generator = self.np.random.RandomState(7919 * direction + number)
        return generator.choice([-1.0, 1.0], size=tuple(int(size) for size in shape))

    def asking(self, original: Any, method: str) -> Any:
        """``original``, a gradient call; in the chosen one the target is read and the run is over."""

        def asked(tape: Any, *args: Any, **kwargs: Any) -> Any:
            outer, self.depth = self.depth, self.depth + 1
            try:
                place = self.places.caller()
                if outer and place["library"] is not None:
                    return original(tape, *args, **kwargs)
                number, self.calls = self.calls, self.calls + 1
                if self.chosen is not None and number == self.chosen["call"]:
                    self.leave({"value": self.value(args, kwargs)[0]})
                result = original(tape, *args, **kwargs)
                if self.chosen is None and self.tf.executing_eagerly():
                    self.note(number, place, method, tape, args, kwargs, result)
                if self.chosen is None and self.calls >= ENOUGH:
                    os._exit(0)
                return result
            finally:
                self.depth = outer

        asked.autograph_info__ = {}  # type: ignore[attr-defined]
        return asked

    def value(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[float, float, str]:
        """The number that the gradient is the slope of, the size of its terms, and its dtype."""
        targets = self.tf.nest.flatten(args[0] if args else kwargs.get("target"))
        weights = kwargs.get("output_gradients", args[2] if len(args) > 2 else None)
        given = self.tf.nest.flatten(weights) if weights is not None else [None] * len(targets)
        total, size, dtypes = 0.0, 0.0, []
        for target, weight in zip(targets, given):  # noqa: B905  # not in Python 3.9
            array = self.np.asarray(target).astype("float64")
            terms = array if weight is None else array * self.np.asarray(weight)
            total, size = total + float(terms.sum()), size + float(abs(terms).sum())
            dtypes.append(getattr(getattr(target, "dtype", None), "name", "float64"))
        return total, size, coarsest(dtypes)

    def note(
        self,
        number: int,
        place: dict[str, Any],
        method: str,
        tape: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        result: Any,
    ) -> None:
        """Send what is needed to check one gradient call."""
        key = (place["file"], place["line"], place["library"], method)
        index = self.counts.get(key, 0)
        self.counts[key] = index + 1
        found = [order for order, entered in enumerate(self.entered) if entered is tape]
        looked_at = self.tapes.setdefault(key, [])
        if len(looked_at) >= TAPES or looked_at[-1:] == found:
            return
        looked_at += found[:1]
        record: dict[str, Any] = {"call": number, "site": place, "method": method, "index": index}
        sources = self.tf.nest.flatten(args[1] if len(args) > 1 else kwargs.get("sources", kwargs.get("source")))
        gradients = self.tf.nest.flatten(result)
        pairs = [(s, g) for s, g in zip(sources, gradients) if g is not None]  # noqa: B905
        numbers = [self.number(source) for source, _ in pairs]
        if len(found) != 1:
            record["why"] = "its tape is entered more than once"
        elif not pairs:
            record["why"] = "it has no gradient"
        elif any(each is None for each in numbers):
            record["why"] = "a source is no variable"
        else:
            value, size, dtype = self.value(args, kwargs)
            dtypes = [getattr(source.dtype, "name", source.dtype) for source, _ in pairs]
            dtype = coarsest([dtype, *dtypes])
            record.update(tape=found[0], value=value, size=size, dtype=dtype)
            record["directions"] = self.slopes(pairs, [each for each in numbers if each is not None], method)
        self.send(record)

    def slopes(self, pairs: list[tuple[Any, Any]], numbers: list[int], method: str) -> list[dict[str, Any]]:
        """A few directions: how far each variable moves in them, and the slope that the gradients give."""
        terms = []
        for (_, gradient), number in zip(pairs, numbers):  # noqa: B905
            variable = self.made[number]
            value = self.np.asarray(self.tf.raw_ops.ReadVariableOp(resource=variable.handle, dtype=variable.dtype))
            scale = float(self.np.sqrt(self.np.mean(self.np.square(value.astype("float64"))))) or SMALL
            dense = self.np.asarray(self.tf.convert_to_tensor(gradient)).astype("float64")
            if method != "gradient":
                dense = dense.reshape((-1, *value.shape)).sum(axis=0)
            terms.append((number, scale, dense))
        chosen = [(direction, terms) for direction in range(TOGETHER if len(terms) == 1 else 1)]
        if len(terms) > 1:
            chosen += [(TOGETHER + own, [term]) for own, term in enumerate(terms[:ALONE])]
        return [
            {
                "direction": direction,
                "moves": [(number, scale) for number, scale, _ in part],
                "slope": sum(
                    float((dense * scale * self.signs(number, dense.shape, direction)).sum())
                    for number, scale, dense in part
                ),
            }
            for direction, part in chosen
        ]

    def number(self, source: Any) -> int | None:
        """Which variable of the program a source is, by the order in which they were made."""
        handle = getattr(getattr(source, "_value", source), "handle", None)
        if handle is None:
            return None
        return next((number for number, made in enumerate(self.made) if made.handle is handle), None)

    def send(self, record: dict[str, Any]) -> None:
        """Write one line to the process that forked this one."""
        os.write(self.answer, (json.dumps(record) + "\n").encode("ascii"))

    def leave(self, record: dict[str, Any]) -> None:
        """Answer, and end the run whatever the program makes of exceptions."""
        self.send(record)
        os._exit(0)


def coarsest(dtypes: list[str]) -> str:
    """The dtype with the largest rounding."""
    real = {"complex64": "float32", "complex128": "float64"}
    known = [name for name in ROOM if name in {real.get(dtype, dtype) for dtype in dtypes}]
    return known[0] if known else "float64"


class Difference:
    """The target at a place and on both sides of it: the central difference and what round-off makes uncertain."""

    def __init__(self, size: float, here: float, ahead: float, behind: float, terms: float, dtype: str) -> None:
        self.size = size
        self.value = (ahead - behind) / (2 * size)
        self.sides = sorted(((ahead - here) / size, (here - behind) / size))
        self.noise = ROUND_OFF * EPS[dtype] * max(terms, abs(here)) / size

    def gap(self, slope: float) -> float:
        """How far a slope is from it."""
        return abs(slope - self.value)

    def larger(self, slope: float) -> float:
        """What the gap is measured by."""
        return max(abs(slope), abs(self.value))

    def tells(self, slope: float) -> bool:
        """Whether round-off leaves enough of it."""
        return self.noise <= LOST * self.larger(slope)

    def agrees(self, slope: float, room: float) -> bool:
        """Whether a slope is as near as ``room`` and round-off allow."""
        return self.tells(slope) and self.gap(slope) <= room * self.larger(slope) + self.noise

    def is_kink(self, slope: float) -> bool:
        """Whether a slope lies between those of the two sides, which differ as much as it does."""
        low, high = self.sides
        return low - self.noise <= slope <= high + self.noise and high - low > 0.5 * self.gap(slope)


def judged(slope: float, found: list[Difference], dtype: str) -> dict[str, Any]:
    """The outcome in one direction.

    What differs by the same at every step is wrong; kinks and round-off differ from step to step.
    """
    telling = [each for each in found if each.tells(slope)]
    if not telling:
        return {"outcome": "lost" if found else "unknown"}
    nearest = min(telling, key=lambda each: each.gap(slope))
    error = nearest.gap(slope) / nearest.larger(slope) if nearest.larger(slope) else 0.0
    if nearest.agrees(slope, TIGHT[dtype]):
        return {"outcome": "agrees", "error": error}
    values = [each.value for each in telling]
    steady = len(telling) > 1 and max(values) - min(values) <= STEADY * nearest.gap(slope)
    if not steady:
        return {"outcome": "agrees", "error": error} if nearest.agrees(slope, ROOM[dtype]) else {"outcome": "rough"}
    if min(telling, key=lambda each: each.size).is_kink(slope):
        return {"outcome": "rough"}
    return {"outcome": "differs", "error": error, "slope": slope, "difference": nearest.value}


class Checker:
    """Forks the runs and judges each gradient call."""

    def __init__(self, start: Any, limit: float) -> None:
        self.start = start
        self.deadline = time.monotonic() + limit

    def check(self) -> dict[str, Any]:
        """The outcome of each call that was looked at, and why others were not."""
        noted = self.fork(None)
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
        """Compare one slope with the differences, at several steps where the first does not agree."""
        found: list[Difference] = []
        for step in STEPS:
            size = step * EPS[call["dtype"]] ** (1 / 3)
            ahead, behind = (self.moved(call, direction, sign * size) for sign in (1.0, -1.0))
            if ahead is None or behind is None or time.monotonic() > self.deadline:
                break
            found.append(Difference(size, call["value"], ahead, behind, call["size"], call["dtype"]))
            if found[-1].agrees(direction["slope"], TIGHT[call["dtype"]]):
                break
        return judged(direction["slope"], found, call["dtype"])

    def moved(self, call: dict[str, Any], direction: dict[str, Any], step: float) -> float | None:
        """The target with the weights moved, or None where that run did not get there."""
        moves = [(number, scale * step) for number, scale in direction["moves"]]
        chosen = {"call": call["call"], "tape": call["tape"], "moves": moves, "direction": direction["direction"]}
        answers = self.fork(chosen)
        return answers[-1]["value"] if answers else None

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
