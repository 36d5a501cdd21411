"""Items of tensors, and what is written to them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.item_parts import Element, Rest, Stretch, item
from tfgradfix_codemods.nodes import call, source
from tfgradfix_codemods.place_arithmetic import following, integer, number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tfgradfix.model import Operand
    from tfgradfix_codemods.index_bounds import Bounds
    from tfgradfix_codemods.item_parts import Part


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
        return Stretch(None if integer(place) == 0 else place, following(place))

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
