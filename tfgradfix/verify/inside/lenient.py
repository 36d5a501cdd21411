"""Lets a program that is not repaired yet come further than TensorFlow lets it, where what it means is plain.

Only its values count then, to be compared with those after the repair; whether it has gradients is asked elsewhere.

- ``t[i] = v`` of an eager tensor sets its elements, as it would in an array.
- While Keras asks a layer for the shape of its output, it calls it with symbols. A condition on one is true then, an
  array of one is filled with ones, and an array that it returns is taken for a tensor: the shape is the same.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from .handles import Handles

if TYPE_CHECKING:
    from collections.abc import Callable

#: How the graphs are called in which Keras 3 and Keras 2 ask layers for shapes.
SHAPES = ("scratch_graph", "keras_graph")


class Lenient:
    """Puts the wrappers in place."""

    def __init__(self, tensorflow: Any, numpy: Any) -> None:
        self.tf, self.np = tensorflow, numpy
        self.handles: Handles | None = None

    def install(self) -> None:
        """Wrap eager tensors and symbols."""
        eager: Any = importlib.import_module("tensorflow.python.framework.ops").EagerTensor

        def set_item(own: Any, place: Any, value: Any) -> None:
            self.set_item(own, place, value)

        eager.__setitem__ = set_item
        symbol = self.tf.Tensor
        symbol.__bool__ = self.in_shapes(symbol.__bool__, lambda _: True)
        symbol.__array__ = self.in_shapes(getattr(symbol, "__array__", None), self.ones)
        symbol.__float__ = self.in_shapes(getattr(symbol, "__float__", None), lambda _: 1.0)
        symbol.numpy = self.in_shapes(getattr(symbol, "numpy", None), self.ones)
        backend: Any = sys.modules.get("keras.src.backend")
        if hasattr(backend, "compute_output_spec"):
            backend.compute_output_spec = self.with_tensors(backend.compute_output_spec)

    def set_item(self, tensor: Any, place: Any, value: Any) -> None:
        """Set elements of a tensor."""
        if self.handles is None:
            self.handles = Handles(self.tf)
        array = self.np.array(tensor)
        places = place if isinstance(place, tuple) else (place,)
        array[tuple(self.np.asarray(each) if self.tf.is_tensor(each) else each for each in places)] = value
        if not self.handles.give(tensor, self.tf.constant(array)):
            raise TypeError("'EagerTensor' object does not support item assignment")

    def in_shapes(self, original: Any, instead: Callable[[Any], Any]) -> Callable[..., Any]:
        """``original``, or where there is none an error, except where Keras asks for shapes."""

        def method(own: Any, *args: Any, **kwargs: Any) -> Any:
            if self.tf.compat.v1.get_default_graph().name.startswith(SHAPES):
                return instead(own)
            if original is None:
                raise TypeError("a symbolic tensor has no value")
            return original(own, *args, **kwargs)

        method.autograph_info__ = {}  # type: ignore[attr-defined]
        return method

    def with_tensors(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """``original``, which asks a layer for its output's shape, with tensors for the arrays in the output."""

        def compute(call: Any, *args: Any, **kwargs: Any) -> Any:
            def called(*given: Any, **named: Any) -> Any:
                return self.tf.nest.map_structure(
                    lambda part: self.tf.constant(part) if isinstance(part, self.np.ndarray) else part,
                    call(*given, **named),
                )

            return original(called, *args, **kwargs)

        return compute

    def ones(self, symbol: Any) -> Any:
        """An array of the shape of a symbol, where it is known."""
        sizes = symbol.shape.as_list() if symbol.shape.rank is not None else ()
        return self.np.ones([size or 1 for size in sizes], symbol.dtype.as_numpy_dtype)
