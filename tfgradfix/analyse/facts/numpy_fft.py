"""NumPy fft."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tfgradfix.analyse.facts.rows import Row

ROWS: Final[tuple[Row, ...]] = ()
