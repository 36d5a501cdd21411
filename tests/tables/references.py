"""SciPy's functions as the samples need them, from NumPy and the standard library, so that SciPy need not be there."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

_NORMAL = NormalDist()


class _Elementwise:
    """A function of numbers for arrays, in the dtype of its operands."""

    def __init__(self, function: Any) -> None:
        self.function = np.vectorize(function, otypes=[float])

    def __call__(self, *operands: Any) -> Any:
        return self.function(*operands).astype(np.result_type(*operands))


def _digamma(x: float) -> float:
    """By recurrence up to where the asymptotic series is exact to double precision."""
    below = 0.0
    while x < 12:
        below, x = below + 1 / x, x + 1
    square = 1 / (x * x)
    terms = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
    return math.log(x) - 0.5 / x - sum(term * square**power for power, term in enumerate(terms, 1)) - below


def _bessel(order: int, x: float) -> float:
    """The modified Bessel function of the first kind, scaled by exp(-|x|)."""
    terms = ((x / 2) ** (2 * k + order) / (math.factorial(k) * math.factorial(k + order)) for k in range(40))
    return math.exp(-abs(x)) * sum(terms)


def _logsumexp(a: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    return np.log(np.sum(np.exp(a), axis=axis, keepdims=keepdims))


class special:  # noqa: N801
    """scipy.special."""

    gammaln = loggamma = staticmethod(_Elementwise(math.lgamma))
    digamma = psi = staticmethod(_Elementwise(_digamma))
    erf = staticmethod(_Elementwise(math.erf))
    erfc = staticmethod(_Elementwise(math.erfc))
    erfinv = staticmethod(_Elementwise(lambda x: _NORMAL.inv_cdf((x + 1) / 2) / math.sqrt(2)))
    ndtri = staticmethod(_Elementwise(_NORMAL.inv_cdf))
    ndtr = staticmethod(_Elementwise(_NORMAL.cdf))
    log_ndtr = staticmethod(_Elementwise(lambda x: math.log(_NORMAL.cdf(x))))
    i0e = staticmethod(_Elementwise(lambda x: _bessel(0, x)))
    i1e = staticmethod(_Elementwise(lambda x: _bessel(1, x)))
    expit = staticmethod(_Elementwise(lambda x: 1 / (1 + math.exp(-x))))
    logit = staticmethod(_Elementwise(lambda x: math.log(x / (1 - x))))
    xlogy = staticmethod(_Elementwise(lambda x, y: x * math.log(y) if x else 0.0))
    xlog1py = staticmethod(_Elementwise(lambda x, y: x * math.log1p(y) if x else 0.0))
    logsumexp = staticmethod(_logsumexp)

    @staticmethod
    def softmax(x: Any, axis: int | None = None) -> Any:
        return np.exp(x - _logsumexp(x, axis, keepdims=True))

    @staticmethod
    def log_softmax(x: Any, axis: int | None = None) -> Any:
        return x - _logsumexp(x, axis, keepdims=True)
