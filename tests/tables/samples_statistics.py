"""Samples for the rows of NumPy's statistics, calculus, orders and searches."""

from __future__ import annotations

from typing import Final

SAMPLES: Final[dict[str, tuple[str, ...]]] = {
    "numpy.median": (
        "np.median(x * 2)",
        "np.median(x)",
        "np.median(q)",
        "np.median(x, axis=0)",
        "np.median(h, axis=1, keepdims=True)",
    ),
    "numpy.percentile": (
        "np.percentile(q, 30)",
        "np.percentile(q, [30, 41])",
        "np.percentile(x * 2, [10, 30])",
        "np.percentile(x, 75.0)",
        "np.percentile(x, [5, 50, 95])",
        "np.percentile(h, 20, axis=1)",
        "np.percentile(x, 100)",
    ),
    "numpy.quantile": (
        "np.quantile(q, 0.3)",
        "np.quantile(q, [0.3, 0.5])",
        "np.quantile(x, 0.7)",
        "np.quantile(x, [0.05, 0.5])",
        "np.quantile(x, 0.9, axis=0)",
    ),
    "numpy.ptp": ("np.ptp(x)", "np.ptp(x, axis=0)", "np.ptp(x, 1, keepdims=True)"),
    "numpy.average": (
        "np.average(x)",
        "np.average(x, axis=0, weights=y)",
        "np.average(v, weights=w)",
        "np.average(x, weights=n)",
        "np.average(x, axis=1, weights=w)",
    ),
    "numpy.cov": ("np.cov(x * 2)", "np.cov(q)", "np.cov(x)", "np.cov(x, rowvar=False)", "np.cov(x, ddof=0)"),
    "numpy.corrcoef": (
        "np.corrcoef(v, u)",
        "np.corrcoef(v, u) | _[0, 1]",
        "np.corrcoef(v, w)",
        "np.corrcoef(v * 2, u)",
        "np.corrcoef(x)",
        "np.corrcoef(x, rowvar=False)",
    ),
    **{
        f"numpy.{name}": tuple(f"np.{name}{call}" for call in ("(gap)", "(gap, axis=0)", "(gap, 1, keepdims=True)"))
        for name in ("nansum", "nanprod", "nanmean", "nanmax", "nanmin")
    },
    "numpy.nan_to_num": ("np.nan_to_num(gap)", "np.nan_to_num(gap, nan=0.5)"),
    **{
        f"numpy.{name}": (
            f"np.{name}(q)",
            f"np.{name}(x)",
            f"np.{name}(x, axis=1)",
            f"np.{name}(x, axis=0, dtype=np.float64)",
        )
        for name in ("cumsum", "cumprod")
    },
    **{f"numpy.{name}": (f"np.{name}(q)", f"np.{name}(x, axis=1)") for name in ("cumulative_sum", "cumulative_prod")},
    "numpy.diff": ("np.diff(q)", "np.diff(x, axis=0)", "np.diff(x, n=2)"),
    "numpy.ediff1d": ("np.ediff1d(q)", "np.ediff1d(x)"),
    "numpy.gradient": (
        "np.gradient(q)",
        "np.gradient(q * 3, 0.5)",
        "np.gradient(q, 0.5)",
        "np.gradient(x, axis=0)",
        "np.gradient(x, 2, axis=0)",
        "np.gradient(h, axis=-1)",
        "np.gradient(h, 0.1, axis=-1)",
        "np.gradient(x, axis=1)",
        "np.gradient(x, 3.0, axis=1)",
        "np.gradient(x)",
        "np.gradient(q, p0)",
        "np.gradient(x, p0, axis=0)",
        "np.gradient(h, p0, axis=-1)",
        "np.gradient(x, p0, axis=1)",
    ),
    "numpy.trapezoid": (
        "np.trapezoid(q)",
        "np.trapezoid(x, dx=0.5)",
        "np.trapezoid(x, v)",
        "np.trapezoid(x, w)",
        "np.trapezoid(n, v)",
    ),
    "numpy.interp": (
        "np.interp(x, wide, wide)",
        "np.interp(g, wide, f5)",
        "np.interp(t, wide, f5)",
        "np.interp(0.5, wide, f5)",
    ),
    **{
        f"numpy.{name}": tuple(
            f"np.{name}({arguments}{mode})"
            for arguments in ("q, v", "q, a3", "q, w")
            for mode in (", 'full'", ", mode='same'", ", 'valid'")
        )
        for name in ("convolve", "correlate")
    },
    "numpy.polyval": ("np.polyval(v, x)", "np.polyval([1.0, 2.0, 0.5], x)", "np.polyval(w, x)"),
    "numpy.bincount": ("np.bincount(order, a3)", "np.bincount(order, weights=a3, minlength=6)", "np.bincount(order)"),
    "numpy.count_nonzero": ("np.count_nonzero(mask)", "np.count_nonzero(x, axis=0)"),
    # orders
    "numpy.sort": ("np.sort(x)", "np.sort(x, axis=0)", "np.sort(x, axis=None)", "np.sort(q, kind='stable')"),
    **{
        f"numpy.{name}": (
            f"np.{name}(x)",
            f"np.{name}(v)",
            f"np.{name}(x, axis=1)",
            f"np.{name}(x, axis=0, keepdims=True)",
        )
        for name in ("argmax", "argmin")
    },
    "numpy.argsort": ("np.argsort(x)", "np.argsort(x, axis=0)", "np.argsort(x, axis=None)"),
    "numpy.searchsorted": ("np.searchsorted(wide, v)", "np.searchsorted(wide, v, side='right')"),
    "numpy.argwhere": ("np.argwhere(mask)",),
    "numpy.nonzero": ("np.nonzero(mask)",),
    "numpy.flatnonzero": ("np.flatnonzero(mask)",),
    "numpy.unique": ("np.unique(x)",),
    "numpy.isclose": ("np.isclose(x, y)", "np.isclose(x, n, atol=0.1)", "np.isclose(gap, gap, equal_nan=True)"),
    "numpy.allclose": ("np.allclose(x, y)", "np.allclose(x, x)", "np.allclose(n, x)"),
    "numpy.array_equal": ("np.array_equal(x, y)", "np.array_equal(x, x)"),
    "numpy.isposinf": ("np.isposinf(x)",),
    "numpy.isneginf": ("np.isneginf(x)",),
    "numpy.signbit": ("np.signbit(g)",),
    "numpy.isreal": ("np.isreal(z)",),
    "numpy.iscomplex": ("np.iscomplex(z)",),
}
