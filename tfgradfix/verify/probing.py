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

#: Relative difference that is let pass: single precision has kinks and round-off, double precision has little.
ROOM = {"float16": 0.2, "bfloat16": 0.3, "float32": 5e-2, "float64": 1e-4}
#: How many units of round-off in the target are let pass.
ROUND_OFF = 16.0
#: Steps tried, in units of the cube root of eps: the first alone where it agrees.
STEPS = (1.0, 0.25, 4.0)
#: Gradient calls of one site that the first run looks at, and the sites of a program that are checked.
CALLS, SITES = 3, 3
#: Sources that get a direction of their own, beside the directions in which all of them move.
ALONE, TOGETHER = 4, 2
#: Gradient calls after which the first run has seen enough.
ENOUGH = 40
#: Values of `tf.stop_gradient` that are kept, in bytes.
KEPT = 256_000_000
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
        self.entered: list[tuple[Any, int]] = []
        self.calls = 0
        self.counts: dict[tuple[Any, ...], int] = {}
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
        self.entered.append((tape, len(self.made)))
        if self.chosen is not None and number == self.chosen["tape"]:
            with tape_free(self.tf):
                for made, step in self.chosen["moves"]:
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
        if index >= CALLS:
            return
        record: dict[str, Any] = {"call": number, "site": place, "method": method, "index": index}
        found = [order for order, (entered, _) in enumerate(self.entered) if entered is tape]
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
        elif any(each >= self.entered[found[0]][1] for each in numbers if each is not None):
            record["why"] = "its variables are made inside the tape"
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
        chosen = [(direction, terms) for direction in range(TOGETHER)]
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


class tape_free:  # noqa: N801  # used as a function
    """What is done inside is recorded by no tape."""

    def __init__(self, tensorflow: Any) -> None:
        self.scope = tensorflow.init_scope()

    def __enter__(self) -> None:
        self.scope.__enter__()

    def __exit__(self, *details: Any) -> None:
        self.scope.__exit__(*details)


def coarsest(dtypes: list[str]) -> str:
    """The dtype with the largest rounding."""
    real = {"complex64": "float32", "complex128": "float64"}
    known = [name for name in ROOM if name in {real.get(dtype, dtype) for dtype in dtypes}]
    return known[0] if known else "float64"


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
        result: dict[str, Any] = {}
        for call in sorted(able, key=lambda call: call["index"] != 1):
            result = self.call(call)
            if result["outcome"] == "agrees" or time.monotonic() > self.deadline:
                break
        return result

    def call(self, call: dict[str, Any]) -> dict[str, Any]:
        """The outcome at one call."""
        outcomes = [self.direction(call, each) for each in call["directions"]]
        known = [each for each in outcomes if each["outcome"] != "unknown"]
        differing = [each for each in known if each["outcome"] == "differs"]
        record = {**named(call), "directions": len(known)}
        if differing:
            worst = max(differing, key=lambda each: each["error"])
            return {**record, "outcome": "differs", "slope": worst["slope"], "difference": worst["difference"]}
        agreeing = [each for each in known if each["outcome"] == "agrees"]
        if not agreeing:
            why = "the target is not smooth there" if known else "the runs with moved weights did not reach it"
            return {**record, "outcome": "not checkable", "why": why}
        return {**record, "outcome": "agrees", "error": max(each["error"] for each in agreeing)}

    def direction(self, call: dict[str, Any], direction: dict[str, Any]) -> dict[str, Any]:
        """Compare one slope with the differences, at several steps where the first does not agree."""
        eps = {"float16": 9.8e-4, "bfloat16": 7.8e-3, "float32": 1.2e-7, "float64": 2.2e-16}[call["dtype"]]
        found = []
        for step in STEPS:
            size = step * eps ** (1 / 3)
            values = [self.moved(call, direction, sign * size) for sign in (1.0, -1.0)]
            if None in values or time.monotonic() > self.deadline:
                break
            difference = (values[0] - values[1]) / (2 * size)  # type: ignore[operator]
            slope = direction["slope"]
            larger = max(abs(slope), abs(difference))
            noise = ROUND_OFF * eps * max(call["size"], abs(call["value"])) / size
            error = abs(slope - difference) / larger if larger else 0.0
            found.append(difference)
            if abs(slope - difference) <= ROOM[call["dtype"]] * larger + noise:
                return {"outcome": "agrees", "error": error if larger > noise else 0.0}
        if len(found) < len(STEPS):
            return {"outcome": "unknown"}
        spread = max(found) - min(found)
        if spread > 0.2 * max(map(abs, found)):
            return {"outcome": "rough"}
        return {"outcome": "differs", "error": error, "slope": slope, "difference": found[0]}

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
