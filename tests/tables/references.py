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


def _gammainc(a: float, x: float) -> float:
    """The regularised lower incomplete gamma function, by its series."""
    total = term = 1 / a
    for step in range(1, 200):
        term *= x / (a + step)
        total += term
    return total * math.exp(a * math.log(x) - x - math.lgamma(a))


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
    i0e = staticmethod(_Elementwise(lambda x: _bessel(0, x)))
    i1e = staticmethod(_Elementwise(lambda x: _bessel(1, x)))
    i0 = staticmethod(_Elementwise(lambda x: math.exp(abs(x)) * _bessel(0, x)))
    i1 = staticmethod(_Elementwise(lambda x: math.exp(abs(x)) * _bessel(1, x)))
    gammainc = staticmethod(_Elementwise(_gammainc))
    gammaincc = staticmethod(_Elementwise(lambda a, x: 1 - _gammainc(a, x)))
    betaln = staticmethod(_Elementwise(lambda a, b: math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)))
    expm1 = staticmethod(np.expm1)
    log1p = staticmethod(np.log1p)
    exp2 = staticmethod(np.exp2)
    exp10 = staticmethod(_Elementwise(lambda x: 10**x))
    cbrt = staticmethod(np.cbrt)
    log_expit = staticmethod(_Elementwise(lambda x: -math.log1p(math.exp(-x))))
    entr = staticmethod(_Elementwise(lambda x: -x * math.log(x)))
    rel_entr = staticmethod(_Elementwise(lambda x, y: x * math.log(x / y)))
    kl_div = staticmethod(_Elementwise(lambda x, y: x * math.log(x / y) - x + y))
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


class linalg:  # noqa: N801
    """scipy.linalg."""

    inv, det, norm, pinv, svdvals = np.linalg.inv, np.linalg.det, np.linalg.norm, np.linalg.pinv, np.linalg.svdvals

    @staticmethod
    def cholesky(a: Any, lower: bool = False) -> Any:
        return np.linalg.cholesky(a, upper=not lower)

    @staticmethod
    def solve(a: Any, b: Any) -> Any:
        return np.linalg.solve(a, b)

    @staticmethod
    def solve_triangular(a: Any, b: Any, lower: bool = False) -> Any:
        return np.linalg.solve(np.tril(a) if lower else np.triu(a), b)

    @staticmethod
    def expm(a: Any) -> Any:
        terms = [np.eye(len(a), dtype=a.dtype)]
        for power in range(1, 60):
            terms.append(terms[-1] @ a / power)
        return sum(terms[1:], terms[0]).astype(a.dtype)

    @staticmethod
    def sqrtm(a: Any) -> Any:
        """By Newton's iteration of Denman and Beavers."""
        root, inverse = a, np.eye(len(a), dtype=a.dtype)
        for _ in range(30):
            root, inverse = (root + np.linalg.inv(inverse)) / 2, (inverse + np.linalg.inv(root)) / 2
        return root


class norm:  # noqa: N801
    """scipy.stats.norm."""

    @staticmethod
    def logpdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
        return -0.5 * ((x - loc) / scale) ** 2 - np.log(scale) - 0.5 * np.log(2 * np.pi)

    @classmethod
    def pdf(cls, x: Any, loc: Any = 0, scale: Any = 1) -> Any:
        return np.exp(cls.logpdf(x, loc, scale))

    @staticmethod
    def cdf(x: Any, loc: Any = 0, scale: Any = 1) -> Any:
        return special.ndtr((x - loc) / scale)


class integrate:  # noqa: N801
    """scipy.integrate."""

    trapezoid = trapz = staticmethod(np.trapezoid)


class distance:  # noqa: N801
    """scipy.spatial.distance."""

    @staticmethod
    def euclidean(u: Any, v: Any) -> Any:
        return np.sqrt(np.sum((u - v) ** 2))

    @staticmethod
    def sqeuclidean(u: Any, v: Any) -> Any:
        return np.sum((u - v) ** 2)

    @staticmethod
    def cityblock(u: Any, v: Any) -> Any:
        return np.sum(np.abs(u - v))

    @staticmethod
    def cdist(u: Any, v: Any) -> Any:
        return np.sqrt(np.sum((u[:, None] - v[None]) ** 2, axis=-1))


#: The modules by the names that the samples use.
MODULES = {
    "special": special,
    "linalg": linalg,
    "norm": norm,
    "integrate": integrate,
    "fft": np.fft,
    "distance": distance,
}
