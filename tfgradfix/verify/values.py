"""Whether two recorded values are the same number, as far as their precision goes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tfgradfix.verify.records import Value


class Agreement(Enum):
    """How two values compare."""

    EQUAL = "equal"
    """To the last bit."""
    CLOSE = "close"
    """Within the precision of the coarsest data type involved."""
    DIFFERENT = "different"
    UNKNOWN = "unknown"
    """At least one of the two is not known."""


Tolerances = Mapping[str, tuple[float, float]]

#: Relative and absolute tolerance by precision. A rewrite may add up in another order, which costs some last bits.
TARGETS: Final[Tolerances] = {"double": (1e-7, 1e-12), "single": (1e-4, 1e-7), "half": (3e-2, 1e-3)}
#: Gradients lose more to cancellation than the value that they are taken of.
GRADIENTS: Final[Tolerances] = {"double": (1e-6, 1e-10), "single": (2e-3, 1e-6), "half": (1e-1, 1e-2)}
#: Trained weights have gone through many steps.
WEIGHTS: Final[Tolerances] = {"double": (1e-5, 1e-8), "single": (2e-3, 1e-5), "half": (1e-1, 1e-2)}

_PRECISION: Final = {
    "float64": "double",
    "complex128": "double",
    "float32": "single",
    "complex64": "single",
    "float16": "half",
    "bfloat16": "half",
}
_COARSENESS: Final = ("double", "single", "half")


def precision(values: Iterable[Value | None]) -> str:
    """The coarsest precision among ``values``; integers and booleans are exact."""
    found = [_PRECISION.get(value.dtype, "double") for value in values if value is not None]
    return max(found, key=_COARSENESS.index, default="double")


def agree(before: Value | None, after: Value | None, tolerance: tuple[float, float]) -> Agreement:
    """Compare two values by the norm of their difference; NaN agrees with NaN."""
    if before is None or after is None or before.numbers is None or after.numbers is None:
        return Agreement.UNKNOWN
    mine, other = before.numbers, after.numbers
    if len(mine) != len(other) or _size(before) != _size(after):
        return Agreement.DIFFERENT
    if mine == other:
        return Agreement.EQUAL
    pairs = [pair for pair in zip(mine, other, strict=True) if not _alike(*pair)]
    distance = math.dist([a for a, _ in pairs], [b for _, b in pairs])
    relative, absolute = tolerance
    scale = max(_norm(mine), _norm(other))
    return Agreement.CLOSE if distance <= relative * scale + absolute else Agreement.DIFFERENT


def worst(found: Iterable[Agreement]) -> Agreement:
    """The answer for several values together: different if one is, unknown if one is."""
    order = (Agreement.DIFFERENT, Agreement.UNKNOWN, Agreement.CLOSE, Agreement.EQUAL)
    return min(found, key=order.index, default=Agreement.UNKNOWN)


def _alike(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


def _norm(numbers: Sequence[float]) -> float:
    return math.hypot(*(number for number in numbers if math.isfinite(number)))


def _size(value: Value) -> int:
    return math.prod(size or 0 for size in value.shape or ())
