"""SciPy's special functions, and its linear algebra, for what has become a tensor."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.facts.rows import Row, form, given


def _one(name: str, write: str) -> Row:
    return Row(f"scipy.special.{name}", "(x, out=None)", (form(write),), floats=True)


def _two(name: str, write: str) -> Row:
    return Row(f"scipy.special.{name}", "(x, y, out=None)", (form(write),), carries=("x", "y"))


ROWS: Final[tuple[Row, ...]] = (
    _one("gammaln", "tf.math.lgamma({x})"),
    _one("loggamma", "tf.math.lgamma({x})"),
    _one("digamma", "tf.math.digamma({x})"),
    _one("psi", "tf.math.digamma({x})"),
    _one("erf", "tf.math.erf({x})"),
    _one("erfc", "tf.math.erfc({x})"),
    _one("erfinv", "tf.math.erfinv({x})"),
    _one("expit", "tf.sigmoid({x})"),
    _one("ndtri", "tf.math.ndtri({x})"),
    _one("i0e", "tf.math.bessel_i0e({x})"),
    _one("i1e", "tf.math.bessel_i1e({x})"),
    _two("xlogy", "tf.math.xlogy({x}, {y})"),
    _two("xlog1py", "tf.math.xlog1py({x}, {y})"),
    Row(
        "scipy.special.softmax",
        "(x, axis=None)",
        (form("tf.nn.softmax({x}, axis={axis})", given("axis")), form("tf.exp({x} - tf.reduce_logsumexp({x}))")),
    ),
    Row(
        "scipy.special.log_softmax",
        "(x, axis=None)",
        (form("tf.nn.log_softmax({x}, axis={axis})", given("axis")), form("{x} - tf.reduce_logsumexp({x})")),
    ),
    Row(
        "scipy.special.logsumexp",
        "(a, axis=None, b=None, keepdims=False, return_sign=False)",
        (form("tf.reduce_logsumexp({a}, axis={axis}, keepdims={keepdims})"),),
    ),
)
