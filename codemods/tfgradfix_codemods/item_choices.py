"""`array[mask] = value` and `array[places] = value`: items that an array picks, in a tensor."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix.model import Operand
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.index_bounds import moves_back
from tfgradfix_codemods.item_parts import WHOLE, Element, item
from tfgradfix_codemods.item_update import OPERATORS
from tfgradfix_codemods.item_values import DISPLAYS, cast
from tfgradfix_codemods.nodes import atom, call, operand, source
from tfgradfix_codemods.place_arithmetic import integer
from tfgradfix_codemods.scopes import plain_operator
from tfgradfix_codemods.tensor_items import Written, display

if TYPE_CHECKING:
    from tfgradfix_codemods.tensor_items import Item

#: Operators whose result on items that are not picked can do no harm to the gradient.
HARMLESS = (cst.Add, cst.Subtract, cst.Multiply)


@dataclass(frozen=True)
class Choice:
    """What an array picks: ``place`` is the whole tensor, ``index`` the array, a mask of bools or places.

    ``steps`` is the item as it is written, where a slice with a step picks places.
    """

    place: Item
    index: cst.BaseExpression
    known: Operand
    is_mask: bool
    steps: cst.Subscript | None = None


def stepped(place: Item, written: cst.Subscript) -> Choice:
    """The choice that `array[::2]` makes: `tf.range(size)[::2]` are the places."""
    every = call(place.tensorflow("range"), place.sized(0))
    places = cst.Subscript(every, [element.deep_clone() for element in written.slice])
    return Choice(place, places, Operand("tensor", "int32", 1), is_mask=False, steps=written)


def chosen(choice: Choice, value: Written) -> cst.BaseExpression | Decline:
    """The tensor with ``value`` where ``choice`` picks."""
    if not choice.is_mask:
        return at_places(choice, value)
    return masked(choice, unmasked(choice, value))


def changed_by(choice: Choice, change: cst.BaseAugOp, value: Written) -> cst.BaseExpression | Decline:
    """The tensor with the items that ``choice`` picks changed, as by `array[mask] *= value`."""
    operator = plain_operator(change)
    if choice.steps is not None and isinstance(operator, OPERATORS):
        new = cst.BinaryOperation(choice.steps.deep_clone(), operator, operand(value.node))
        return at_places(choice, Written(new, replace(value.operand, kind="tensor", dtype=None), "yes"))
    if not choice.is_mask:
        return Decline("places of an array may be the same, and are then changed once")
    if not isinstance(operator, HARMLESS) or not isinstance(value.node, cst.BaseNumber):
        return Decline("items that a mask picks are changed by more than adding or multiplying a number")
    array = choice.place.array.deep_clone()
    return masked(choice, cst.BinaryOperation(array, operator, value.node))


def masked(choice: Choice, node: cst.BaseExpression | None) -> cst.BaseExpression | Decline:
    """`tf.where(mask, node, array)`."""
    mask = full_mask(choice)
    if node is None or mask is None:
        return Decline("a mask picks items, and it is not plain how what is assigned is spread over them")
    return call(choice.place.tensorflow("where"), mask, node, choice.place.array.deep_clone())


def unmasked(choice: Choice, value: Written) -> cst.BaseExpression | None:
    """What is assigned to the items of a mask, for all items: one number, or `other` for `other[mask]`."""
    place = choice.place
    if value.is_number:
        is_float = isinstance(value.node, cst.Float) and place.dtype == "float32"
        return value.node if is_float else call(place.tensorflow("cast"), value.node, place.dtype_node())
    if value.operand.rank == 0:
        return cast(place, value, value.node, joined=True)
    node = value.node
    if isinstance(node, cst.Subscript) and [source(part) for part in node.slice] == [source(choice.index)]:
        return cast(place, value, node.value, joined=True)
    return None


def full_mask(choice: Choice) -> cst.BaseExpression | None:
    """The mask with as many axes as the tensor; None when it is not known how many it has."""
    rank, axes = choice.known.rank, choice.place.rank
    if compares(choice.index, choice.place.array.value) or (axes == 1 and rank is None):
        return choice.index
    if rank is None or axes is None or rank > axes:
        return None
    if rank == axes:
        return choice.index
    new = Element(choice.place.tensorflow("newaxis"))
    return item(atom(choice.index), [*[WHOLE] * rank, *[new] * (axes - rank)])


def compares(mask: cst.BaseExpression, name: str) -> bool:
    """Whether a mask compares the whole tensor of that name with something."""
    return isinstance(mask, cst.Comparison) and isinstance(mask.left, cst.Name) and mask.left.value == name


def at_places(choice: Choice, value: Written) -> cst.BaseExpression | Decline:
    """`tf.tensor_scatter_nd_update(array, places, value)`, for places on the first axis."""
    place = choice.place
    indices = column(choice)
    if indices is None:
        return Decline("it is not certain that the places are a list of numbers from the start")
    fits = value.fits == "yes" or (value.fits == "" and None is not value.operand.rank == place.rank)
    rows = choice.steps or call(place.tensorflow("gather"), place.array.deep_clone(), choice.index.deep_clone())
    size = call(place.tensorflow("shape"), rows)
    spread = value.node if fits else call(place.tensorflow("broadcast_to"), value.node, size)
    node = cast(place, value, spread, joined=True)
    if value.is_number:
        node = call(place.tensorflow("fill"), size, call(place.tensorflow("cast"), value.node, place.dtype_node()))
    return call(place.tensorflow("tensor_scatter_nd_update"), place.array.deep_clone(), indices, node)


def column(choice: Choice) -> cst.BaseExpression | None:
    """The places, each in a list of its own; None when some may be counted from the end."""
    if isinstance(choice.index, DISPLAYS):
        places = [element.value for element in choice.index.elements]
        values = [integer(place) for place in places]
        if any(value is None or value < 0 for value in values):
            return None
        return display([display([place]) for place in places])
    bindings = choice.place.bounds.bindings.get(source(choice.index), ())
    values_of_name = [binding.value for binding in bindings if binding.value is not None]
    if choice.known.rank != 1 or any(moves_back(node) for node in (choice.index, *values_of_name)):
        return None
    shape = display([cst.UnaryOperation(cst.Minus(), cst.Integer("1")), cst.Integer("1")])
    return call(choice.place.tensorflow("reshape"), choice.index, shape)
