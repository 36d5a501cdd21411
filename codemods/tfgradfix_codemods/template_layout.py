"""Puts what was written where the call stood: its line breaks, comments and parentheses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst
import libcst.matchers as m

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.nodes import ATOMS, in_place_of, parenthesise

if TYPE_CHECKING:
    from collections.abc import Sequence


def in_its_place(written: cst.BaseExpression, call: cst.Call | cst.Attribute) -> cst.BaseExpression | Decline:
    """``written`` with the line breaks, comments and parentheses of ``call``."""
    if isinstance(written, cst.Call) and isinstance(call, cst.Call):
        written = _laid_out(written, call)
    if not written.lpar and not call.lpar and not isinstance(written, ATOMS):
        written = parenthesise(written)
    if len(m.findall(written, m.Comment())) < len(m.findall(call, m.Comment())):
        return Decline("a comment inside the call would be lost")
    return in_place_of(call, written)


def _laid_out(written: cst.Call, call: cst.Call) -> cst.Call:
    """``written`` on the lines of ``call``, when the same arguments come in the same order."""
    places = {id(place.value): index for index, place in enumerate(call.args)}
    order = [places[id(argument.value)] for argument in written.args if id(argument.value) in places]
    if not order or order != sorted(order) or id(written.args[-1].value) not in places or order[-1] + 1 != len(places):
        return written
    arguments = [_spaced(argument, call.args, places.get(id(argument.value))) for argument in written.args]
    return written.with_changes(args=arguments, whitespace_before_args=call.whitespace_before_args)


def _spaced(argument: cst.Arg, before: Sequence[cst.Arg], index: int | None) -> cst.Arg:
    if index is None:
        return argument
    place = before[index]
    return argument.with_changes(comma=place.comma, whitespace_after_arg=place.whitespace_after_arg)
