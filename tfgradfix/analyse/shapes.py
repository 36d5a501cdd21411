"""Shapes and dtypes of what library functions give, as far as arguments show them."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.array_shapes import array_shape
from tfgradfix.analyse.facts import tensorflow as facts
from tfgradfix.analyse.shape_arguments import shape_of
from tfgradfix.analyse.values import MISSING, Kind, Shape, Value, broadcast

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
    return array_shape(symbol, arguments, keywords)


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
