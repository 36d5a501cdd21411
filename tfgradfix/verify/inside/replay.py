"""One run with the weights moved, or the first one, which notes what can be checked.

The first run notes the gradient calls and, for a few directions ``d`` in the space of the sources, the slope ``g·d``
that the gradients give. Each further run moves the sources by ``±h·d``, variables at the moment when the tape of the
chosen call is entered, tensors when that tape is told to watch them; it reads the target at that call and leaves.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from .differences import SMALL, coarsest
from .handles import Handles
from .stops import Stops
from .ways import TAPE_METHODS, argument, of_tape

#: Tapes of one site whose calls the first run looks at.
TAPES = 3
#: Sources that get a direction of their own, beside the directions in which all of them move.
ALONE, TOGETHER = 4, 2
#: Gradient calls after which the first run has seen enough.
ENOUGH = 40


class Replay:
    """The wrappers of one run: the first one, or one that moves the weights."""

    def __init__(
        self, places: Any, tensorflow: Any, numpy: Any, order: dict[str, Any], answer: int, chosen: Any
    ) -> None:
        self.places, self.tf, self.np = places, tensorflow, numpy
        self.eager = sys.modules["tensorflow.python.framework.ops"].EagerTensor
        self.order, self.answer, self.chosen = order, answer, chosen
        self.made: list[Any] = []
        self.entered: list[Any] = []
        self.watched: list[tuple[Any, Any]] = []
        self.handles: Handles | None = None
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
        watch = tape.watch

        def watching(own: Any, tensor: Any) -> Any:
            for each in self.tf.nest.flatten(tensor, expand_composites=True):
                self.watch(own, each)
            return watch(own, tensor)

        tape.watch = watching
        for method in TAPE_METHODS:
            setattr(tape, method, self.asking(getattr(tape, method), method))
        Stops(self.places, self.tf, self.np, self.order, keep=self.chosen is None).install()
        resources: Any = sys.modules["tensorflow.python.ops.resource_variable_ops"]
        variables = resources.BaseResourceVariable
        make = variables.__init__

        def making(own: Any, *args: Any, **kwargs: Any) -> None:
            make(own, *args, **kwargs)
            self.made.append(own)
            self.moved_late(len(self.made) - 1)

        variables.__init__ = making

    def enter(self, tape: Any) -> None:
        """Note which tape is entered when; move the variables if it is the chosen one."""
        number = len(self.entered)
        self.entered.append(tape)
        if self.chosen is not None and number == self.chosen["tape"]:
            with self.tf.init_scope():  # recorded by no tape
                for kind, made, step in self.chosen["moves"]:
                    if kind == "variable" and made < len(self.made):
                        self.move(self.made[made], made, step)

    def watch(self, tape: Any, tensor: Any) -> None:
        """Note a tensor that a tape is told to watch; move it if it is one to be moved."""
        if isinstance(tensor, self.eager):
            number = len(self.watched)
            self.watched.append((tape, tensor))
            for kind, moved, step in self.chosen["moves"] if self.chosen is not None else ():
                if (kind, moved) == ("tensor", number):
                    with self.tf.init_scope():
                        moved_to = tensor + self.change(tensor, kind, number, step)
                        self.exchanger().give(tensor, moved_to)

    def exchanger(self) -> Handles:
        """What moves tensors; made when the program has begun to run operations, which it must not do before."""
        if self.handles is None:
            with self.tf.init_scope():
                self.handles = Handles(self.tf)
        return self.handles

    def moved_late(self, number: int) -> None:
        """Move a variable that is made after the chosen tape was entered: a model that is built by its first call."""
        if self.chosen is None or len(self.entered) <= self.chosen["tape"]:
            return
        for kind, made, step in self.chosen["moves"]:
            if (kind, made) == ("variable", number):
                with self.tf.init_scope():
                    self.move(self.made[made], made, step)

    def move(self, variable: Any, number: int, step: float) -> None:
        """Add ``step`` times a fixed pattern of signs to a variable."""
        change = self.change(variable, "variable", number, step)
        self.tf.raw_ops.AssignAddVariableOp(resource=variable.handle, value=change)

    def change(self, source: Any, kind: str, number: int, step: float) -> Any:
        """By how much a source moves."""
        signs = self.signs(kind, number, source.shape, self.chosen["direction"] if self.chosen else 0)
        return self.tf.constant((step * signs).astype(source.dtype.as_numpy_dtype))

    def signs(self, kind: str, number: int, shape: Any, direction: int) -> Any:
        """The direction in which a source moves: a pattern of signs, the same in every run."""
        generator = self.np.random.RandomState(7919 * direction + number + (104729 if kind == "tensor" else 0))
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
                target, sources = of_tape((tape, *args), kwargs)
                weights = argument(args, kwargs, 2, "output_gradients") if method == "gradient" else None
                if self.chosen is not None and number == self.chosen["call"]:
                    self.leave({"value": self.value(method, target, weights)[0]})
                result = original(tape, *args, **kwargs)
                if self.chosen is None and self.tf.executing_eagerly():
                    self.note(number, place, method, tape, target, sources, weights, result)
                if self.chosen is None and self.calls >= ENOUGH:
                    os._exit(0)
                return result
            finally:
                self.depth = outer

        asked.autograph_info__ = {}  # type: ignore[attr-defined]
        return asked

    def value(self, method: str, target: Any, weights: Any) -> tuple[float, float, str]:
        """The number that the gradient is the slope of, the size of its terms, and its dtype."""
        targets = self.tf.nest.flatten(target)
        given = self.tf.nest.flatten(weights) if weights is not None else [None] * len(targets)
        total, size, dtypes = 0.0, 0.0, []
        for each, weight in zip(targets, given):  # noqa: B905  # not in Python 3.9
            array = self.np.asarray(each).astype("float64")
            if method != "gradient":
                weight = self.weights(array.shape)
            terms = array if weight is None else array * self.np.asarray(weight)
            total, size = total + float(terms.sum()), size + float(abs(terms).sum())
            dtypes.append(getattr(getattr(each, "dtype", None), "name", "float64"))
        return total, size, coarsest(dtypes)

    def weights(self, shape: Any) -> Any:
        """Weights for the elements of a target: with a plain sum two rows of a jacobian could change their places."""
        return self.np.random.RandomState(len(shape)).uniform(0.5, 1.5, size=shape)

    def note(
        self,
        number: int,
        place: dict[str, Any],
        method: str,
        tape: Any,
        target: Any,
        sources: Any,
        weights: Any,
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
        each = zip(self.tf.nest.flatten(sources), self.tf.nest.flatten(result))  # noqa: B905
        pairs = [(self.source(tape, s), s, g) for s, g in each if g is not None]
        why = self.why_not(found, pairs)
        if why is not None:
            record["why"] = why
        else:
            value, size, dtype = self.value(method, target, weights)
            dtypes = [getattr(source.dtype, "name", source.dtype) for _, source, _ in pairs]
            record.update(tape=found[0], value=value, size=size, dtype=coarsest([dtype, *dtypes]))
            record["directions"] = self.slopes([self.term(method, m, s, g) for m, s, g in pairs if m is not None])
        self.send(record)

    def why_not(self, found: list[int], pairs: list[Any]) -> str | None:
        """Why a call cannot be checked, if so."""
        if len(found) != 1:
            return "its tape is entered more than once"
        if not pairs:
            return "it has no gradient"
        if any(moved is None for moved, _, _ in pairs):
            return "a source is neither a variable nor a watched tensor"
        if any(moved[0] == "tensor" for moved, _, _ in pairs) and self.exchanger().place is None:
            return "a source is a tensor, which this version of TensorFlow does not let be moved"
        return None

    def term(self, method: str, moved: tuple[str, int], source: Any, gradient: Any) -> tuple[str, int, float, Any]:
        """One source: which it is, how far it moves in a unit of the step, and its gradient."""
        kind, number = moved
        value = self.np.asarray(self.current(self.made[number]) if kind == "variable" else source)
        scale = float(self.np.sqrt(self.np.mean(self.np.square(value.astype("float64"))))) or SMALL
        dense = self.np.asarray(self.tf.convert_to_tensor(gradient)).astype("float64")
        if method == "jacobian":
            shape = dense.shape[: dense.ndim - value.ndim]
            dense = self.np.tensordot(self.weights(shape), dense, len(shape))
        elif method == "batch_jacobian":  # example, target's own axes, source's own axes
            shape = dense.shape[: dense.ndim - value.ndim + 1]
            weights = self.weights(shape).reshape(shape + (1,) * (value.ndim - 1))
            dense = (dense * weights).sum(axis=tuple(range(1, len(shape))))
        return kind, number, scale, dense

    def current(self, variable: Any) -> Any:
        """The value of a variable, read so that no tape takes note."""
        return self.tf.raw_ops.ReadVariableOp(resource=variable.handle, dtype=variable.dtype)

    def slopes(self, terms: list[tuple[str, int, float, Any]]) -> list[dict[str, Any]]:
        """A few directions: how far each source moves in them, and the slope that the gradients give."""
        chosen = [(direction, terms) for direction in range(TOGETHER)]
        if len(terms) > 1:
            chosen += [(TOGETHER + own, [term]) for own, term in enumerate(terms[:ALONE])]
        return [
            {
                "direction": direction,
                "moves": [(kind, number, scale) for kind, number, scale, _ in part],
                "slope": sum(
                    float((dense * scale * self.signs(kind, number, dense.shape, direction)).sum())
                    for kind, number, scale, dense in part
                ),
            }
            for direction, part in chosen
        ]

    def source(self, tape: Any, source: Any) -> tuple[str, int] | None:
        """Which variable of the program a source is, by the order of their making, or which watched tensor."""
        if isinstance(source, self.eager):
            places = (n for n, (own, each) in enumerate(self.watched) if own is tape and each is source)
            return next((("tensor", number) for number in places), None)
        handle = getattr(getattr(source, "_value", source), "handle", None)
        if handle is None:
            return None
        places = (number for number, made in enumerate(self.made) if made.handle is handle)
        return next((("variable", number) for number in places), None)

    def send(self, record: dict[str, Any]) -> None:
        """Write one line to the process that forked this one."""
        os.write(self.answer, (json.dumps(record) + "\n").encode("ascii"))

    def leave(self, record: dict[str, Any]) -> None:
        """Answer, and end the run whatever the program makes of exceptions."""
        self.send(record)
        os._exit(0)
