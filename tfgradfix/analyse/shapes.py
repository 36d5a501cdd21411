"""Shapes and dtypes of what library functions give, as far as arguments show them."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.facts import tensorflow as facts
from tfgradfix.analyse.names import dtype_name
from tfgradfix.analyse.objects import Container, LibraryName
from tfgradfix.analyse.values import MISSING, Kind, Shape, Value, broadcast

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
_NUMPY_REDUCTIONS: Final = frozenset(
    "sum mean prod max min amax amin std var any all median ptp nanmean nansum average".split()
)
_ELEMENTWISE_METHODS: Final = frozenset("copy astype clip conj conjugate round".split())
_ELEMENTWISE: Final = frozenset(
    """
    abs absolute exp log log1p log2 log10 expm1 sqrt square sin cos tan arcsin arccos arctan sinh cosh tanh
    real imag conj conjugate copy sign negative reciprocal cbrt exp2 zeros_like ones_like isnan isfinite isinf
    logical_not floor ceil round clip asarray angle degrees radians deg2rad rad2deg
    """.split()
)
#: Give as many axes as their first argument has.
_RANK_KEPT: Final = frozenset("diff sort flip roll pad nan_to_num fliplr flipud take_along_axis rot90".split())
_BINARY: Final = frozenset(
    """
    add subtract multiply divide true_divide maximum minimum power hypot arctan2 logaddexp fmax fmin greater less equal
    greater_equal less_equal not_equal logical_and logical_or mod squared_difference divide_no_nan math.divide_no_nan
    """.split()
)


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


def result_shape(symbol: str, arguments: list[Value], keywords: dict[str, Value]) -> Shape | None:
    """The shape of what a function or method gives; None when not even the rank is certain."""
    name = symbol.rpartition(".")[2]
    method = symbol.startswith("ndarray.")
    short = symbol.removeprefix("tensorflow.")
    first = arguments[0] if arguments else None
    if short in facts.REDUCTIONS or ((symbol.startswith("numpy.") or method) and name in _NUMPY_REDUCTIONS):
        return _reduced(first, arguments[1:], keywords)
    if name in ("cumsum", "cumprod") and (symbol.startswith("numpy.") or method):
        axis = arguments[1] if len(arguments) > 1 else keywords.get("axis")
        return (None,) if axis is None or axis.is_only(Kind.NONE) else first.shape if first is not None else None
    if (
        short in facts.ELEMENTWISE
        or (name in _ELEMENTWISE and symbol.startswith("numpy."))
        or (method and name in _ELEMENTWISE_METHODS)
    ):
        return first.shape if first is not None else None
    if (symbol.startswith(("numpy.", "tensorflow."))) and name in _BINARY and len(arguments) == 2:
        return broadcast(arguments[0].shape, arguments[1].shape)
    if symbol in ("builtins.float", "builtins.int", "builtins.abs") or symbol.startswith("math."):
        return ()
    if symbol in ("numpy.zeros", "numpy.ones", "numpy.empty", "tensorflow.zeros", "tensorflow.ones", "numpy.full"):
        return shape_of(arguments[0] if arguments else keywords.get("shape"))
    if symbol in ("numpy.arange", "numpy.linspace", "numpy.logspace", "tensorflow.range", "tensorflow.linspace"):
        return (None,)
    if (symbol.startswith("numpy.") or method) and name in _RANK_KEPT and first is not None and first.shape is not None:
        return (None,) * len(first.shape)
    if symbol == "numpy.gradient" and first is not None and (len(first.shape or ()) == 1 or "axis" in keywords):
        return first.shape
    if symbol in ("numpy.where", "tensorflow.where") and len(arguments) == 3:
        return broadcast(broadcast(arguments[0].shape, arguments[1].shape), arguments[2].shape)
    if name == "T" and first is not None and first.shape is not None:
        return tuple(reversed(first.shape))
    if symbol == "numpy.dot" and len(arguments) == 2:
        return _dot(arguments[0].shape, arguments[1].shape)
    return None


def _dot(left: Shape | None, right: Shape | None) -> Shape | None:
    if left is None or right is None:
        return None
    if not left or not right:
        return left or right
    return left[:-1] + (right[:-2] + right[-1:] if len(right) > 1 else ())


def _reduced(value: Value | None, rest: list[Value], keywords: dict[str, Value]) -> Shape | None:
    axis = rest[0] if rest else keywords.get("axis")
    keep = keywords.get("keepdims")
    if axis is None or axis.is_only(Kind.NONE):
        return () if keep is None or keep.const is False else None
    if value is None or value.shape is None or not isinstance(axis.const, int) or isinstance(axis.const, bool):
        return None
    position = (
        axis.const % len(value.shape) if value.shape and -len(value.shape) <= axis.const < len(value.shape) else None
    )
    if position is None or (keep is not None and keep.const is MISSING):
        return None
    middle: Shape = (1,) if keep is not None and keep.const is True else ()
    return value.shape[:position] + middle + value.shape[position + 1 :]


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
