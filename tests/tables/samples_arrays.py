"""Samples for the rows of NumPy's functions that make, join, cut, turn and index arrays."""

from __future__ import annotations

from typing import Final

SAMPLES: Final[dict[str, tuple[str, ...]]] = {
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
            f"np.{name}([*[t, r]])",
            f"np.{name}([*[t, r]], dtype=np.float64)",
        )
        for name in ("array", "asarray", "asanyarray", "ascontiguousarray")
    },
    "numpy.copy": ("np.copy(x)",),
    "numpy.astype": ("np.astype(x, np.float64)",),
    **{
        f"numpy.{name}": (
            f"np.{name}([x, y])",
            f"np.{name}((x, n), axis=1)",
            f"np.{name}([n, x], -1)",
            f"np.{name}([x, y], dtype=np.float64)",
        )
        for name in ("concatenate", "concat")
    },
    "numpy.append": ("np.append(v, u)", "np.append(x, t)", "np.append(x, y, axis=0)", "np.append(w, v)"),
    "numpy.stack": ("np.stack([x, y])", "np.stack((x, n), axis=-1)", "np.stack([x, y], dtype=np.float64)"),
    "numpy.vstack": ("np.vstack([v, u])", "np.vstack([x, y])", "np.vstack([t, r])"),
    "numpy.dstack": ("np.dstack([v, u])", "np.dstack([x, y])"),
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
        "np.where(count, x, y)",
        "np.where(mask)",
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
    "numpy.permute_dims": ("np.permute_dims(h, (2, 0, 1))",),
    "numpy.matrix_transpose": ("np.matrix_transpose(h)",),
    "numpy.flip": ("np.flip(x)", "np.flip(x, axis=0)", "np.flip(h, (0, 2))"),
    "numpy.fliplr": ("np.fliplr(x)",),
    "numpy.flipud": ("np.flipud(x)",),
    "numpy.rot90": ("np.rot90(x)", "np.rot90(x, k=2)"),
    **{f"numpy.atleast_{number}d": (f"np.atleast_{number}d(v)", f"np.atleast_{number}d(t)") for number in (1, 2, 3)},
    "numpy.broadcast_arrays": ("np.broadcast_arrays(v, x)",),
    "numpy.meshgrid": ("np.meshgrid(v, u)", "np.meshgrid(v, w, indexing='ij')", "np.meshgrid(w, v)"),
    "numpy.pad": (
        "np.pad(x, [(1, 2), (0, 1)])",
        "np.pad(x, ((1, 2), (0, 1)), mode='reflect')",
        "np.pad(v, (2, 1), constant_values=0.5)",
        "np.pad(v, 2, 'symmetric')",
        "np.pad(x, 1)",
    ),
    "numpy.split": ("np.split(x, 3)", "np.split(x, 2, axis=1)", "np.split(q, [2, 5])"),
    "numpy.array_split": ("np.array_split(q, 3)", "np.array_split(x, 3, axis=1)", "np.array_split(q, [2, 5])"),
    "numpy.vsplit": ("np.vsplit(x, 3)",),
    "numpy.hsplit": ("np.hsplit(x, 2)", "np.hsplit(v, 2)"),
    "numpy.dsplit": ("np.dsplit(h, 2)",),
    "numpy.unstack": ("np.unstack(x)", "np.unstack(x, axis=1)"),
    "numpy.select": ("np.select([mask, ~mask], [x, y], 0.0)", "np.select([mask], [x])"),
    "numpy.take": (
        "np.take(x, order, axis=0)",
        "np.take(v, [0, 3])",
        "np.take(x, [1, 7])",
        "np.take(v, [0, 5], mode='wrap')",
    ),
    "numpy.take_along_axis": ("np.take_along_axis(x, grid, axis=1)",),
    "numpy.compress": ("np.compress([True, False, True], x, axis=0)", "np.compress([True, False, True, True], v)"),
    "numpy.extract": ("np.extract(mask, x)",),
    "numpy.diagonal": ("np.diagonal(m)", "np.diagonal(x, offset=1)", "np.diagonal(h, axis1=1, axis2=2)"),
    "numpy.diagflat": ("np.diagflat(v)", "np.diagflat(v, k=1)"),
    "numpy.tril": ("np.tril(m)", "np.tril(x, k=1)"),
    "numpy.triu": ("np.triu(m)", "np.triu(x, -1)"),
    "numpy.vander": ("np.vander(v)", "np.vander(v, 3, increasing=True)"),
    "numpy.shape": ("np.shape(x) | [*_]",),
    "numpy.ndim": ("np.ndim(x)",),
    "numpy.size": ("np.size(x)", "np.size(x, 1)"),
    # made
    "numpy.full_like": ("np.full_like(x, t)", "np.full_like(x, 2)", "np.full_like(x, t, dtype=np.float64)"),
    "numpy.full": ("np.full((2, 3), t)", "np.full(3, t, dtype=np.float64)", "np.full([3, 4], v)"),
    "numpy.linspace": ("np.linspace(t, 2, 5)", "np.linspace(0, t, num=7)", "np.linspace(t, r)"),
    "numpy.logspace": ("np.logspace(t, 1, 5)", "np.logspace(0, t, base=2)"),
    "numpy.geomspace": ("np.geomspace(t, p0, 5)",),
    # drawn
    **{
        f"numpy.random.{name}": (
            f"np.random.{name}(r, t, (3, 2))",
            f"np.random.{name}(u, v)",
            f"np.random.{name}(u, 0.5)",
            f"np.random.{name}(0, v)",
            f"np.random.{name}(0.3, v)",
            f"np.random.{name}(scale=v)",
            f"np.random.{name}(u)",
            f"np.random.{name}(t, size=3)",
            f"np.random.{name}(scale=t, size=3)",
            f"np.random.{name}(u, v * 2)",
            f"np.random.{name}(u * 2, v)",
            f"np.random.{name}(u * 2, v * 3)",
        )
        for name in ("normal", "laplace", "gumbel", "logistic")
    },
    "numpy.random.lognormal": (
        "np.random.lognormal(r, t, (3, 2))",
        "np.random.lognormal(u, v)",
        "np.random.lognormal(u, 0.5)",
        "np.random.lognormal(0, v)",
        "np.random.lognormal(0.3, v)",
        "np.random.lognormal(sigma=v)",
        "np.random.lognormal(u)",
        "np.random.lognormal(t, size=3)",
        "np.random.lognormal(sigma=t, size=3)",
        "np.random.lognormal(u, v * 2)",
        "np.random.lognormal(u * 2, v)",
    ),
    "numpy.random.uniform": (
        "np.random.uniform(r, p0, (3, 2))",
        "np.random.uniform(u, 2.0)",
        "np.random.uniform(-1, v)",
        "np.random.uniform(u, p1)",
        "np.random.uniform(high=v)",
        "np.random.uniform(u)",
        "np.random.uniform(t, size=3)",
        "np.random.uniform(high=t, size=3)",
        "np.random.uniform(u, p1 * 2)",
    ),
    "numpy.random.permutation": ("np.random.permutation(v)", "np.random.permutation(x)"),
    "numpy.random.choice": (
        "np.random.choice(v)",
        "np.random.choice(v, 3)",
        "np.random.choice(v, size=2, replace=False)",
    ),
    **{
        f"numpy.random.{name}": (f"np.random.{name}(v)", f"np.random.{name}(t, size=(2, 3))")
        for name in ("exponential", "rayleigh")
    },
}

_OF_GENERATORS: Final = {
    symbol.replace("random.", "random.default_rng."): tuple(text.replace("np.random.", "rng.") for text in texts)
    for symbol, texts in SAMPLES.items()
    if ".random." in symbol
}
SAMPLES.update(_OF_GENERATORS)
