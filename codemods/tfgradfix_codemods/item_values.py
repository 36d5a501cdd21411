"""What is written to an item, in the shape and dtype that the item has: NumPy spreads and converts it by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.item_parts import WHOLE, Element, Rest, item
from tfgradfix_codemods.nodes import ATOMS, atom, call, source

if TYPE_CHECKING:
    from tfgradfix_codemods.item_parts import Part
    from tfgradfix_codemods.tensor_items import Item, Written

DISPLAYS: Final = (cst.List, cst.Tuple)


def shaped(place: Item, value: Written) -> cst.BaseExpression:
    """``value`` with the shape of `place.kept`."""
    if value.is_number:
        return filled(place, value)
    if is_shaped(place, value):
        return with_axes(place, value.node)
    rank, axes = value.operand.rank, place.axes
    if rank is not None and axes is not None and rank > axes:
        return call(place.tensorflow("reshape"), value.node, call(place.tensorflow("shape"), place.kept))
    return with_axes(place, broadcast(place, value, item(place.array, place.parts)))


def is_shaped(place: Item, value: Written) -> bool:
    """Whether ``value`` has the shape of its place already, or gets it because it is a number."""
    if value.is_number or value.fits == "yes" or (isinstance(value.node, DISPLAYS) and not place.rest):
        return True
    return value.fits == "" and value.operand.rank is not None and value.operand.rank == place.axes


def broadcast(place: Item, value: Written, like: cst.BaseExpression) -> cst.BaseExpression:
    """``value`` with the shape of ``like``."""
    return call(place.tensorflow("broadcast_to"), value.node, call(place.tensorflow("shape"), like))


def with_axes(place: Item, node: cst.BaseExpression) -> cst.BaseExpression:
    """``node`` with an axis of size 1 for each number that comes after a slice."""
    if not any(isinstance(part, Element) for part in place.rest):
        return node
    new = Element(place.tensorflow("newaxis"))
    if isinstance(node, DISPLAYS) or not isinstance(node, ATOMS):
        node = atom(node)
    axes: list[Part] = [part if isinstance(part, Rest) else WHOLE for part in place.rest]
    return item(node, [new if isinstance(part, Element) else axis for part, axis in zip(place.rest, axes, strict=True)])


def filled(place: Item, value: Written) -> cst.BaseExpression:
    """A tensor of one number with the shape of `place.kept`."""
    known = {"0": "zeros_like", "0.0": "zeros_like", "0.": "zeros_like", "1": "ones_like", "1.0": "ones_like"}
    name = known.get(source(value.node))
    if name is not None:
        return call(place.tensorflow(name), place.kept)
    shape = call(place.tensorflow("shape"), place.kept)
    is_float = isinstance(value.node, cst.Float) and place.dtype == "float32"
    content = value.node if is_float else call(place.tensorflow("cast"), value.node, place.dtype_node())
    return call(place.tensorflow("fill"), shape, content)


def cast(place: Item, value: Written, node: cst.BaseExpression, joined: bool = False) -> cst.BaseExpression:
    """``node``, made of ``value``, in the dtype of the tensor.

    A list converts what is in it; what is ``joined`` to tensors must have their dtype.
    """
    kind, dtype = value.operand.kind, value.operand.dtype
    if value.is_number or (dtype is not None and dtype == place.dtype):
        return node
    if kind in ("tensor", "variable"):
        listed = not joined and not (place.dtype or "").startswith("complex")
        needed = dtype is not None and place.dtype is not None and not listed
    elif kind in ("list", "tuple"):
        needed = node is not value.node
    else:
        needed = joined or (kind == "ndarray" and place.axes != 0)
    return call(place.tensorflow("cast"), node, place.dtype_node()) if needed else node
