"""NumPy fft."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.facts.rows import Row

ROWS: Final[tuple[Row, ...]] = ()
