"""The judgement of one slope: what is right, wrong, a kink, or lost in round-off. Functions of one number, no program."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from tfgradfix.verify.inside.differences import EPS, STEPS, Difference, coarsest, judged

Function = Callable[[float], float]


def outcome(function: Function, place: float, slope: float, dtype: str = "float64", terms: float = 1.0) -> str:
    """What is said of a slope of ``function`` at ``place``."""
    found = []
    for step in STEPS:
        size = step * EPS[dtype] ** (1 / 3)
        values = [function(place + move) for move in (0.0, size, -size)]
        found.append(Difference(size, values[0], values[1], values[2], terms, dtype))
    return str(judged(slope, found, dtype)["outcome"])


SMOOTH = [
    pytest.param(math.exp, 0.3, math.exp(0.3), id="exp"),
    pytest.param(math.sin, 1.2, math.cos(1.2), id="sin"),
    pytest.param(lambda x: x**3 - 2 * x, 0.7, 3 * 0.49 - 2, id="cubic"),
    pytest.param(lambda x: 3.0 * x, 5.0, 3.0, id="a line"),
]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("function", "place", "slope"), SMOOTH)
def test_the_true_slope_agrees(function: Function, place: float, slope: float, dtype: str) -> None:
    assert outcome(function, place, slope, dtype) == "agrees"


@pytest.mark.parametrize("factor", [0.0, 0.5, 0.9, 1.1, 2.0, -1.0])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("function", "place", "slope"), SMOOTH)
def test_another_slope_differs(function: Function, place: float, slope: float, dtype: str, factor: float) -> None:
    assert outcome(function, place, factor * slope, dtype) == "differs"


def test_a_slope_at_a_kink_is_not_wrong() -> None:
    assert outcome(lambda x: max(x, 0.0), 0.0, 0.0) == "rough"
    assert outcome(lambda x: max(x, 0.0), 0.0, 1.0) == "rough"


def test_a_jump_is_not_smooth() -> None:
    assert outcome(lambda x: x + (x > 0.0), 0.0, 1.0) == "rough"


def test_a_small_slope_of_a_large_value_is_lost() -> None:
    assert outcome(lambda x: 1e6 + 1e-3 * x, 0.5, 1e-3, "float32", terms=1e6) == "lost"


def test_nothing_is_known_where_no_run_got_there() -> None:
    assert judged(1.0, [], "float32") == {"outcome": "unknown"}


@pytest.mark.parametrize(
    ("dtypes", "coarse"),
    [(["float64", "float32"], "float32"), (["float64"], "float64"), (["complex64"], "float32"), (["int32"], "float64")],
)
def test_the_coarsest_dtype_decides(dtypes: list[str], coarse: str) -> None:
    assert coarsest(dtypes) == coarse
