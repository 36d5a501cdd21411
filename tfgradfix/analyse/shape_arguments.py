"""What arguments say of dtypes and shapes: `dtype="f4"`, `(3, n)`, a nested list of numbers."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.names import dtype_name
from tfgradfix.analyse.objects import Container, LibraryName
from tfgradfix.analyse.values import Kind, Shape, Value

_TEXT: Final = {
    "float": "float64",
    "f4": "float32",
    "f8": "float64",
    "f2": "float16",
    "c8": "complex64",
    "c16": "complex128",
    "int": "int64",
    "i4": "int32",
    "i8": "int64",
    "complex": "complex128",
    "double": "float64",
    "single": "float32",
}


def dtype_of(value: Value | None) -> str | None:
    """The NumPy dtype name that a ``dtype=`` argument means, or None."""
    if value is None:
        return None
    if isinstance(value.const, str):
        return _TEXT.get(value.const, value.const)
    for ref in value.refs:
        if isinstance(ref, LibraryName):
            if ref.label in ("builtins.float", "builtins.int", "builtins.complex", "builtins.bool"):
                return {"float": "float64", "int": "int64", "complex": "complex128", "bool": "bool"}[ref.label[9:]]
            return dtype_name(ref.label)
    return None


def nested(value: Value, depth: int = 4) -> tuple[str | None, Shape | None]:
    """Dtype and shape of the array that a (nested) list of numbers makes."""
    containers = [ref for ref in value.refs if isinstance(ref, Container)]
    if len(containers) != 1 or not value.is_only(Kind.LIST | Kind.TUPLE) or not depth:
        return value.dtype, value.shape
    parts = [nested(item, depth - 1) for item in containers[0].elements()]
    dtypes = {dtype for dtype, _ in parts}
    shapes = {shape for _, shape in parts}
    dtype = "float" if dtypes == {"int", "float"} else dtypes.pop() if len(dtypes) == 1 else None
    inner = shapes.pop() if len(shapes) == 1 else None
    length = len(containers[0].items) if containers[0].exact else None
    return dtype, None if inner is None else (length, *inner)


def shape_of(value: Value | None) -> Shape | None:
    """The shape that a shape argument means."""
    if value is None:
        return None
    if value.is_only(Kind.NUMBER):
        return (value.const if isinstance(value.const, int) else None,)
    if value.is_only(Kind.SHAPE):
        return value.shape
    for ref in value.refs:
        if isinstance(ref, Container) and ref.exact and value.is_only(Kind.TUPLE | Kind.LIST):
            return tuple(item.const if isinstance(item.const, int) else None for item in ref.items.values())
    return None
