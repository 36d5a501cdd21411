"""The parts of an index: what `array[i, 1:-1]` picks on each axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.nodes import dotted_text, source
from tfgradfix_codemods.place_arithmetic import are_apart

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Element:
    """One place of an axis, which the result does not have."""

    place: cst.BaseExpression


@dataclass(frozen=True)
class Stretch:
    """All of an axis, or what lies between two bounds."""

    lower: cst.BaseExpression | None = None
    upper: cst.BaseExpression | None = None


@dataclass(frozen=True)
class Rest:
    """`...`: as many whole axes as there are between the others; how many is not known."""


Part = Element | Stretch | Rest

WHOLE: Final = Stretch()

#: Kinds of index that pick several places of an axis by an array; `array[[0, 2]]` too.
PICKING: Final = frozenset({"array", "list", "mask"})

#: Functions that may stand in an index, since asking them twice gives the same.
REPEATABLE: Final = frozenset({"len", "int", "min", "max", "abs"})


def parts_of(item: cst.Subscript, kinds: Sequence[str], rank: int | None) -> tuple[Part, ...] | Decline:
    """The parts of the index of ``item``, without what stands for whole axes at its end.

    Args:
        item: an element or slice of an array.
        kinds: what the analysis says each part is.
        rank: the number of axes of the array, or None.
    """
    written = written_parts(item)
    if PICKING.intersection(kinds):
        return Decline("a part of the index picks places by an array")
    if isinstance(item.value, cst.Subscript) and any(isinstance(part, cst.Slice) for part in written_parts(item.value)):
        return Decline("an index of a slice")
    found: list[Part] = []
    for part in written:
        if isinstance(part, cst.Slice):
            stretch = stretch_of(part)
            if isinstance(stretch, Decline):
                return stretch
            found.append(stretch)
        elif isinstance(part, cst.Ellipsis):
            found += [Rest()] if rank is None else [WHOLE] * (rank - len(written) + 1)
        elif dotted_text(part) == "None" or source(part).endswith(".newaxis"):
            return Decline("the index adds an axis")
        else:
            found.append(Element(part))
    if not all(is_repeatable(bound) for part in found for bound in bounds_of(part)):
        return Decline("the index may be another each time it is computed")
    return without_whole_axes(found)


def without_whole_axes(parts: Sequence[Part]) -> tuple[Part, ...]:
    """``parts`` less those at the end that stand for whole axes."""
    kept = list(parts)
    while kept and kept[-1] in (WHOLE, Rest()):
        kept.pop()
    return tuple(kept)


def written_parts(item: cst.Subscript) -> list[cst.BaseExpression | cst.Slice]:
    """The parts as they stand there; those of a tuple in parentheses too, and those of `array[i]` in `array[i][j]`."""
    parts = written_parts(item.value) if isinstance(item.value, cst.Subscript) else []
    for element in item.slice:
        inner = element.slice.value if isinstance(element.slice, cst.Index) else element.slice
        if isinstance(inner, cst.Tuple) and len(item.slice) == 1:
            parts += [one.value for one in inner.elements]
        elif isinstance(inner, (cst.Slice, cst.BaseExpression)):
            parts.append(inner)
    return parts


def stretch_of(part: cst.Slice) -> Stretch | Decline:
    """The stretch that a slice means."""
    if part.step is not None and source(part.step) != "1":
        return Decline("a slice with a step")
    lower = None if part.lower is None or source(part.lower) in ("0", "None") else part.lower
    upper = None if part.upper is None or source(part.upper) == "None" else part.upper
    return Stretch(lower, upper)


def bounds_of(part: Part) -> tuple[cst.BaseExpression, ...]:
    """The expressions in a part."""
    if isinstance(part, Element):
        return (part.place,)
    if isinstance(part, Rest):
        return ()
    return tuple(bound for bound in (part.lower, part.upper) if bound is not None)


def is_repeatable(node: cst.CSTNode) -> bool:
    """Whether an index gives the same however often it is computed."""
    if isinstance(node, (cst.NamedExpr, cst.Await, cst.Yield, cst.Lambda)):
        return False
    if isinstance(node, cst.Call) and source(node.func) not in REPEATABLE:
        return False
    return all(is_repeatable(child) for child in node.children)


def item(array: cst.BaseExpression, parts: Sequence[Part]) -> cst.BaseExpression:
    """``array[parts]``, without what stands for whole axes at its end; the array itself when nothing is left."""
    kept = without_whole_axes(parts)
    if not kept:
        return array.deep_clone()
    between = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    elements = [cst.SubscriptElement(written(part), comma=between) for part in kept]
    elements[-1] = elements[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
    return cst.Subscript(array.deep_clone(), elements)


def written(part: Part) -> cst.BaseSlice:
    """A part as code."""
    if isinstance(part, Element):
        return cst.Index(part.place.deep_clone())
    if isinstance(part, Rest):
        return cst.Index(cst.Ellipsis())
    lower, upper = (None if bound is None else bound.deep_clone() for bound in (part.lower, part.upper))
    return cst.Slice(lower, upper)


def differ(one: Sequence[Part], other: Sequence[Part]) -> bool:
    """Whether two indices of one array certainly have no place in common."""
    if Rest() in (*one, *other):
        return False
    return any(
        isinstance(left, Element) and isinstance(right, Element) and are_apart(left.place, right.place)
        for left, right in zip(one, other, strict=False)
    )
