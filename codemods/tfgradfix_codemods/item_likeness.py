"""Whether a value has the shape of its place, as the two look: `grid[t + 1, 1:-1] = now[1:-1] * 2`.

What is computed elementwise from something of that shape has that shape; the other operands are no larger, or the
assignment would fail as it stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.item_parts import Element, Rest, parts_of
from tfgradfix_codemods.nodes import source
from tfgradfix_codemods.operations import Shape

if TYPE_CHECKING:
    from tfgradfix_codemods.item_parts import Part
    from tfgradfix_codemods.sites import Site
    from tfgradfix_codemods.tensor_items import Item


def looks_like(node: cst.BaseExpression, place: Item, site: Site) -> bool:
    """Whether ``node`` is computed elementwise from something that has the shape of ``place``."""
    if isinstance(node, cst.BinaryOperation):
        elementwise = not isinstance(node.operator, cst.MatrixMultiply)
        return elementwise and (looks_like(node.left, place, site) or looks_like(node.right, place, site))
    if isinstance(node, cst.UnaryOperation):
        return looks_like(node.expression, place, site)
    if isinstance(node, cst.Subscript):
        return is_alike(node, place)
    if not isinstance(node, cst.Call):
        return False
    known = site.operation(node.func)
    values = [argument.value for argument in node.args if argument.keyword is None and not argument.star]
    if known is None or known.shape not in (Shape.BROADCAST, Shape.FIRST):
        return False
    return any(looks_like(value, place, site) for value in (values if known.shape is Shape.BROADCAST else values[:1]))


def is_alike(node: cst.Subscript, place: Item) -> bool:
    """Whether an item has the shape of another: the same slices, or the same axes of the same array."""
    parts = parts_of(node, (), place.rank)
    if not isinstance(parts, tuple):
        return False
    leading = next((number for number, part in enumerate(parts) if not isinstance(part, Element)), len(parts))
    if not place.rest:
        same = isinstance(node.value, cst.Name) and node.value.value == place.array.value
        return same and leading == len(parts) == len(place.leading)
    return [pattern(part) for part in parts[leading:]] == [pattern(part) for part in place.rest]


def pattern(part: Part) -> tuple[str, ...]:
    """What a part tells of the shape: its bounds, or that it takes an axis away."""
    if isinstance(part, Element):
        return ()
    if isinstance(part, Rest):
        return ("...",)
    return tuple("" if bound is None else source(bound) for bound in (part.lower, part.upper))
