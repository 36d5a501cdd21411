"""The values that the names of the samples stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tests.tables.names import NAMES, complex_of

if TYPE_CHECKING:
    from tests.tables.names import Name

Array = Any


def value(name: str, dtype: str) -> Array:
    """The array of ``name`` in ``dtype`` ("float32" or "float64"; complex, bool and whole names keep their class)."""
    spec = NAMES[name]
    random = np.random.default_rng(sum(map(ord, name)))
    unit = random.uniform(0.15, 0.85, spec.shape)
    made = of_class(spec, unit, random)
    if spec.values in ("bool", "index", "whole"):
        return made
    return np.asarray(made, complex_of(dtype) if spec.values == "complex" else dtype)[()]


def of_class(spec: Name, unit: Array, random: np.random.Generator) -> Array:
    """The values of one class, made of ``unit``, which lies between 0 and 1."""
    if spec.values == "signed":
        return np.where(random.uniform(size=spec.shape) < 0.5, -unit, unit)
    if spec.values == "matrix":
        return unit + 2 * np.eye(3)
    if spec.values == "symmetric":
        return np.add(unit, unit.T) + np.diag([1.0, 2.0, 4.0])
    if spec.values == "complex":
        return unit + 1j * random.uniform(-0.8, 0.8, spec.shape)
    if spec.values == "with nan":
        return np.where(np.arange(unit.size).reshape(spec.shape) % 5 == 2, np.nan, unit)
    simple = {
        "above one": 1 + unit,
        "rising": np.sort(unit, axis=None),
        "bool": unit > 0.5,
        "index": np.argsort(unit, axis=0) if spec.shape else 0,
        "whole": np.round(unit * 5).astype(int),
    }
    return simple.get(spec.values, unit)


def direction(name: str) -> Array:
    """A direction in which to move the float64 value of ``name``."""
    spec = NAMES[name]
    random = np.random.default_rng(7 + sum(map(ord, name)))
    step = random.uniform(-1, 1, spec.shape)
    if spec.values == "symmetric":
        return step + step.T
    return step + 1j * random.uniform(-1, 1, spec.shape) if spec.values == "complex" else step
