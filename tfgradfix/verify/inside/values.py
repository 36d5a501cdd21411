"""Tensors, variables and numbers as small comparable records."""

from __future__ import annotations

import base64
import importlib
from typing import Any

#: Numbers kept of one value: the values themselves, or as many projections of them.
NUMBERS = 256
#: Elements of trained variables that are kept alive for the report at the end, and of one sparse gradient made dense.
ELEMENTS = 64_000_000


class Values:
    """Turns tensors, variables and numbers into small comparable records, without running operations of the program."""

    def __init__(self, tensorflow: Any, numpy: Any) -> None:
        self.tf = tensorflow
        self.np = numpy
        self.eager = importlib.import_module("tensorflow.python.framework.ops").EagerTensor

    def describe(self, value: Any, full: bool) -> dict[str, Any] | None:
        """The record of ``value``: null for None, dtype and shape alone for what has no value yet (graph)."""
        if value is None:
            return None
        array = self.array(value)
        if array is None or array.dtype.kind in "OSU":
            dtype, shape = getattr(value, "dtype", type(value).__name__), getattr(value, "shape", None)
            sizes = None
            if shape is not None and getattr(shape, "rank", None) is not None:
                sizes = [None if size is None else int(size) for size in shape]
            return {"dtype": getattr(dtype, "name", str(dtype)), "shape": sizes}
        flat = array.reshape(-1)
        if flat.dtype.kind == "c":
            flat = self.np.stack([flat.real, flat.imag], axis=-1).reshape(-1)
        flat = flat.astype("float64")
        record = {
            "dtype": array.dtype.name,
            "shape": list(array.shape),
            "finite": bool(self.np.isfinite(flat).all()),
            "zero": not flat.any(),
            "norm": float(self.np.linalg.norm(flat)),
        }
        if full:
            record["numbers"] = base64.b64encode(self.numbers(flat).astype("<f8").tobytes()).decode("ascii")
        return record

    def array(self, value: Any) -> Any:
        """``value`` as an array, or None where it has no value (yet)."""
        if isinstance(value, self.tf.IndexedSlices):
            return self.dense(value)
        handle = getattr(value, "handle", None)
        if isinstance(handle, self.eager):
            if not self.tf.executing_eagerly():
                return None
            # Not value.numpy(): an accessed variable would be watched by the program's open tapes.
            return self.tf.raw_ops.ReadVariableOp(resource=handle, dtype=value.dtype).numpy()
        if isinstance(value, self.eager):
            return self.np.asarray(value.numpy())
        if isinstance(value, (self.np.ndarray, self.np.generic, int, float, complex)):
            return self.np.asarray(value)
        return None

    def dense(self, slices: Any) -> Any:
        """An IndexedSlices as an array; None in a graph. Rows of one index add up."""
        rows, indices = self.array(slices.values), self.array(slices.indices)
        if rows is None or indices is None:
            return None
        shape = self.array(slices.dense_shape) if slices.dense_shape is not None else None
        if shape is None or self.np.prod(shape, dtype="float64") > ELEMENTS:
            present, places = self.np.unique(indices, return_inverse=True)
            shape, indices = (len(present), *rows.shape[1:]), places.reshape(-1)
        full = self.np.zeros(tuple(shape), rows.dtype)
        self.np.add.at(full, indices, rows)
        return full

    def numbers(self, flat: Any) -> Any:
        """At most NUMBERS numbers that stand for ``flat``: a fixed linear map, so differences survive it."""
        if flat.size <= NUMBERS:
            return flat
        width = -(-flat.size // NUMBERS)
        padded = self.np.zeros(NUMBERS * width)
        padded[: flat.size] = flat
        return padded.reshape(NUMBERS, width) @ (2**0.5 * self.np.cos(self.np.arange(width) + 1.0))
