"""Which name an assignment gives which value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterator


def assigned(small: cst.Assign) -> Iterator[tuple[str | None, cst.BaseExpression | None]]:
    """The names that an assignment binds with their values; None for what is not to be told apart."""
    for target in small.targets:
        if isinstance(target.target, cst.Name):
            plain = len(small.targets) == 1 or isinstance(small.value, (cst.Name, cst.BaseNumber))
            yield target.target.value, small.value if plain else None
        elif isinstance(target.target, (cst.Tuple, cst.List)) and isinstance(small.value, (cst.Tuple, cst.List)):
            yield from parallel(target.target, small.value)
        else:
            yield None, None


def parallel(
    targets: cst.Tuple | cst.List, values: cst.Tuple | cst.List
) -> Iterator[tuple[str | None, cst.BaseExpression | None]]:
    """`a, b = x, y`, element by element."""
    pairs = list(zip(targets.elements, values.elements, strict=False))
    plain = len(targets.elements) == len(values.elements)
    for target, value in pairs:
        named = isinstance(target, cst.Element) and isinstance(target.value, cst.Name) and plain
        whole = isinstance(value, cst.Element)
        yield (
            (target.value.value if named and isinstance(target.value, cst.Name) else None),
            value.value if whole else None,
        )
