"""Samples for the rows of array methods, Python, its math module, and SciPy."""

from __future__ import annotations

from typing import Final

from tests.tables import samples_numpy

_REDUCED: Final = ("x.{}()", "x.{}(axis=0)", "x.{}(1, keepdims=True)", "h.{}(axis=(0, 2))")
_ONE: Final = [
    "exp",
    "exp2",
    "expm1",
    "log",
    "log1p",
    "log2",
    "log10",
    "sqrt",
    "cbrt",
    "sin",
    "cos",
    "tan",
    "sinh",
    "cosh",
    "tanh",
    "asin",
    "acos",
    "atan",
    "asinh",
    "atanh",
    "radians",
    "degrees",
    "fabs",
    "erf",
    "erfc",
    "lgamma",
]

SAMPLES: Final[dict[str, tuple[str, ...]]] = {
    **{
        f"ndarray.{name}": tuple(text.format(name) for text in (*_REDUCED, "x.{}(dtype=np.float64)"))
        for name in ("sum", "prod", "mean")
    },
    **{
        f"ndarray.{name}": tuple(text.format(name) for text in (*_REDUCED, "x.{}(dtype=np.float64)", "x.{}(0, ddof=1)"))
        for name in ("var", "std")
    },
    "ndarray.sum": (*(text.format("sum") for text in _REDUCED), "x.sum(dtype=np.float64)", "mask.sum(axis=0)"),
    **{f"ndarray.{name}": tuple(text.format(name) for text in _REDUCED) for name in ("max", "min")},
    **{
        f"ndarray.{name}": (f"mask.{name}()", f"mask.{name}(axis=0)", f"count.{name}(axis=1)")
        for name in ("any", "all")
    },
    "ndarray.reshape": (
        "x.reshape(2, 6)",
        "x.reshape((2, 6))",
        "x.reshape(-1)",
        "x.reshape(12, order='F')",
        "x.reshape([4, 3])",
    ),
    "ndarray.ravel": ("x.ravel()", "x.ravel('F')"),
    "ndarray.flatten": ("x.flatten()", "x.flatten(order='F')"),
    "ndarray.transpose": ("x.transpose()", "h.transpose(1, 0, 2)", "h.transpose((2, 0, 1))"),
    "ndarray.squeeze": ("x.squeeze()",),
    "ndarray.swapaxes": ("h.swapaxes(0, 2)",),
    "ndarray.repeat": ("x.repeat(2)", "x.repeat(3, axis=0)"),
    "ndarray.astype": ("x.astype(np.float64)", "x.astype('f8')", "x.astype(float)", "x.astype(x.dtype, copy=False)"),
    "ndarray.copy": ("x.copy()",),
    "ndarray.clip": ("g.clip(0.1, 0.5)", "g.clip(0)", "g.clip(max=0.2)"),
    "ndarray.conj": ("z.conj()",),
    "ndarray.conjugate": ("z.conjugate()",),
    "ndarray.T": ("x.T", "h.T"),
    "ndarray.real": ("z.real",),
    "ndarray.imag": ("z.imag",),
    "ndarray.dot": ("m.dot(k)", "v.dot(u)", "x.dot(v)", "v.dot(l)", "h.dot(v)", "x.dot(w)"),
    "ndarray.cumsum": ("q.cumsum()", "x.cumsum()", "x.cumsum(axis=1)", "x.cumsum(axis=0, dtype=np.float64)"),
    "ndarray.cumprod": ("q.cumprod()", "x.cumprod()", "x.cumprod(1)", "x.cumprod(axis=0, dtype=np.float64)"),
    "ndarray.argmax": ("x.argmax()", "v.argmax()", "x.argmax(axis=1)"),
    "ndarray.argmin": ("x.argmin()", "v.argmin()", "x.argmin(axis=1)"),
    "ndarray.argsort": ("x.argsort()", "x.argsort(axis=0)"),
    "ndarray.searchsorted": ("wide.searchsorted(v)",),
    "ndarray.nonzero": ("mask.nonzero()",),
    "ndarray.round": ("g.round()",),
    "ndarray.take": ("x.take(order, axis=0)", "v.take([0, 2])", "x.take([3, 5])"),
    "ndarray.compress": ("x.compress([True, False, True], axis=0)", "v.compress([True, False, True, True])"),
    "ndarray.diagonal": ("m.diagonal()", "h.diagonal(axis1=1, axis2=2)"),
    "ndarray.trace": ("m.trace()", "x.trace(1)"),
    "ndarray.item": ("t.item()", "one.item()", "v.item(2)"),
    "ndarray.tolist": ("t.tolist()", "v.tolist()"),
    "ndarray.mT": ("h.mT",),
    "ndarray.ndim": ("x.ndim",),
    "ndarray.size": ("x.size",),
    # Python
    "builtins.max": ("max(t, r)", "max(0.2, t)", "max(t, 0)", "max(t, r, 0.3)", "max([t, r])", "max(v)"),
    "builtins.min": ("min(t, r)", "min(0.9, t)", "min(t, 1)", "min(t, r, 0.3)", "min([t, r])", "min(v)"),
    "builtins.sum": ("sum(x)",),
    "builtins.abs": ("abs(g)",),
    "builtins.pow": ("pow(x, y)", "pow(x, 2)"),
    "builtins.round": ("round(t)",),
    "builtins.float": ("float(t)",),
    "builtins.complex": ("complex(t, r)",),
    # math
    **{f"math.{name}": (f"math.{name}(t)",) for name in _ONE},
    "math.acosh": ("math.acosh(1 + t)",),
    "math.log": ("math.log(t)", "math.log(t, 2)", "math.log(t, 10)"),
    "math.atan2": ("math.atan2(t, r)",),
    "math.pow": ("math.pow(t, r)", "math.pow(2, t)"),
    "math.hypot": ("math.hypot(t, r)", "math.hypot(t, 2)"),
    "math.dist": ("math.dist(v, u)", "math.dist(v, w)"),
    "math.copysign": ("math.copysign(t, r)", "math.copysign(t, -1)"),
    "math.fsum": ("math.fsum([t, r, 0.5])",),
    "math.prod": ("math.prod([t, r, 0.5])",),
    **{f"math.{name}": (f"math.{name}(t)",) for name in ("floor", "ceil", "isnan", "isinf", "isfinite")},
    # SciPy
    **{
        f"scipy.special.{name}": (f"special.{name}(x)",)
        for name in (
            *("gammaln", "loggamma", "digamma", "psi", "erf", "erfc", "erfinv", "expit", "ndtri", "ndtr", "i0", "i0e"),
            *("i1", "i1e", "logit", "log_expit", "entr", "expm1", "log1p", "exp2", "exp10", "cbrt"),
        )
    },
    **{
        f"scipy.special.{name}": (f"special.{name}(x, y)", f"special.{name}(n, y)", f"special.{name}(x, n)")
        for name in ("xlogy", "xlog1py", "betaln", "rel_entr", "kl_div")
    },
    **{
        f"scipy.special.{name}": (f"special.{name}(n, y)", f"special.{name}(2, y)")
        for name in ("gammainc", "gammaincc")
    },
    "scipy.special.softmax": ("special.softmax(x * 2)", "special.softmax(x)", "special.softmax(x, axis=1)"),
    "scipy.special.log_softmax": ("special.log_softmax(x, axis=-1)", "special.log_softmax(x)"),
    "scipy.special.logsumexp": ("special.logsumexp(x)", "special.logsumexp(x, axis=0, keepdims=True)"),
    **{
        f"scipy.stats.norm.{name}": (
            f"norm.{name}(g)",
            f"norm.{name}(g, 0.5, 2)",
            f"norm.{name}(g, x)",
            f"norm.{name}(g, scale=0.3)",
            f"norm.{name}(g, loc=x, scale=y)",
            f"norm.{name}(n, x, t)",
        )
        for name in ("pdf", "logpdf", "cdf")
    },
    **{
        f"scipy.spatial.distance.{name}": (f"distance.{name}(v, u)", f"distance.{name}(w, v)")
        for name in ("euclidean", "sqeuclidean", "cityblock")
    },
    "scipy.spatial.distance.cdist": ("distance.cdist(x, y)", "distance.cdist(n, x)"),
    "scipy.linalg.expm": ("linalg.expm(m)",),
    "scipy.linalg.sqrtm": ("linalg.sqrtm(s)",),
    "scipy.linalg.cholesky": ("linalg.cholesky(s)", "linalg.cholesky(s, lower=True)"),
    "scipy.linalg.solve": ("linalg.solve(m, a3)", "linalg.solve(m, k)", "linalg.solve(d, b3)"),
    "scipy.linalg.solve_triangular": (
        "linalg.solve_triangular(m, a3, lower=True)",
        "linalg.solve_triangular(m, k)",
    ),
    "scipy.linalg.inv": ("linalg.inv(m)",),
    "scipy.linalg.det": ("linalg.det(m)",),
    "scipy.linalg.pinv": ("linalg.pinv(x)",),
    "scipy.linalg.svdvals": ("linalg.svdvals(x)",),
    **{
        f"scipy.integrate.{name}": ("integrate.trapezoid(x, dx=0.5)", "integrate.trapezoid(x, v)")
        for name in ("trapezoid", "trapz")
    },
}

_SHARED = {
    symbol.replace("numpy.", "scipy."): tuple(text.replace("np.", "", 1) for text in texts)
    for symbol, texts in samples_numpy.SAMPLES.items()
    if symbol.startswith("numpy.fft.") or symbol == "numpy.linalg.norm"
}
SAMPLES.update(_SHARED)
