"""NumPy's functions, gathered from the tables by topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tfgradfix.analyse.facts import (
    numpy_arrays,
    numpy_elementwise,
    numpy_fft,
    numpy_linalg,
    numpy_reductions,
)

if TYPE_CHECKING:
    from tfgradfix.analyse.facts.rows import Row

ROWS: Final[tuple[Row, ...]] = (
    *numpy_elementwise.ROWS,
    *numpy_reductions.ROWS,
    *numpy_arrays.ROWS,
    *numpy_linalg.ROWS,
    *numpy_fft.ROWS,
)
