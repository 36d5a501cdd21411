"""Samples for the rows of array methods, Python, its math module, and SciPy."""

from __future__ import annotations

from typing import Final

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
    **{f"ndarray.{name}": tuple(text.format(name) for text in _REDUCED) for name in ("max", "min")},
    **{f"ndarray.{name}": (f"mask.{name}()", f"mask.{name}(axis=0)") for name in ("any", "all")},
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
    "math.fsum": ("math.fsum([t, r, 0.5])",),
    "math.prod": ("math.prod([t, r, 0.5])",),
    **{f"math.{name}": (f"math.{name}(t)",) for name in ("floor", "ceil", "isnan", "isinf", "isfinite")},
    # SciPy
    **{
        f"scipy.special.{name}": (f"special.{name}(x)",)
        for name in ("gammaln", "loggamma", "digamma", "psi", "erf", "erfc", "erfinv", "expit", "ndtri", "i0e", "i1e")
    },
    "scipy.special.xlogy": ("special.xlogy(x, y)", "special.xlogy(n, y)", "special.xlogy(x, 2)"),
    "scipy.special.xlog1py": ("special.xlog1py(x, y)", "special.xlog1py(n, y)"),
    "scipy.special.softmax": ("special.softmax(x)", "special.softmax(x, axis=1)"),
    "scipy.special.log_softmax": ("special.log_softmax(x, axis=-1)", "special.log_softmax(x)"),
    "scipy.special.logsumexp": ("special.logsumexp(x)", "special.logsumexp(x, axis=0, keepdims=True)"),
}
