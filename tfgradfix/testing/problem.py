"""A function with its arguments and what it is differentiated by, as one number of a point that can be moved."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tfgradfix.verify.inside.differences import SMALL, coarsest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


@dataclass(frozen=True, eq=False)
class Source:
    """A variable, or the tensor at ``place`` among the flat arguments; ``array`` is its value."""

    name: str
    value: Any
    array: Any
    place: int | None = None

    def way(self, seed: int, number: int) -> Any:
        """A direction: random signs, in units of the root mean square of the value, the same for the same numbers."""
        numpy = importlib.import_module("numpy")
        signs = numpy.random.default_rng([seed, number]).choice([-1.0, 1.0], size=self.array.shape)
        return signs * (float(numpy.sqrt(numpy.mean(numpy.square(self.array, dtype="float64")))) or SMALL)


class Problem:
    """``fn(*args)`` as a weighted sum of all that it gives."""

    def __init__(self, fn: Callable[..., Any], args: Any, wrt: Any) -> None:
        self.tf, self.np = importlib.import_module("tensorflow"), importlib.import_module("numpy")
        self.fn = fn
        self.terms = 0.0
        self.dtypes: list[str] = []
        self.args = tuple(args) if isinstance(args, (tuple, list)) else (args,)
        self.flat = [self._tensor(each) for each in self.tf.nest.flatten(self.args)]
        self.sources = tuple(self._chosen(fn, wrt))
        if not self.sources:
            raise TypeError("there is nothing to differentiate by: no argument is a float; name variables in wrt")
        for source in self.sources:
            if not source.value.dtype.is_floating:
                raise TypeError(f"{source.name} has dtype {source.value.dtype.name}: only floats have gradients")
        first, again = (self.value_at((), ()) for _ in range(2))
        if first != again and first == first:
            raise ValueError(f"two calls give two values, {first!r} and {again!r}: seed what the function draws")
        self.dtype = coarsest([*self.dtypes, *(source.value.dtype.name for source in self.sources)])

    def _tensor(self, value: Any) -> Any:
        """Numbers and arrays of floats as tensors, so that they can be watched."""
        if isinstance(value, float) or (isinstance(value, self.np.ndarray) and value.dtype.kind == "f"):
            return self.tf.convert_to_tensor(value)
        return value

    def _chosen(self, fn: Any, wrt: Any) -> Iterator[Source]:
        if wrt is None:
            yield from (each for place in range(len(self.args)) for each in self._argument(place, floats=True))
            yield from self._variables(getattr(fn, "trainable_variables", ()))
            return
        for each in wrt if isinstance(wrt, (tuple, list)) else (wrt,):
            if isinstance(each, int):
                if not 0 <= each < len(self.args):
                    raise TypeError(f"wrt names argument {each} of {len(self.args)}")
                yield from self._argument(each)
            elif hasattr(each, "trainable_variables"):
                yield from self._variables(each.trainable_variables)
            else:
                yield from self._variables(self.tf.nest.flatten(each))

    def _argument(self, number: int, *, floats: bool = False) -> Iterator[Source]:
        """The tensors and variables of one argument."""
        before = len(self.tf.nest.flatten(self.args[:number]))
        for place in range(before, before + len(self.tf.nest.flatten(self.args[number]))):
            value = self.flat[place]
            if _is_variable(value):
                yield from self._variables([value])
            elif self.tf.is_tensor(value) and (value.dtype.is_floating or not floats):
                yield Source(f"argument {number}", value, self.np.asarray(value), place)
            elif not floats:
                raise TypeError(f"argument {number} is {type(value).__name__}: only tensors have gradients")

    def _variables(self, variables: Any) -> Iterator[Source]:
        for each in variables:
            if not _is_variable(each):
                raise TypeError(f"wrt holds {each!r}: name variables, places of arguments, layers or models")
            variable = getattr(each, "_value", each)  # Keras 3 wraps TensorFlow's
            name = getattr(each, "path", None) or variable.name.split(":")[0]
            yield Source(name, variable, self.np.asarray(variable))

    def outputs(self, flat: Sequence[Any]) -> list[Any]:
        """The tensors that the function gives.

        Raises:
            TypeError: one of them is no float.
        """
        result = self.fn(*self.tf.nest.pack_sequence_as(self.args, list(flat)))
        tensors = [self.tf.convert_to_tensor(each) for each in self.tf.nest.flatten(result)]
        for each in tensors:
            if not each.dtype.is_floating:
                raise TypeError(f"the function gives {each.dtype.name}: only floats have slopes; take real parts")
        return tensors

    def total(self, tensors: Sequence[Any]) -> Any:
        """Their weighted sum."""
        parts = [self.tf.reduce_sum(each * self.tf.constant(self.weights(each), each.dtype)) for each in tensors]
        return self.tf.add_n([self.tf.cast(part, parts[0].dtype) for part in parts])

    def weights(self, tensor: Any) -> Any:
        """Fixed weights between 0.5 and 1.5; one for a scalar."""
        shape = tuple(tensor.shape)
        return self.np.random.default_rng(len(shape)).uniform(0.5, 1.5, size=shape) if shape else 1.0

    def value_at(self, moved: Sequence[Source], moves: Sequence[Any]) -> float:
        """The sum in double precision, with some sources moved; afterwards they are as they were."""
        flat = list(self.flat)
        variables = [source for source in moved if source.place is None]
        try:
            for source, move in zip(moved, moves, strict=True):
                value = (source.array + move).astype(source.array.dtype)
                if source.place is None:
                    source.value.assign(value)
                else:
                    flat[source.place] = self.tf.constant(value)
            tensors = self.outputs(flat)
        finally:
            for source in variables:
                source.value.assign(source.array)
        self.dtypes = [each.dtype.name for each in tensors]
        arrays = [(self.np.asarray(each, dtype="float64"), self.weights(each)) for each in tensors]
        self.terms = float(sum(self.np.abs(array * weights).sum() for array, weights in arrays))
        return float(sum((array * weights).sum() for array, weights in arrays))

    def slopes(self) -> tuple[float, float, list[Any]]:
        """The sum, the size of its terms, and the gradient by each source, None where there is none."""
        here = self.value_at((), ())
        terms = self.terms
        with self.tf.GradientTape() as tape:
            for source in self.sources:
                tape.watch(source.value)
            total = self.total(self.outputs(self.flat))
        gradients = tape.gradient(total, [source.value for source in self.sources])
        dense = [None if each is None else self.np.asarray(self.tf.convert_to_tensor(each)) for each in gradients]
        return here, terms, [None if each is None else each.astype("float64") for each in dense]


def _is_variable(value: Any) -> bool:
    return hasattr(getattr(value, "_value", value), "assign") and hasattr(getattr(value, "_value", value), "handle")
