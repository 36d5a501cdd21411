"""The names that samples may use, and the values they stand for. Needs NumPy alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

Array = Any


@dataclass(frozen=True)
class Name:
    """One name of the samples: ``role`` is "tensor" (the gradient passes through it) or "data" (a NumPy array)."""

    shape: tuple[int, ...]
    role: str = "tensor"
    values: str = "unit"


NAMES: Final[dict[str, Name]] = {
    "x": Name((3, 4)),
    "y": Name((3, 4)),
    "g": Name((3, 4), values="signed"),
    "p": Name((3, 4), values="above one"),
    "v": Name((4,)),
    "u": Name((4,), values="signed"),
    "q": Name((7,), values="signed"),
    "e": Name((8,), values="signed"),
    "h": Name((2, 3, 4)),
    "t": Name((), values="unit"),
    "r": Name((), values="signed"),
    "m": Name((3, 3), values="matrix"),
    "k": Name((3, 3), values="matrix"),
    "a3": Name((3,)),
    "b3": Name((3,), values="signed"),
    "l": Name((4, 3)),
    "s": Name((3, 3), values="symmetric"),
    "hm": Name((2, 3, 3), values="matrix"),
    "z": Name((3, 4), values="complex"),
    "cv": Name((8,), values="complex"),
    "cm": Name((3, 3), values="complex"),
    "hc": Name((5,), values="complex"),
    "zc": Name((3, 4), values="complex"),
    "p0": Name((), values="above one"),
    "one": Name((1,)),
    "f5": Name((5,), values="signed"),
    "gap": Name((3, 4), values="with nan"),
    "n": Name((3, 4), "data"),
    "w": Name((4,), "data"),
    "d": Name((3, 3), "data", "matrix"),
    "wide": Name((5,), "data", "rising"),
    "mask": Name((3, 4), "data", "bool"),
    "order": Name((3,), "data", "index"),
    "grid": Name((3, 2), "data", "index"),
    "count": Name((3, 4), "data", "whole"),
}


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


def complex_of(dtype: str) -> str:
    """The complex dtype whose parts are of ``dtype``."""
    return {"float32": "complex64", "float64": "complex128"}[dtype]


def direction(name: str) -> Array:
    """A direction in which to move the float64 value of ``name``."""
    spec = NAMES[name]
    random = np.random.default_rng(7 + sum(map(ord, name)))
    step = random.uniform(-1, 1, spec.shape)
    if spec.values == "symmetric":
        return step + step.T
    return step + 1j * random.uniform(-1, 1, spec.shape) if spec.values == "complex" else step
