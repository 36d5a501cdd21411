"""Samples for every row that has a form, by symbol; the names are those of the pool."""

from __future__ import annotations

from typing import Final

from tests.tables import samples_arrays, samples_numpy, samples_others, samples_statistics

SAMPLES: Final[dict[str, tuple[str, ...]]] = {
    **samples_numpy.SAMPLES,
    **samples_arrays.SAMPLES,
    **samples_statistics.SAMPLES,
    **samples_others.SAMPLES,
}

#: Names that NumPy 2 no longer has; they are the same rows as those beside them.
FORMER: Final = frozenset(
    f"numpy.{name}"
    for name in (
        *("alltrue", "sometrue", "product", "cumproduct", "round_", "row_stack", "msort", "trapz"),
        *("float_", "complex_"),
    )
) | {"ndarray.ptp"}

#: Parameters that NumPy no longer takes.
FORMER_PARAMETERS: Final = ("{newshape:list}",)
