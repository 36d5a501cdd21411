"""Dtype and shape of what NumPy's generators draw."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.shape_arguments import dtype_of, shape_of
from tfgradfix.analyse.values import Kind, Value

#: Where each method takes `size`: float64 comes out unless another dtype is asked for.
_FLOATS: Final = {
    "normal": 2,
    "uniform": 2,
    "standard_normal": 0,
    "random": 0,
    "random_sample": 0,
    "exponential": 1,
    "standard_exponential": 0,
    "gamma": 2,
    "standard_gamma": 1,
    "beta": 2,
    "chisquare": 1,
    "gumbel": 2,
    "laplace": 2,
    "logistic": 2,
    "lognormal": 2,
    "rayleigh": 1,
    "triangular": 3,
    "vonmises": 2,
    "wald": 2,
    "weibull": 1,
    "standard_t": 1,
    "standard_cauchy": 0,
}
_INTEGERS: Final = {"integers": 2, "randint": 2, "poisson": 1, "binomial": 2, "geometric": 1, "negative_binomial": 2}
#: The same of what draws vectors: they are the last axis.
_VECTORS: Final = {"multinomial": 2, "dirichlet": 1, "multivariate_normal": 2}


def drawn(name: str, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """What ``generator.name(...)`` gives; scalars come without `size`, from parameters that are scalars."""
    if name in ("rand", "randn"):
        sizes = tuple(value.const if isinstance(value.const, int) else None for value in arguments)
        return Value(Kind.NDARRAY, dtype="float64", shape=sizes)
    if name == "choice" and arguments:
        return _chosen(arguments, keywords)
    if name in _VECTORS:
        return _vectors(name, arguments, keywords)
    place = _FLOATS.get(name, _INTEGERS.get(name))
    if place is None:
        return Value(Kind.NDARRAY)
    dtype = dtype_of(keywords.get("dtype")) or ("float64" if name in _FLOATS else "int64")
    size = keywords.get("size", arguments[place] if len(arguments) > place else None)
    if size is not None and not size.is_only(Kind.NONE):
        return Value(Kind.NDARRAY, dtype=dtype, shape=shape_of(size))
    scalars = all(value.is_only(Kind.NUMBER) for value in (*arguments[:place], *keywords.values()))
    return Value(Kind.NDARRAY, dtype=dtype, shape=() if scalars else None)


def _chosen(arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """What ``generator.choice(a, size)`` gives: items of an array of one axis, or integers below a number."""
    given, size = arguments[0], keywords.get("size", arguments[1] if len(arguments) > 1 else None)
    dtype = "int64" if given.is_only(Kind.NUMBER) else given.dtype if given.is_only(Kind.NDARRAY) else None
    if size is not None and not size.is_only(Kind.NONE):
        return Value(Kind.NDARRAY, dtype=dtype, shape=shape_of(size) if given.is_only(Kind.NUMBER) else None)
    return Value(Kind.NDARRAY, dtype=dtype, shape=() if given.is_only(Kind.NUMBER) or given.rank == 1 else None)


def _vectors(name: str, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """What ``generator.multinomial(...)`` and its like give."""
    place = _VECTORS[name]
    size = keywords.get("size", arguments[place] if len(arguments) > place else None)
    outer = () if size is None or size.is_only(Kind.NONE) else shape_of(size)
    dtype = "int64" if name == "multinomial" else "float64"
    return Value(Kind.NDARRAY, dtype=dtype, shape=None if outer is None else (*outer, None))
