"""`array[i, j] = value` as an expression: the tensor that `array` is, with the value in its place.

Places that are numbers are written by `tf.tensor_scatter_nd_update`; where a slice is assigned, the new part is put
between what is before and behind it by `tf.concat`. What is assigned gets the shape of its place, as in NumPy.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.item_parts import WHOLE, Rest, Stretch, bounds_of, item
from tfgradfix_codemods.item_values import broadcast, cast, is_shaped, shaped
from tfgradfix_codemods.nodes import call, operand
from tfgradfix_codemods.place_arithmetic import number
from tfgradfix_codemods.scopes import plain_operator
from tfgradfix_codemods.tensor_items import Item, Written, display

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Operators whose form with `=` can be written out; the others carry no gradient.
OPERATORS: Final = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.Power)

#: Operators that bind more tightly than plus and minus.
PRODUCTS: Final = (cst.Multiply, cst.Divide, cst.Power, cst.MatrixMultiply)


def updated(place: Item, value: Written) -> cst.BaseExpression:
    """The tensor with ``value`` at ``place``."""
    if not place.parts:
        return whole(place, value)
    if not place.rest and place.axes != 0 and not is_shaped(place, value):
        # `array[:1]` has the shape of one row, with the axis that the indices stand for.
        row = item(place.array, (*place.leading[:-1], Stretch(None, cst.Integer("1"))))
        return scattered("update", place, [place], cast(place, value, broadcast(place, value, row)))
    if not place.rest:
        return scattered("update", place, [place], display([element(place, value)]))
    new = blended(place, (), place.stretches, value)
    if place.leading:
        return scattered("update", place, [place], display([new]))
    if any(place.bounds.is_traced(bound) for part in place.parts for bound in bounds_of(part)):
        # The parts before and behind have no known sizes while tracing, and a loop must not change a shape.
        return call(place.tensorflow("ensure_shape"), new, cst.Attribute(place.array.deep_clone(), cst.Name("shape")))
    return new


def whole(place: Item, value: Written) -> cst.BaseExpression:
    """``value`` in place of all of the tensor."""
    node = cast(place, value, shaped(place, value), joined=True)
    is_tensor = value.operand.kind == "tensor" or node is not value.node
    return node if is_tensor else call(place.tensorflow("cast"), node, place.dtype_node())


def changed(place: Item, change: cst.BaseAugOp, value: Written) -> cst.BaseExpression | Decline:
    """The tensor with the item at ``place`` changed, as by `array[i] += value`; ``value.fits`` is about the result."""
    operator = plain_operator(change)
    if not isinstance(operator, OPERATORS):
        return Decline("an operator that carries no gradient")
    is_element = place.axes == 0 and not place.rest
    if is_element and isinstance(operator, (cst.Add, cst.Subtract)):
        name = "add" if isinstance(operator, cst.Add) else "sub"
        return scattered(name, place, [place], display([element(place, value)]))
    is_sum, right = isinstance(operator, (cst.Add, cst.Subtract)), value.node
    is_product = isinstance(right, cst.BinaryOperation) and isinstance(right.operator, PRODUCTS)
    node = right if is_sum and is_product else operand(right)
    result = cst.BinaryOperation(item(place.array, place.parts), operator, node)
    fits = value.fits if is_element or value.fits == "no" else "yes"
    tensor = replace(value.operand, kind="tensor", dtype=None)
    return updated(place, Written(result, tensor, fits))


def scattered(name: str, place: Item, items: Sequence[Item], values: cst.BaseExpression) -> cst.BaseExpression:
    """`tf.tensor_scatter_nd_update(array, [[i, j]], [value])`, for several items at once or one."""
    indices = [
        display([one.bounds.from_start(part.place, one.sized(axis)) for axis, part in enumerate(one.leading)])
        for one in items
    ]
    function = place.tensorflow(f"tensor_scatter_nd_{name}")
    return call(function, place.array.deep_clone(), display(indices), values)


def element(place: Item, value: Written) -> cst.BaseExpression:
    """``value`` with the shape of a place that is given by numbers alone."""
    if place.axes != 0:
        return cast(place, value, shaped(place, value))
    # NumPy takes an array of one number for a number, but no tensor of one.
    exact = value.operand.rank == 0 or (value.operand.rank is None and value.operand.kind != "ndarray")
    node = value.node if exact or value.is_number else call(place.tensorflow("reshape"), value.node, display([]))
    return cast(place, value, node)


def blended(
    place: Item, done: tuple[Stretch | Rest, ...], rest: Sequence[Stretch | Rest], value: Written
) -> cst.BaseExpression:
    """The tensor at the numbers that ``place`` starts with, ``value`` put between what is before and behind it."""
    first, *others = rest
    inside = (*done, first)
    middle = blended(place, inside, others, value) if others else cast(place, value, shaped(place, value), joined=True)
    if isinstance(first, Rest) or first == WHOLE:
        return middle
    parts = [middle]
    if first.lower is not None:
        parts.insert(0, item(place.array, (*place.leading, *done, Stretch(None, first.lower))))
    if first.upper is not None:
        parts.append(item(place.array, (*place.leading, *done, Stretch(first.upper, None))))
    axis = -1 - len(others) if Rest() in done else len(done)
    return call(place.tensorflow("concat"), display(parts), axis=number(axis))
