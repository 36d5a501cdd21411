"""NumPy's functions, gathered from the tables by topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tfgradfix.analyse.facts import (
    numpy_arrays,
    numpy_creation,
    numpy_elementwise,
    numpy_fft,
    numpy_linalg,
    numpy_orders,
    numpy_reductions,
    numpy_statistics,
    numpy_types,
    numpy_without,
)

if TYPE_CHECKING:
    from tfgradfix.analyse.facts.rows import Row

ROWS: Final[tuple[Row, ...]] = (
    *numpy_elementwise.ROWS,
    *numpy_reductions.ROWS,
    *numpy_statistics.ROWS,
    *numpy_orders.ROWS,
    *numpy_arrays.ROWS,
    *numpy_creation.ROWS,
    *numpy_linalg.ROWS,
    *numpy_fft.ROWS,
    *numpy_types.ROWS,
    *numpy_without.ROWS,
)
