"""Evaluates samples in NumPy and in TensorFlow, and says where they differ.

Reads a list of samples from standard input and writes a list of problems for each, as JSON. It runs in a process of
its own, so that the tests need not import TensorFlow.
"""

from __future__ import annotations

import json
import math
import os
import sys
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

from tests.tables import pool, references
from tests.tables.names import NAMES

Leaves = list[Any]
TOLERANCE = {"float32": 3e-5, "float64": 1e-9}


def leaves(result: Any) -> Leaves:
    """The arrays in what a function gave, in order."""
    if isinstance(result, (tuple, list)):
        return [leaf for item in result for leaf in leaves(item)]
    return [result]


class Sample:
    """One sample: the library's expression and TensorFlow's, over names of the pool."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.library, self.written, self.dtype = given["library"], given["written"], given["dtype"]
        self.gradient, self.weak, self.graph = given["gradient"], given["weak"], given["graph"]
        self.carrying = given["carrying"]
        names = given["names"]
        self.tensors = [name for name in names if NAMES[name].role == "tensor"]
        self.data = {name: pool.value(name, "float64") for name in names if NAMES[name].role == "data"}

    def in_library(self, dtype: str, **moved: Any) -> Leaves:
        """What NumPy (or SciPy, math, Python) gives, every operand in ``dtype``."""
        values = {name: pool.value(name, dtype) for name in (*self.tensors, *self.data)}
        scope = {"np": np, "math": math, **references.MODULES, **random_state(), **values, **moved}
        return [np.asarray(leaf) for leaf in leaves(eval(self.library, scope))]

    def in_tensorflow(self, values: dict[str, Any]) -> Leaves:
        """What the written expression gives; data stay NumPy arrays in float64, whatever the tensors are."""
        scope = {"tf": tf, "np": np, "math": math, **random_state(), **self.data, **values}
        return leaves(eval(self.written, scope))

    def problems(self) -> list[str]:
        """Everything in which the written expression differs."""
        values = {name: tf.constant(pool.value(name, self.dtype)) for name in self.tensors}
        expected = self.in_library(self.dtype)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(list(values.values()))
            got = self.in_tensorflow(values)
            target = weighted(got)
        found = self.differences(expected, got)
        if self.graph:
            found += [f"graph: {text}" for text in self.differences(expected, self.in_graph(values))]
        if self.gradient == "none":
            flowing = [name for name in self.tensors if not vanishes(tape.gradient(target, values[name]))]
            return found + [f"gradient reaches {name}" for name in flowing]
        if self.gradient == "some":
            found += [text for name in self.tensors for text in self.slope(name, tape.gradient(target, values[name]))]
        return found

    def in_graph(self, values: dict[str, Any]) -> Leaves:
        """What the written expression gives in a traced function."""
        names = list(values)
        traced = tf.function(lambda *given: self.in_tensorflow(dict(zip(names, given, strict=True))), autograph=False)
        return leaves(traced(*values.values()))

    def differences(self, expected: Leaves, got: Leaves) -> list[str]:
        """How the value, dtype or shape differs."""
        if len(expected) != len(got):
            return [f"{len(got)} results for {len(expected)}"]
        found = []
        for right, tensor in zip(expected, got, strict=True):
            if isinstance(tensor, int) and tensor == right:
                continue
            if not tf.is_tensor(tensor):
                found.append(f"a {type(tensor).__name__} instead of a tensor")
                continue
            array = tensor.numpy()
            whole = array.dtype.kind in "iu" and right.dtype.kind in "iu"
            if array.dtype != right.dtype and not self.weak and not whole:
                found.append(f"dtype {array.dtype} for {right.dtype}")
            if array.shape != right.shape:
                found.append(f"shape {array.shape} for {right.shape}")
            elif not np.allclose(array, right, TOLERANCE[self.dtype], TOLERANCE[self.dtype], equal_nan=True):
                found.append(f"value {array.tolist()} for {right.tolist()}")
        return found

    def slope(self, name: str, gradient: Any) -> list[str]:
        """How the gradient differs from central differences of the library's function in float64."""
        if gradient is None and name in self.carrying:
            return [f"no gradient to {name}"]
        coarse = any(leaf.dtype in ("float32", "complex64") for leaf in self.in_library("float64"))
        size = 2e-3 if coarse else 1e-6
        step, start = pool.direction(name), pool.value(name, "float64")
        ahead, behind = (weighed(self.in_library("float64", **{name: start + by * step})) for by in (size, -size))
        right = (ahead - behind) / (2 * size)
        slope = np.zeros_like(step) if gradient is None else tf.convert_to_tensor(gradient).numpy()
        got = np.real(np.nansum(np.conj(slope) * step))
        limit = 2e-3 if coarse or self.dtype == "float32" else 1e-5
        if np.isclose(got, right, limit, limit):
            return []
        return [f"slope {got} for {right} along {name}"]


def random_state() -> dict[str, Any]:
    """Random numbers from the start: the same in every evaluation."""
    np.random.seed(5)
    return {"rng": np.random.default_rng(5)}


def vanishes(gradient: Any) -> bool:
    """Whether a gradient is None or zero."""
    return gradient is None or not np.any(tf.convert_to_tensor(gradient).numpy())


def weights(shape: tuple[int, ...]) -> Any:
    """Weights that are not symmetric in any axis."""
    return np.cos(np.arange(math.prod(shape), dtype=float)).reshape(shape) + 0.3


def weighted(results: Leaves) -> Any:
    """One number from all results: their weighted sum, of a complex result both parts."""
    total = tf.zeros([], tf.float64)
    for number, tensor in enumerate(results):
        if not tf.is_tensor(tensor) or not (tensor.dtype.is_floating or tensor.dtype.is_complex):
            continue
        factors = tf.constant(weights(tuple(tensor.shape)) * (1 + number))
        parts = (tf.math.real(tensor), 0.5 * tf.math.imag(tensor)) if tensor.dtype.is_complex else (tensor,)
        for part in parts:
            wide = tf.cast(part, tf.float64)
            total += tf.reduce_sum(factors * tf.where(tf.math.is_nan(wide), tf.zeros_like(wide), wide))
    return total


def weighed(results: Leaves) -> float:
    """The same in NumPy."""
    total = 0.0
    for number, array in enumerate(results):
        if array.dtype.kind in "fc":
            factors = weights(array.shape) * (1 + number)
            total += float(np.nansum(factors * array.real) + 0.5 * np.nansum(factors * array.imag))
    return total


def outcome(given: dict[str, Any]) -> list[str]:
    """The problems of a sample, an exception among them."""
    try:
        return Sample(given).problems()
    except Exception as error:  # noqa: BLE001 - whatever it is, it goes into the report
        return [f"{type(error).__name__}: {str(error)[:300]}"]


if __name__ == "__main__":
    tf.autograph.set_verbosity(0)
    json.dump([outcome(given) for given in json.load(sys.stdin)], sys.stdout)
