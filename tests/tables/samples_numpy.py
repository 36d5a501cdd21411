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

_MATMUL: Final = (
    "np.matmul(m, k)",
    "np.matmul(v, u)",
    "np.matmul(x, v)",
    "np.matmul(v, l)",
    "np.matmul(h, l)",
    "np.matmul(d, m)",
    "np.matmul(h, v)",
)

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
    "numpy.angle": ("np.angle(z)", "np.angle(z, deg=True)"),
    "numpy.sign": ("np.sign(g)",),
    **{f"numpy.{name}": (f"np.{name}(g)",) for name in ("floor", "ceil", "rint")},
    **{f"numpy.{name}": (f"np.{name}(gap)",) for name in ("isnan", "isinf", "isfinite")},
    "numpy.logical_not": ("np.logical_not(mask)", "np.logical_not(count)"),
    **{
        f"numpy.{name}": (f"np.{name}(mask, mask)", f"np.{name}(count, mask)", f"np.{name}(mask, count)")
        for name in ("logical_and", "logical_or", "logical_xor")
    },
    **{
        f"numpy.{name}": (f"np.{name}(x, y)", f"np.{name}(x, n)", f"np.{name}(n, x)", f"np.{name}(0.5, x)")
        for name in _COMPARED
    },
    "numpy.logaddexp": (*_OPERANDS["logaddexp"], "np.logaddexp(x, y * 2)"),
    # rounding, remainders, steps
    **{f"numpy.{name}": (f"np.{name}(g)",) for name in ("round", "around", "trunc", "fix")},
    "numpy.floor_divide": ("np.floor_divide(p, x)", "np.floor_divide(n, x)"),
    **{
        f"numpy.{name}": (f"np.{name}(p, x)", f"np.{name}(n, x)", f"np.{name}(3, x)", f"np.{name}(g, 0.1)")
        for name in ("mod", "remainder")
    },
    **{
        f"numpy.{name}": (f"np.{name}(x, g)", f"np.{name}(gap, x)", f"np.{name}(x, gap)", f"np.{name}(n, x)")
        for name in ("fmax", "fmin")
    },
    "numpy.copysign": ("np.copysign(x, g)", "np.copysign(x, -2.0)"),
    "numpy.heaviside": ("np.heaviside(g, 0.5)", "np.heaviside(g, x)"),
    "numpy.i0": ("np.i0(x)",),
    # scalar types
    **{f"numpy.{name}": (f"np.{name}(x)",) for name in ("float32", "single", "float64", "double", "bool", "bool_")},
    **{
        f"numpy.{name}": (f"np.{name}(p)",)
        for name in (
            *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "byte", "short", "intc"),
            *("int_", "long", "longlong", "intp", "ubyte", "ushort", "uintc", "uint", "uintp", "ulong", "ulonglong"),
        )
    },
    **{
        f"numpy.{name}": (f"np.{name}(z)", f"np.{name}(x)")
        for name in ("complex128", "cdouble", "complex64", "csingle")
    },
    **{f"numpy.{name}": (f"np.{name}(v) | _ * 0 + 1",) for name in ("float16", "half")},
    # reductions
    **{
        f"numpy.{name}": (
            *tuple(
                f"np.{name}{call}" for call in (*_REDUCED, "(x, dtype=np.float64)", "(x, ddof=1)", "([t, r], ddof=1)")
            ),
            f"np.{name}(x, axis=1, ddof=1, keepdims=True)",
        )
        for name in ("var", "std")
    },
    "numpy.sum": (
        *(f"np.sum{call}" for call in _REDUCED),
        "np.sum(x, dtype=np.float64)",
        "np.sum(mask, axis=0)",
        "np.sum(x, where=mask)",
        "np.sum(x, axis=1, where=mask, keepdims=True)",
    ),
    "numpy.prod": (
        *(f"np.prod{call}" for call in _REDUCED),
        "np.prod(x, dtype=np.float64)",
        "np.prod(x, axis=1, where=mask)",
    ),
    "numpy.mean": (
        *(f"np.mean{call}" for call in _REDUCED),
        "np.mean(x, dtype=np.float64)",
        "np.mean(x, axis=1, where=mask)",
    ),
    **{
        f"numpy.{name}": (
            *(f"np.{name}{call}" for call in _REDUCED),
            f"np.{name}(x, initial=1.2)",
            f"np.{name}(x, axis=1, initial=1.2, where=mask)",
        )
        for name in ("max", "min", "amax", "amin")
    },
    **{
        f"numpy.{name}": (f"np.{name}(mask)", f"np.{name}(mask, axis=0)", f"np.{name}(count, axis=1)")
        for name in ("any", "all")
    },
    **{
        f"numpy.{name}.reduce": (f"np.{name}.reduce(x)", f"np.{name}.reduce(x, axis=1)", f"np.{name}.reduce(v)")
        for name in ("add", "multiply", "maximum", "minimum")
    },
    **{
        f"numpy.{name}.reduce": (f"np.{name}.reduce(mask)", f"np.{name}.reduce(count, axis=1)")
        for name in ("logical_and", "logical_or")
    },
    **{
        f"numpy.{name}.accumulate": (f"np.{name}.accumulate(x)", f"np.{name}.accumulate(x, axis=1)")
        for name in ("add", "multiply")
    },
    **{
        f"numpy.{name}.accumulate": (
            f"np.{name}.accumulate(g)",
            f"np.{name}.accumulate(q, axis=-1)",
            f"np.{name}.accumulate(g, axis=1)",
        )
        for name in ("maximum", "minimum")
    },
    **{
        f"numpy.{name}.outer": (f"np.{name}.outer(v, u)", f"np.{name}.outer(x, w)")
        for name in ("add", "subtract", "multiply", "divide")
    },
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
    "numpy.matmul": _MATMUL,
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
    "numpy.linalg.svd": (
        "np.linalg.svd(x, compute_uv=False)",
        "np.linalg.svd(x, full_matrices=False, compute_uv=False)",
        "np.linalg.svd(m) | (_[0] * _[1]) @ _[2]",
        "np.linalg.svd(x, full_matrices=False) | (_[0] * _[1]) @ _[2]",
        "np.linalg.svd(m) | _[0] ** 2",
    ),
    "numpy.linalg.qr": (
        "np.linalg.qr(m)",
        "np.linalg.qr(l)",
        "np.linalg.qr(m, 'complete')",
        "np.linalg.qr(m, mode='r')",
    ),
    "numpy.matvec": ("np.matvec(x, v)", "np.matvec(d, a3)"),
    "numpy.vecmat": ("np.vecmat(v, l)", "np.vecmat(a3, d)"),
    "numpy.vecdot": ("np.vecdot(v, u)", "np.vecdot(x, w)", "np.vecdot(n, x)"),
    "numpy.linalg.matrix_power": tuple(f"np.linalg.matrix_power(m, {n})" for n in (2, 3, -1)),
    "numpy.linalg.cond": ("np.linalg.cond(m)", "np.linalg.cond(m, 2)"),
    "numpy.linalg.matrix_rank": ("np.linalg.matrix_rank(m)",),
    "numpy.linalg.svdvals": ("np.linalg.svdvals(x)",),
    "numpy.linalg.matrix_transpose": ("np.linalg.matrix_transpose(h)",),
    "numpy.linalg.diagonal": ("np.linalg.diagonal(hm)", "np.linalg.diagonal(m, offset=1)"),
    "numpy.linalg.trace": ("np.linalg.trace(hm)",),
    "numpy.linalg.vector_norm": ("np.linalg.vector_norm(x)", "np.linalg.vector_norm(x, axis=1)"),
    "numpy.linalg.matrix_norm": ("np.linalg.matrix_norm(h)",),
    "numpy.linalg.matmul": _MATMUL,
    "numpy.linalg.outer": ("np.linalg.outer(v, u)",),
    "numpy.linalg.tensordot": ("np.linalg.tensordot(x, l, axes=1)",),
    "numpy.linalg.cross": ("np.linalg.cross(a3, b3)",),
    "numpy.linalg.vecdot": ("np.linalg.vecdot(v, u)",),
    # Fourier transforms
    "numpy.fft.fft": ("np.fft.fft(e)", "np.fft.fft(cv)", "np.fft.fft(x)", "np.fft.fft(e, axis=0)"),
    "numpy.fft.ifft": ("np.fft.ifft(cv)", "np.fft.ifft(e)", "np.fft.ifft(e, axis=0)"),
    "numpy.fft.rfft": (
        "np.fft.rfft(e)",
        "np.fft.rfft(q)",
        "np.fft.rfft(e, n=8)",
        "np.fft.rfft(e, 12)",
        "np.fft.rfft(e, axis=0)",
    ),
    "numpy.fft.irfft": ("np.fft.irfft(hc)", "np.fft.irfft(hc, n=9)", "np.fft.irfft(hc, axis=0)"),
    "numpy.fft.fft2": ("np.fft.fft2(x)", "np.fft.fft2(z)"),
    "numpy.fft.ifft2": ("np.fft.ifft2(z)",),
    "numpy.fft.rfft2": ("np.fft.rfft2(x)",),
    "numpy.fft.irfft2": ("np.fft.irfft2(zc)",),
    "numpy.fft.fftn": ("np.fft.fftn(e)", "np.fft.fftn(x)", "np.fft.fftn(h)"),
    "numpy.fft.ifftn": ("np.fft.ifftn(cv)", "np.fft.ifftn(z)", "np.fft.ifftn(h)"),
    "numpy.fft.rfftn": ("np.fft.rfftn(e)", "np.fft.rfftn(x)"),
    "numpy.fft.fftshift": ("np.fft.fftshift(e)", "np.fft.fftshift(x, axes=1)"),
    "numpy.fft.ifftshift": ("np.fft.ifftshift(e)",),
}
