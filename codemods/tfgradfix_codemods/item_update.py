"""`array[i, j] = value` as an expression: the tensor that `array` is, with the value in its place.

Places that are numbers are written by `tf.tensor_scatter_nd_update`; where a slice is assigned, the new part is put
between what is before and behind it by `tf.concat`. What is assigned gets the shape of its place, as in NumPy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.item_parts import WHOLE, Element, Rest, Stretch, following, integer, item, number
from tfgradfix_codemods.nodes import ATOMS, atom, call, operand, source
from tfgradfix_codemods.scopes import plain_operator

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tfgradfix.model import Operand
    from tfgradfix_codemods.index_bounds import Bounds
    from tfgradfix_codemods.item_parts import Part

#: Operators whose form with `=` can be written out; the others carry no gradient.
OPERATORS: Final = (cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.Power)

DISPLAYS: Final = (cst.List, cst.Tuple)


@dataclass(frozen=True)
class Item:
    """An item of a tensor.

    ``array`` is the tensor, ``rank`` the number of its axes and ``dtype`` its dtype, None when not known; ``dynamic``
    says that its sizes may not be known before the program runs.
    """

    array: cst.Name
    parts: tuple[Part, ...]
    rank: int | None
    dtype: str | None
    dynamic: bool
    bounds: Bounds
    tensorflow: Callable[[str], cst.BaseExpression]

    @property
    def leading(self) -> tuple[Element, ...]:
        """The parts before the first slice."""
        return tuple(takewhile(is_element, self.parts))  # type: ignore[arg-type]

    @property
    def rest(self) -> tuple[Part, ...]:
        """The first slice and what comes after it."""
        return self.parts[len(self.leading) :]

    @property
    def axes(self) -> int | None:
        """How many axes the item has, 0 for a scalar."""
        return None if self.rank is None else self.rank - sum(isinstance(part, Element) for part in self.parts)

    @property
    def kept(self) -> cst.BaseExpression:
        """The item as code, with an axis of size 1 for each number that comes after a slice."""
        return item(self.array, (*self.leading, *self.stretches))

    @property
    def stretches(self) -> tuple[Stretch | Rest, ...]:
        """The first slice and what comes after it, each number as the stretch from it to the next."""
        first, end = len(self.leading), len(self.parts)
        from_end = [Rest() in self.parts[:position] for position in range(first, end)]
        axes = (axis - end if back else axis for axis, back in enumerate(from_end, start=first))
        return tuple(self.stretch(part, axis) for axis, part in zip(axes, self.rest, strict=True))

    def stretch(self, part: Part, axis: int) -> Stretch | Rest:
        """A part as a stretch of its axis."""
        if not isinstance(part, Element):
            return part
        is_known = integer(part.place) is not None or self.bounds.is_counted(part.place)
        place = part.place if is_known else self.bounds.from_start(part.place, self.sized(axis))
        return Stretch(place, following(place))

    def sized(self, axis: int) -> cst.BaseExpression:
        """The size of an axis of the tensor."""
        array = self.array.deep_clone()
        shape = call(self.tensorflow("shape"), array) if self.dynamic else cst.Attribute(array, cst.Name("shape"))
        return item(shape, [Element(number(axis))])

    def dtype_node(self) -> cst.BaseExpression:
        """The dtype of the tensor as code."""
        return self.tensorflow(self.dtype) if self.dtype else cst.Attribute(self.array.deep_clone(), cst.Name("dtype"))


@dataclass(frozen=True)
class Written:
    """What is assigned; ``fits`` says whether its shape certainly is that of its place ("yes", "no", or nothing)."""

    node: cst.BaseExpression
    operand: Operand
    fits: str = ""

    @property
    def is_number(self) -> bool:
        """Whether it is a Python number."""
        return self.operand.kind in ("number", "bool")


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
    return scattered("update", place, [place], display([new])) if place.leading else new


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
    result = cst.BinaryOperation(item(place.array, place.parts), operator, operand(value.node))
    fits = value.fits if is_element or value.fits == "no" else "yes"
    tensor = replace(value.operand, kind="tensor", dtype=None)
    return updated(place, Written(result, tensor, fits))


def scattered(
    name: str, place: Item, items: Sequence[Item], values: cst.BaseExpression
) -> cst.BaseExpression:
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
    if first.lower is not None and integer(first.lower) != 0:
        parts.insert(0, item(place.array, (*place.leading, *done, Stretch(None, first.lower))))
    if first.upper is not None:
        parts.append(item(place.array, (*place.leading, *done, Stretch(first.upper, None))))
    axis = -1 - len(others) if Rest() in done else len(done)
    return call(place.tensorflow("concat"), display(parts), axis=number(axis))


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
        needed = dtype is not None and place.dtype is not None
    elif kind in ("list", "tuple"):
        needed = node is not value.node
    else:
        needed = joined or (kind == "ndarray" and place.axes != 0)
    return call(place.tensorflow("cast"), node, place.dtype_node()) if needed else node


def is_element(part: Part) -> bool:
    """Whether a part is a number."""
    return isinstance(part, Element)


def display(values: Sequence[cst.BaseExpression]) -> cst.List:
    """`[values]`."""
    return cst.List([cst.Element(bare(value)) for value in values])


def bare(value: cst.BaseExpression) -> cst.BaseExpression:
    """``value`` as one of several: without parentheses of its own, which only a tuple needs."""
    if isinstance(value, cst.Tuple):
        return value if value.lpar else value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    if value.lpar and "\n" not in source(value) and not isinstance(value, (cst.GeneratorExp, cst.Yield, cst.NamedExpr)):
        return value.with_changes(lpar=[], rpar=[])
    return value
