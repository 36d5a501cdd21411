"""Kind, dtype and shape of what operators make of two values, as NumPy and TensorFlow promote them."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any, Final

from tfgradfix.analyse.values import (
    MISSING,
    NUMBERS,
    TENSORS,
    Kind,
    Shape,
    Value,
    broadcast,
)

_FOLDED: Final[dict[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
#: What NumPy makes of two dtypes (the pairs that occur on gradient paths).
_PROMOTED: Final = {
    frozenset(("float32", "float64")): "float64",
    frozenset(("float32", "complex64")): "complex64",
    frozenset(("float32", "complex128")): "complex128",
    frozenset(("float64", "complex64")): "complex128",
    frozenset(("float64", "complex128")): "complex128",
    frozenset(("complex64", "complex128")): "complex128",
    frozenset(("float32", "int64")): "float64",
    frozenset(("float64", "int64")): "float64",
    frozenset(("float32", "int32")): "float64",
    frozenset(("float64", "int32")): "float64",
    frozenset(("float32", "bool")): "float32",
    frozenset(("float64", "bool")): "float64",
}
_RANKS: Final = {"bool": 0, "int": 1, "float": 2, "complex": 3}


def arithmetic_kinds(left: Value, right: Value) -> int:
    """The kinds of an operation on both: a tensor wins over an array, an array over a number."""
    both = left.kinds | right.kinds
    if left.is_only(TENSORS) or right.is_only(TENSORS):
        return Kind.TENSOR
    if left.is_only(Kind.NDARRAY) and not right.may_be(TENSORS | Kind.UNKNOWN):
        return Kind.NDARRAY
    if right.is_only(Kind.NDARRAY) and not left.may_be(TENSORS | Kind.UNKNOWN):
        return Kind.NDARRAY
    if not both & ~(NUMBERS | Kind.NONE):
        return Kind.NUMBER
    kinds = Kind.TENSOR if both & TENSORS else Kind.NOTHING
    kinds |= both & (Kind.NDARRAY | Kind.UNKNOWN)
    if left.may_be(NUMBERS) and right.may_be(NUMBERS):
        kinds |= Kind.NUMBER
    return kinds or Kind.UNKNOWN


def promote(left: Value, right: Value, division: bool = False) -> str | None:
    """The dtype of an operation on both; a Python number takes the other's."""
    a, b = left.dtype, right.dtype
    if a in _RANKS and b in _RANKS:
        best = max(a, b, key=lambda name: _RANKS[name])
        return "float" if division and _RANKS[best] < 2 else best
    if a in _RANKS and b is not None:
        return _weak(a, b)
    if b in _RANKS and a is not None:
        return _weak(b, a)
    if a == b:
        return a
    if left.is_only(TENSORS) and (a is not None or right.is_only(TENSORS)):
        return a or b  # TensorFlow converts an array to the tensor's dtype, and has two tensors of one dtype only
    if right.is_only(TENSORS) and b is not None:
        return b
    return _PROMOTED.get(frozenset((a, b))) if a is not None and b is not None else None


def _weak(number: str, dtype: str) -> str | None:
    if number == "complex" and not dtype.startswith("complex"):
        return {"float32": "complex64", "float64": "complex128"}.get(dtype)
    if number == "float" and dtype.startswith(("int", "uint", "bool")):
        return "float64"
    return dtype


def fold(op: ast.operator, left: object, right: object) -> object:
    """The constant that an operator makes of two constant numbers, if it is one that can be told."""
    if type(op) not in _FOLDED or not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
        return MISSING
    return _FOLDED[type(op)](left, right) if abs(left) < 1e9 and abs(right) < 1e9 else MISSING


def matmul_shape(left: Shape | None, right: Shape | None) -> Shape | None:
    """The shape of ``left @ right``, None where it is not known."""
    if left is None or right is None or not left or not right:
        return None
    if len(right) == 1:
        return left[:-1]
    if len(left) == 1:
        return right[:-2] + right[-1:]
    batch = broadcast(left[:-2], right[:-2])
    return None if batch is None else (*batch, left[-2], right[-1])
