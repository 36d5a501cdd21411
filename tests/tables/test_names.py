"""Every public name of NumPy has a row, so that no call is taken for harmless because the table forgot it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tfgradfix.analyse.facts.rows import row

np = pytest.importorskip("numpy")


def public(module: Any) -> list[str]:
    """The functions and classes that a module shows."""
    return [name for name in dir(module) if not name.startswith("_") and callable(getattr(module, name))]


@pytest.mark.parametrize("part", ["", "linalg.", "fft."])
def test_every_function_of_numpy_has_a_row(part: str) -> None:
    module = getattr(np, part[:-1]) if part else np
    assert [name for name in public(module) if row(f"numpy.{part}{name}") is None] == []


def test_every_method_and_attribute_of_arrays_has_a_row() -> None:
    names = [name for name in dir(np.ndarray) if not name.startswith("_")]
    assert [name for name in names if row(f"ndarray.{name}") is None] == []


def test_attributes_are_told_from_methods() -> None:
    wrong = []
    # From 2.0 to 2.2 NumPy keeps properties in the place of methods that are gone, to tell what to use instead.
    for name in (name for name in dir(np.ndarray) if hasattr(np.zeros((1, 1)), name)):
        found = row(f"ndarray.{name}")
        if found is not None and found.attribute is callable(getattr(np.ndarray, name)):
            wrong.append(name)
    assert wrong == []


def test_every_function_of_math_has_a_row() -> None:
    assert [name for name in public(math) if row(f"math.{name}") is None] == []
