"""The names that samples may use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


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
    "p1": Name((4,), values="above one"),
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


def complex_of(dtype: str) -> str:
    """The complex dtype whose parts are of ``dtype``."""
    return {"float32": "complex64", "float64": "complex128"}[dtype]
