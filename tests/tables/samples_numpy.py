"""Samples for the rows of NumPy's functions."""

from __future__ import annotations

from typing import Final

_ONE: Final = [
    "expm1",
    "exp2",
    "log",
    "log1p",
    "log2",
    "log10",
    "sqrt",
    "cbrt",
    "square",
    "reciprocal",
    "sin",
    "cos",
    "tan",
    "sinh",
    "cosh",
    "tanh",
    "arcsin",
    "arccos",
    "arctan",
    "arcsinh",
    "arctanh",
    "asin",
    "acos",
    "atan",
    "asinh",
    "atanh",
    "deg2rad",
    "radians",
    "rad2deg",
    "degrees",
    "negative",
    "positive",
    "fabs",
]
_BOTH_DTYPES: Final = {
    name: (f"np.{name}(x)", f"np.{name}(x, dtype=np.float64)", f"np.{name}(h, order='C')") for name in _ONE
}
_TWO: Final = [
    "arctan2",
    "atan2",
    "hypot",
    "add",
    "subtract",
    "multiply",
    "divide",
    "true_divide",
    "power",
    "pow",
    "logaddexp",
    "logaddexp2",
]
_OPERANDS: Final = {
    name: (
        f"np.{name}(x, y)",
        f"np.{name}(x, n)",
        f"np.{name}(n, x)",
        f"np.{name}(2, x)",
        f"np.{name}(x, 3)",
        f"np.{name}(v, x)",
        f"np.{name}(0.7, x)",
        f"np.{name}(x, w)",
    )
    for name in _TWO
}
_COMPARED: Final = ["greater", "greater_equal", "less", "less_equal", "equal", "not_equal"]
_REDUCED: Final = ("(x)", "(x, axis=0)", "(x, 1, keepdims=True)", "(h, axis=(0, 2))", "(h, -1)")

SAMPLES: Final[dict[str, tuple[str, ...]]] = {
    **{f"numpy.{name}": texts for name, texts in _BOTH_DTYPES.items()},
    **{f"numpy.{name}": texts for name, texts in _OPERANDS.items()},
    "numpy.exp": ("np.exp(x)", "np.exp(x, dtype='float64')", "np.exp(z)"),
    **{f"numpy.{name}": (f"np.{name}(p)", f"np.{name}(p, dtype=np.float64)") for name in ("arccosh", "acosh")},
    "numpy.sinc": ("np.sinc(x)",),
    "numpy.float_power": ("np.float_power(x, y)",),
    **{
        f"numpy.{name}": (
            f"np.{name}(x, g)",
            f"np.{name}(x, 0.5)",
            f"np.{name}(0, g)",
            f"np.{name}(0.5, g)",
            f"np.{name}(n, x)",
            f"np.{name}(x, n)",
        )
        for name in ("maximum", "minimum")
    },
    **{
        f"numpy.{name}": (f"np.{name}(g)", f"np.{name}(z)", f"np.{name}(g, dtype=np.float64)")
        for name in ("abs", "absolute")
    },
    **{f"numpy.{name}": (f"np.{name}(z)", f"np.{name}(x)") for name in ("real", "conj", "conjugate")},
    "numpy.imag": ("np.imag(z)",),
    "numpy.angle": ("np.angle(z)",),
    "numpy.sign": ("np.sign(g)",),
    **{f"numpy.{name}": (f"np.{name}(g)",) for name in ("floor", "ceil", "rint")},
    **{f"numpy.{name}": (f"np.{name}(gap)",) for name in ("isnan", "isinf", "isfinite")},
    "numpy.logical_not": ("np.logical_not(mask)",),
    **{f"numpy.{name}": (f"np.{name}(mask, mask)",) for name in ("logical_and", "logical_or", "logical_xor")},
    **{
        f"numpy.{name}": (f"np.{name}(x, y)", f"np.{name}(x, n)", f"np.{name}(n, x)", f"np.{name}(0.5, x)")
        for name in _COMPARED
    },
    # reductions
    **{
        f"numpy.{name}": tuple(f"np.{name}{call}" for call in (*_REDUCED, "(x, dtype=np.float64)"))
        for name in ("mean", "sum", "prod")
    },
    **{
        f"numpy.{name}": (
            *tuple(f"np.{name}{call}" for call in (*_REDUCED, "(x, dtype=np.float64)", "(x, ddof=1)")),
            f"np.{name}(x, axis=1, ddof=1, keepdims=True)",
        )
        for name in ("var", "std")
    },
    **{f"numpy.{name}": tuple(f"np.{name}{call}" for call in _REDUCED) for name in ("max", "min", "amax", "amin")},
    **{f"numpy.{name}": (f"np.{name}(mask)", f"np.{name}(mask, axis=0)") for name in ("any", "all")},
    # arrays
    **{
        f"numpy.{name}": (
            f"np.{name}(x)",
            f"np.{name}(x, dtype=np.float64)",
            f"np.{name}([v, u])",
            f"np.{name}([t, 0.5, r])",
            f"np.{name}([[t, 0.5], [1.0, r]])",
            f"np.{name}([[t, r]], dtype='f8')",
            f"np.{name}([t, r], float)",
        )
        for name in ("array", "asarray", "asanyarray", "ascontiguousarray")
    },
    "numpy.copy": ("np.copy(x)",),
    "numpy.concatenate": (
        "np.concatenate([x, y])",
        "np.concatenate((x, n), axis=1)",
        "np.concatenate([n, x], -1)",
        "np.concatenate([x, y], dtype=np.float64)",
    ),
    "numpy.stack": ("np.stack([x, y])", "np.stack((x, n), axis=-1)", "np.stack([x, y], dtype=np.float64)"),
    "numpy.vstack": ("np.vstack([v, u])", "np.vstack([x, y])"),
    "numpy.hstack": ("np.hstack([v, u])", "np.hstack([x, y])", "np.hstack([t, r])"),
    "numpy.column_stack": ("np.column_stack([v, u])", "np.column_stack([x, y])"),
    "numpy.reshape": (
        "np.reshape(x, (2, 6))",
        "np.reshape(x, -1)",
        "np.reshape(x, shape=(4, 3))",
        "np.reshape(x, 12, order='F')",
    ),
    "numpy.ravel": ("np.ravel(x)", "np.ravel(x, order='F')"),
    "numpy.transpose": ("np.transpose(x)", "np.transpose(h, (1, 0, 2))", "np.transpose(h, axes=(-1, 0, 1))"),
    "numpy.squeeze": ("np.squeeze(x)",),
    "numpy.expand_dims": ("np.expand_dims(x, 1)", "np.expand_dims(x, axis=-1)"),
    "numpy.swapaxes": ("np.swapaxes(h, 0, -1)",),
    "numpy.moveaxis": ("np.moveaxis(h, 0, -1)", "np.moveaxis(h, (0, 1), (1, 2))"),
    "numpy.broadcast_to": ("np.broadcast_to(v, (3, 4))", "np.broadcast_to(t, 5)"),
    "numpy.tile": ("np.tile(v, 2)", "np.tile(x, (2, 1))", "np.tile(x, 3)"),
    "numpy.repeat": ("np.repeat(x, 2)", "np.repeat(x, 2, axis=1)"),
    "numpy.roll": ("np.roll(x, 1)", "np.roll(x, 1, axis=0)", "np.roll(x, (1, 2), axis=(0, 1))"),
    "numpy.where": (
        "np.where(mask, x, y)",
        "np.where(mask, x, n)",
        "np.where(mask, n, x)",
        "np.where(mask, 0, x)",
        "np.where(mask, 0.25, x)",
        "np.where(mask, x, 0)",
    ),
    "numpy.clip": (
        "np.clip(g, -0.4, 0.4)",
        "np.clip(x, 0, 1)",
        "np.clip(g, None, 0.4)",
        "np.clip(g, 0, None)",
        "np.clip(g, min=0.1, max=0.5)",
        "np.clip(g, min=0)",
        "np.clip(g, max=0.2)",
        "np.clip(g, -0.4, y)",
    ),
    "numpy.diag": ("np.diag(v)", "np.diag(m)", "np.diag(v, k=1)", "np.diag(m, -1)"),
    "numpy.zeros_like": ("np.zeros_like(x)", "np.zeros_like(x, dtype=np.float64)"),
    "numpy.ones_like": ("np.ones_like(x)",),
    # linear algebra
    "numpy.dot": (
        "np.dot(v, u)",
        "np.dot(m, k)",
        "np.dot(x, v)",
        "np.dot(v, l)",
        "np.dot(h, v)",
        "np.dot(d, m)",
        "np.dot(w, v)",
        "np.dot(x, w)",
    ),
    "numpy.matmul": (
        "np.matmul(m, k)",
        "np.matmul(v, u)",
        "np.matmul(x, v)",
        "np.matmul(v, l)",
        "np.matmul(h, l)",
        "np.matmul(d, m)",
        "np.matmul(h, v)",
    ),
    "numpy.inner": ("np.inner(v, u)", "np.inner(x, y)", "np.inner(n, x)"),
    "numpy.outer": ("np.outer(v, u)", "np.outer(w, v)"),
    "numpy.vdot": ("np.vdot(v, u)", "np.vdot(x, n)", "np.vdot(cv, cv)"),
    "numpy.kron": ("np.kron(m, v)", "np.kron(v, u)", "np.kron(d, m)"),
    "numpy.tensordot": ("np.tensordot(x, l, 1)", "np.tensordot(h, x, axes=([1, 2], [0, 1]))", "np.tensordot(d, m)"),
    "numpy.einsum": ("np.einsum('ij,j->i', x, v)", "np.einsum('ij,jk->ik', d, m)", "np.einsum('ii', m)"),
    "numpy.cross": ("np.cross(a3, b3)", "np.cross(m, a3)"),
    "numpy.trace": ("np.trace(m)", "np.trace(x, offset=1)", "np.trace(h)"),
    "numpy.linalg.norm": (
        "np.linalg.norm(x)",
        "np.linalg.norm(x, axis=1)",
        "np.linalg.norm(x, axis=0, keepdims=True)",
        "np.linalg.norm(h, axis=(0, 1))",
        "np.linalg.norm(x, 'fro')",
        "np.linalg.norm(x, ord=1, axis=1)",
        "np.linalg.norm(x, np.inf, axis=0)",
        "np.linalg.norm(v, 3)",
        "np.linalg.norm(m, 2)",
        "np.linalg.norm(m, 1)",
        "np.linalg.norm(m, np.inf)",
        "np.linalg.norm(m, 'nuc')",
        "np.linalg.norm(z)",
    ),
    "numpy.linalg.inv": ("np.linalg.inv(m)", "np.linalg.inv(hm)"),
    "numpy.linalg.det": ("np.linalg.det(m)", "np.linalg.det(hm)"),
    "numpy.linalg.slogdet": ("np.linalg.slogdet(m)",),
    "numpy.linalg.cholesky": ("np.linalg.cholesky(s)",),
    "numpy.linalg.eigh": ("np.linalg.eigh(s) | _[0]", "np.linalg.eigh(s) | _[1] ** 2"),
    "numpy.linalg.eigvalsh": ("np.linalg.eigvalsh(s)",),
    "numpy.linalg.pinv": ("np.linalg.pinv(x)", "np.linalg.pinv(m)"),
    "numpy.linalg.solve": ("np.linalg.solve(m, a3)", "np.linalg.solve(m, k)", "np.linalg.solve(d, b3)"),
    "numpy.linalg.svd": ("np.linalg.svd(x, compute_uv=False)",),
    "numpy.linalg.qr": ("np.linalg.qr(m)", "np.linalg.qr(l)", "np.linalg.qr(m, 'complete')"),
}
