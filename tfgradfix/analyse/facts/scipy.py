"""SciPy's special functions, linear algebra, transforms and densities, for what has become a tensor."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tfgradfix.analyse.facts import numpy_fft, numpy_linalg, numpy_statistics
from tfgradfix.analyse.facts.rows import Effect, Form, Row, absent, equals, form, given, kind, operators, rank

_MANY: Final = (2, 3, 4, 5, 6)
_EXPRESSIBLE: Final = "TensorFlow has no function for it, and no short expression gives the same value and slope"
_POSITIVE: Final = "TensorFlow has the logarithm of the absolute value, tf.math.lgamma"


def _one(name: str, *write: str | Form) -> Row:
    forms = tuple(entry if isinstance(entry, Form) else form(entry) for entry in write)
    return Row(f"scipy.special.{name}", "(x, out=None)", forms, floats=True)


def _two(name: str, *write: str | Form, first: str = "x", second: str = "y", strict: bool = False) -> Row:
    forms = tuple(entry if isinstance(entry, Form) else form(entry) for entry in write)
    return Row(f"scipy.special.{name}", f"({first}, {second}, out=None)", forms, carries=(first, second), strict=strict)


def _distance(name: str, write: str) -> Row:
    """A distance of two vectors, one of them at least a tensor."""
    forms = tuple(operators(write, kind(point, "tensor", "variable")) for point in ("u", "v"))
    reason = "neither point is known to be a tensor"
    return Row(
        f"scipy.spatial.distance.{name}", "(u, v, w=None)", forms, reason=reason, carries=("u", "v"), widens=True
    )


def _normal(name: str, write: str, scaled: str, by_number: str) -> Row:
    """A function of the standardised value; ``write`` has the place Z for it; ``scaled`` follows for a scale."""
    standard = "(({x} - {loc|0.0}) / {scale|1.0})"
    general = write.replace("Z", standard)
    return Row(
        f"scipy.stats.norm.{name}",
        "(x, loc=0, scale=1)",
        (
            operators(write.replace("Z", "{x}"), absent("loc"), absent("scale")),
            operators(write.replace("Z", "({x} - {loc})"), absent("scale")),
            operators(general + by_number, kind("scale", "number")),
            operators(general + scaled, kind("scale", "tensor", "variable")),
        ),
        reason="the scale has to be a number that is written out, or a tensor",
        carries=("x", "loc", "scale"),
        widens=True,
    )


#: The same function under NumPy's name.
_ALIKE: Final = {
    **{f"numpy.linalg.{name}": f"scipy.linalg.{name}" for name in ("inv", "det", "norm", "pinv", "svdvals")},
    **{
        row.symbol: row.symbol.replace("numpy.fft.", "scipy.fft.")
        for row in numpy_fft.ROWS
        if not row.symbol.endswith("freq")
    },
    "numpy.trapezoid": "scipy.integrate.trapezoid",
    "numpy.trapz": "scipy.integrate.trapz",
}

ROWS: Final[tuple[Row, ...]] = (
    # gamma and beta
    _one("gammaln", "tf.math.lgamma({x})"),
    _one("loggamma", "tf.math.lgamma({x})"),
    _one("digamma", "tf.math.digamma({x})"),
    _one("psi", "tf.math.digamma({x})"),
    *(
        _two(name, form(f"tf.math.{own}({{a}}, {{x}})"), first="a", second="x")
        for name, own in (("gammainc", "igamma"), ("gammaincc", "igammac"))
    ),
    _two(
        "betaln",
        "tf.math.lgamma({a}) + tf.math.lgamma({b}) - tf.math.lgamma({a} + {b})",
        first="a",
        second="b",
        strict=True,
    ),
    *(
        Row(f"scipy.special.{name}", "(x, *others)", effect=Effect.NO_COUNTERPART, reason=_POSITIVE)
        for name in ("gamma", "beta", "binom", "rgamma", "factorial", "comb", "poch")
    ),
    # error functions and the normal distribution
    _one("erf", "tf.math.erf({x})"),
    _one("erfc", "tf.math.erfc({x})"),
    _one("erfinv", "tf.math.erfinv({x})"),
    _one("ndtri", "tf.math.ndtri({x})"),
    _one("ndtr", "0.5 * tf.math.erfc(-0.7071067811865476 * {x})"),
    _normal("pdf", "0.3989422804014327 * tf.exp(-0.5 * Z ** 2)", " / {scale}", " / {scale}"),
    _normal("logpdf", "-0.5 * Z ** 2 - 0.9189385332046727", " - tf.math.log({scale})", " - {scale:log}"),
    _normal("cdf", "0.5 * tf.math.erfc(-0.7071067811865476 * Z)", "", ""),
    # Bessel functions
    *(_one(name, f"tf.math.bessel_{name}({{x}})") for name in ("i0", "i0e", "i1", "i1e")),
    # logarithms, logits, entropies
    _one("expit", "tf.sigmoid({x})"),
    _one("logit", "tf.math.log({x} / (1 - {x}))"),
    _one("log_expit", "tf.math.log_sigmoid({x})"),
    _one("entr", "-tf.math.xlogy({x}, {x})"),
    _one("expm1", "tf.math.expm1({x})"),
    _one("log1p", "tf.math.log1p({x})"),
    _one("exp2", "tf.experimental.numpy.exp2({x})"),
    _one("exp10", "10.0 ** {x}"),
    _one("cbrt", "tf.experimental.numpy.cbrt({x})"),
    _two("xlogy", "tf.math.xlogy({x}, {y})"),
    _two("xlog1py", "tf.math.xlog1py({x}, {y})"),
    _two("rel_entr", operators("{x} * tf.math.log({x} / {y})")),
    _two("kl_div", operators("{x} * tf.math.log({x} / {y}) - {x} + {y}")),
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
    *(
        Row(f"scipy.special.{name}", "(x, *others)", effect=Effect.NO_COUNTERPART, reason=_EXPRESSIBLE)
        for name in ("erfcx", "log_ndtr", "polygamma", "zeta", "betainc", "jv", "kv", "k0", "k1", "huber", "boxcox")
    ),
    # distances
    _distance("euclidean", "tf.norm({u} - {v})"),
    _distance("sqeuclidean", "tf.reduce_sum(({u} - {v}) ** 2)"),
    _distance("cityblock", "tf.reduce_sum(tf.abs({u} - {v}))"),
    Row(
        "scipy.spatial.distance.cdist",
        "(XA, XB, metric='euclidean', *, out=None)",
        (form("tf.norm(tf.expand_dims({XA}, 1) - tf.expand_dims({XB}, 0), axis=-1)", equals("metric", "euclidean")),),
        carries=("XA", "XB"),
        strict=True,
        widens=True,
    ),
    # the same as NumPy's
    *(
        replace(row, symbol=_ALIKE[row.symbol])
        for row in (*numpy_linalg.ROWS, *numpy_fft.ROWS, *numpy_statistics.ROWS)
        if row.symbol in _ALIKE
    ),
    # linear algebra of its own
    Row("scipy.linalg.expm", "(A)", (form("tf.linalg.expm({A})"),), floats=True),
    Row("scipy.linalg.sqrtm", "(A, disp=True, blocksize=64)", (form("tf.linalg.sqrtm({A})"),), floats=True),
    Row(
        "scipy.linalg.cholesky",
        "(a, lower=False, overwrite_a=False, check_finite=True)",
        (
            form("tf.linalg.cholesky({a})", equals("lower", True)),
            form("tf.linalg.adjoint(tf.linalg.cholesky({a}))", equals("lower", False)),
        ),
        ignored=("overwrite_a", "check_finite"),
    ),
    Row(
        "scipy.linalg.solve",
        "(a, b, lower=False, overwrite_a=False, overwrite_b=False, check_finite=True, assume_a=None, transposed=False)",
        (
            form("tf.linalg.solve({a}, {b})", rank("b", *_MANY)),
            form("tf.squeeze(tf.linalg.solve({a}, tf.expand_dims({b}, axis=-1)), axis=-1)", rank("b", 1)),
        ),
        reason="the rank of the right side decides between one system and several, and it is not known",
        carries=("a", "b"),
        strict=True,
        ignored=("overwrite_a", "overwrite_b", "check_finite", "assume_a"),
    ),
    Row(
        "scipy.linalg.solve_triangular",
        "(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False, check_finite=True)",
        (
            form("tf.linalg.triangular_solve({a}, {b}, lower={lower|False})", rank("b", *_MANY)),
            form(
                "tf.squeeze(tf.linalg.triangular_solve({a}, tf.expand_dims({b}, axis=-1), lower={lower|False}), "
                "axis=-1)",
                rank("b", 1),
            ),
        ),
        reason="the rank of the right side decides between one system and several, and it is not known",
        carries=("a", "b"),
        strict=True,
        ignored=("overwrite_b", "check_finite"),
    ),
    *(
        Row(f"scipy.{name}", "(*args, **kwargs)", effect=Effect.NO_COUNTERPART, reason=_EXPRESSIBLE)
        for name in (
            *("linalg.lu", "linalg.lu_factor", "linalg.lstsq", "linalg.logm", "linalg.eig", "linalg.schur"),
            *("integrate.quad", "integrate.odeint", "integrate.solve_ivp", "integrate.simpson", "optimize.minimize"),
            *("interpolate.interp1d", "ndimage.gaussian_filter", "signal.convolve", "signal.fftconvolve"),
            *("signal.savgol_filter", "stats.pearsonr", "stats.spearmanr", "stats.wasserstein_distance"),
        )
    ),
)
