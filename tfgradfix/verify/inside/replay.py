"""One run with the weights moved, or the first one, which notes what can be checked.

The first run notes the gradient calls and, for a few directions ``d`` in the space of the sources, the slope ``g·d``
that the gradients give. Each further run moves the variables by ``±h·d`` at the moment when the tape of the chosen
call is entered, reads the target at that call and leaves.
"""

from __future__ import annotations

import json
import linecache
import os
import sys
from typing import Any

from .differences import coarsest

#: Tapes of one site whose calls the first run looks at.
TAPES = 3
#: Sources that get a direction of their own, beside the directions in which all of them move.
ALONE, TOGETHER = 4, 2
#: Gradient calls after which the first run has seen enough.
ENOUGH = 40
#: Values of `tf.stop_gradient` that are kept, in bytes.
KEPT = 256_000_000
#: The root mean square that a variable without one is taken to have.
SMALL = 0.1


class Replay:
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
