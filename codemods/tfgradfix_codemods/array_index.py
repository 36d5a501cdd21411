"""A tensor is indexed by an array.

What breaks:
    `path[days]` with an array `days` picks rows of an array; a tensor raises TypeError. It comes to light when what
    was an array becomes a tensor.

Repair:
    `tf.gather(path, days)`, with `axis=` where slices come before the array; `tf.boolean_mask(path, chosen)` for an
    array of bools. Places that may be counted from the end are taken modulo the size, since `tf.gather` counts from
    the start only.

Left alone:
    Several arrays in one index; an array with a number beside it that a slice parts from it; values that may still be
    arrays.

Example:
    >>> simulated = path[days]
    <<< simulated = tf.gather(path, days)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

import libcst as cst
from libcst.metadata import ParentNodeProvider

from tfgradfix_codemods.base import Decline, GradientCommand, Level, Rule
from tfgradfix_codemods.index_bounds import moves_back
from tfgradfix_codemods.item_parts import WHOLE, Element, Stretch, item, stretch_of, written_parts
from tfgradfix_codemods.nodes import atom, call, dotted_text, in_place_of, operand
from tfgradfix_codemods.place_arithmetic import integer
from tfgradfix_codemods.places import Places
from tfgradfix_codemods.trees import Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix.model import Finding
    from tfgradfix_codemods.item_parts import Part
    from tfgradfix_codemods.sites import Site

RULE: Final = Rule(
    code="TGF113",
    name="array-index",
    level=Level.SAFE,
    after=("numpy-call", "ndarray-method", "numpy-detach", "array-fill"),
)

#: The kinds of a part that picks several places.
PICKING: Final = ("array", "list", "mask")


class ArrayIndexCommand(GradientCommand):
    """Pick rows of a tensor by `tf.gather` and `tf.boolean_mask`."""

    DESCRIPTION = "tensor[array] becomes tf.gather(tensor, array) or tf.boolean_mask(tensor, mask)"
    METADATA_DEPENDENCIES = (ParentNodeProvider,)
    RULE = RULE

    @cached_property
    def places(self) -> Places:
        """The module as it is before this round."""
        return Places(Tree(self.module))

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:
        """Write one index."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        site = self.places.site(original_node, finding, partial(self.tensorflow, finding))
        result = picked(updated_node, finding, site)
        if not isinstance(result, Decline):
            result = in_place_of(updated_node, result, self.get_metadata(ParentNodeProvider, original_node))
        return self.settle(finding, updated_node, result)


@dataclass(frozen=True)
class Picked:
    """An index with one array in it: the other parts (a whole axis in the array's place), the array, its axis."""

    parts: Sequence[Part]
    places: cst.BaseExpression
    is_mask: bool
    axis: int


def picked(index: cst.Subscript, finding: Finding, site: Site) -> cst.BaseExpression | Decline:
    """The call that picks what ``index`` picks."""
    if not finding.operands or finding.operands[0].kind not in ("tensor", "variable"):
        return Decline("it is not certain that this is a tensor")
    found = read_index(index, (finding.fact("index") or "").split(":"))
    if isinstance(found, Decline):
        return found
    rest = item(atom(index.value), found.parts) if any(part != WHOLE for part in found.parts) else index.value
    keywords = {"axis": cst.Integer(str(found.axis))} if found.axis else {}
    if found.is_mask:
        return call(site.tensorflow("boolean_mask"), rest, found.places, **keywords)
    rows = rows_of(rest, found, site)
    if rows is not None:
        return rows
    return call(site.tensorflow("gather"), rest, counted(found, rest, site), **keywords)


def read_index(index: cst.Subscript, kinds: Sequence[str]) -> Picked | Decline:
    """The index, if exactly one part of it is an array."""
    written = written_parts(index)
    if len(written) != len(kinds):
        return Decline("it is not known what each part of the index is")
    arrays = [number for number, kind in enumerate(kinds) if kind in PICKING]
    if len(arrays) != 1:
        return Decline("several parts of the index are arrays" if arrays else "no part of the index is an array")
    parts: list[Part] = []
    for number, part in enumerate(written):
        read = WHOLE if number == arrays[0] else plain(part)
        if isinstance(read, Decline):
            return read
        parts.append(read)
    numbers = [number for number, part in enumerate(parts) if isinstance(part, Element)]
    if any(abs(number - arrays[0]) > 1 for number in numbers):
        return Decline("NumPy puts the axes in another order when numbers and an array are apart in an index")
    places = written[arrays[0]]
    if not isinstance(places, cst.BaseExpression):
        return Decline("it is not known what each part of the index is")
    axis = sum(isinstance(part, Stretch) for part in parts[: arrays[0]])
    return Picked(parts, places, kinds[arrays[0]] == "mask", axis)


def plain(part: cst.BaseExpression | cst.Slice) -> Part | Decline:
    """A part that is no array."""
    if isinstance(part, cst.Slice):
        return stretch_of(part)
    if isinstance(part, cst.Ellipsis) or dotted_text(part) == "None" or (dotted_text(part) or "").endswith("newaxis"):
        return Decline("`...` or a new axis stands beside the array")
    return Element(part)


def rows_of(rest: cst.BaseExpression, found: Picked, site: Site) -> cst.BaseExpression | None:
    """`tf.stack([x[0], x[-1]])` for places that are written out and counted from the end; None for others."""
    if found.axis or not isinstance(found.places, (cst.List, cst.Tuple)):
        return None
    places = [element.value for element in found.places.elements]
    values = [integer(place) for place in places]
    if None in values or all(value is None or value >= 0 for value in values):
        return None
    rows = [cst.Element(item(atom(rest), [Element(place)])) for place in places]
    return call(site.tensorflow("stack"), cst.List(rows))


def counted(found: Picked, rest: cst.BaseExpression, site: Site) -> cst.BaseExpression:
    """The places, counted from the start."""
    if not may_be_negative(found.places, site):
        return found.places
    shape = call(site.tensorflow("shape"), rest.deep_clone())
    size = item(shape, [Element(cst.Integer(str(found.axis)))])
    return cst.BinaryOperation(operand(found.places), cst.Modulo(), size)


def may_be_negative(places: cst.BaseExpression, site: Site) -> bool:
    """Whether something is taken away from the places here or where their name is bound."""
    name = dotted_text(places)
    values = [places] if name is None else [binding.value for binding in site.values(name)]
    return any(value is not None and moves_back(value) for value in values)
