"""Slopes against central differences: what agrees, what differs, and what cannot be told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

#: Relative difference that is let pass where kinks or round-off show: double precision has little of either.
ROOM = {"float16": 0.2, "bfloat16": 0.3, "float32": 5e-2, "float64": 1e-4}
#: The same where the first step is enough.
TIGHT = {"float16": 5e-2, "bfloat16": 0.1, "float32": 1e-3, "float64": 1e-6}
EPS = {"float16": 9.8e-4, "bfloat16": 7.8e-3, "float32": 1.2e-7, "float64": 2.2e-16}
#: The part of a gap by which differences at several steps may differ when the gap is not one of kinks or round-off.
STEADY = 0.3
#: How many units of round-off in the target are let pass.
ROUND_OFF = 8.0
#: A slope that round-off may change by more than this part of it is not known.
LOST = 0.1
#: Steps tried, in units of the cube root of eps: the first alone where it agrees.
STEPS = (1.0, 4.0, 0.25, 16.0)
#: The root mean square that a source without one is taken to have: the unit of its moves.
SMALL = 0.1


def coarsest(dtypes: list[str]) -> str:
    """The dtype with the largest rounding."""
    real = {"complex64": "float32", "complex128": "float64"}
    known = [name for name in ROOM if name in {real.get(dtype, dtype) for dtype in dtypes}]
    return known[0] if known else "float64"


class Difference:
    """The target at a place and on both sides of it: the central difference and what round-off makes uncertain."""

    def __init__(self, size: float, here: float, ahead: float, behind: float, terms: float, dtype: str) -> None:
        self.size = size
        self.value = (ahead - behind) / (2 * size)
        self.sides = sorted(((ahead - here) / size, (here - behind) / size))
        self.noise = ROUND_OFF * EPS[dtype] * max(terms, abs(here)) / size

    def gap(self, slope: float) -> float:
        """How far a slope is from it."""
        return abs(slope - self.value)

    def larger(self, slope: float) -> float:
        """What the gap is measured by."""
        return max(abs(slope), abs(self.value))

    def tells(self, slope: float) -> bool:
        """Whether round-off leaves enough of it."""
        return self.noise <= LOST * self.larger(slope)

    def agrees(self, slope: float, room: float) -> bool:
        """Whether a slope is as near as ``room`` and round-off allow."""
        return self.tells(slope) and self.gap(slope) <= room * self.larger(slope) + self.noise

    def is_kink(self, slope: float) -> bool:
        """Whether a slope lies between those of the two sides, which differ as much as it does."""
        low, high = self.sides
        return low - self.noise <= slope <= high + self.noise and high - low > 0.5 * self.gap(slope)


def judged(slope: float, found: list[Difference], dtype: str) -> dict[str, Any]:
    """The outcome in one direction.

    What differs by the same at every step is wrong; kinks and round-off differ from step to step.
    """
    telling = [each for each in found if each.tells(slope)]
    if not telling:
        return {"outcome": "lost" if found else "unknown"}
    nearest = min(telling, key=lambda each: each.gap(slope))
    error = nearest.gap(slope) / nearest.larger(slope) if nearest.larger(slope) else 0.0
    if nearest.agrees(slope, TIGHT[dtype]):
        return {"outcome": "agrees", "error": error}
    values = [each.value for each in telling]
    steady = len(telling) > 1 and max(values) - min(values) <= STEADY * nearest.gap(slope)
    if not steady:
        return {"outcome": "agrees", "error": error} if nearest.agrees(slope, ROOM[dtype]) else {"outcome": "rough"}
    if min(telling, key=lambda each: each.size).is_kink(slope):
        return {"outcome": "rough"}
    return {"outcome": "differs", "error": error, "slope": slope, "difference": nearest.value}


def compared(
    slope: float, here: float, terms: float, dtype: str, moved: Callable[[float], tuple[float, float] | None]
) -> dict[str, Any]:
    """The outcome in one direction, at several steps where the first does not agree.

    ``here`` is the target, ``terms`` the size of its terms; ``moved`` gives the target ahead and behind by a step, None
    where that is not to be had.
    """
    found: list[Difference] = []
    for step in STEPS:
        size = step * EPS[dtype] ** (1 / 3)
        sides = moved(size)
        if sides is None:
            break
        found.append(Difference(size, here, *sides, terms, dtype))
        if found[-1].agrees(slope, TIGHT[dtype]):
            break
    return judged(slope, found, dtype)
