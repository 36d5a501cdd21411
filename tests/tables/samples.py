"""Samples for every row that has a form, by symbol; the names are those of the pool."""

from __future__ import annotations

from typing import Final

from tests.tables import samples_numpy, samples_others

SAMPLES: Final[dict[str, tuple[str, ...]]] = {**samples_numpy.SAMPLES, **samples_others.SAMPLES}
