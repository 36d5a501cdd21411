"""Writes a call of a library function as the TensorFlow expression that its row of the table gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst
import libcst.matchers as m

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.nodes import ATOMS, has_comment, in_place_of, parenthesise, source
from tfgradfix_codemods.template_arguments import Argument, Arguments, bind, is_simple
from tfgradfix_codemods.template_conditions import hold
from tfgradfix_codemods.template_dtypes import one_dtype
from tfgradfix_codemods.template_filters import FILTERS
from tfgradfix_codemods.template_text import Placeholder, fill, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tfgradfix.analyse.facts.rows import Form, Row
    from tfgradfix.model import Finding
    from tfgradfix_codemods.template_filters import TensorFlow

    Named = Callable[[cst.BaseExpression, str], cst.Name | None]
    _Values = dict[int, tuple[cst.BaseExpression, ...]]

__all__ = ["Decline", "chosen_form", "write_call"]


def write_call(
    row: Row,
    call: cst.Call | cst.Attribute,
    finding: Finding,
    tensorflow: TensorFlow,
    named: Named | None = None,
) -> cst.BaseExpression | Decline:
    """The TensorFlow expression for ``call``, or why there is none.

    Args:
        row: what the table says of the function, method or attribute.
        call: the call, or the attribute where the row is one.
        finding: tells the kinds, dtypes and ranks of the operands.
        tensorflow: gives the node for a TensorFlow name, such as "math.reduce_mean", at this place.
        named: gives a name to an expression that has to be written more than once, and sees to it that the name is
            bound before this place; it gets the expression and the parameter's name, and may answer None. Without it
            such a call is refused.
    """
    written = chosen_form(row, call, finding, tensorflow, named)
    return written if isinstance(written, Decline) else written[1]


def chosen_form(
    row: Row,
    call: cst.Call | cst.Attribute,
    finding: Finding,
    tensorflow: TensorFlow,
    named: Named | None = None,
) -> tuple[Form, cst.BaseExpression] | Decline:
    """The first form of ``row`` that is right for ``call``, and what it writes."""
    arguments = bind(row, call, finding)
    if isinstance(arguments, Decline):
        return arguments
    refusals = []
    for form in row.forms:
        if not hold(arguments, *form.when):
            continue
        written = _write(form, arguments, tensorflow, named)
        if isinstance(written, cst.BaseExpression):
            written = _in_its_place(written, call)
        if isinstance(written, cst.BaseExpression):
            return form, written
        refusals.append(written)
    if refusals:
        return refusals[0]
    return Decline(row.reason or f"TensorFlow has no counterpart of {row.symbol} with these arguments")


def _write(
    form: Form, arguments: Arguments, tensorflow: TensorFlow, named: Named | None
) -> cst.BaseExpression | Decline:
    template = parse(form.write)
    refusal = _unused(form, arguments, template.placeholders)
    if refusal is not None:
        return refusal
    brought = one_dtype(arguments, tensorflow, converts=form.converts)
    if isinstance(brought, Decline):
        return brought
    values: _Values = {}
    for number, placeholder in enumerate(template.placeholders):
        value = _value(placeholder, brought, tensorflow)
        if isinstance(value, Decline):
            return value
        if not value and number not in template.optional:
            return Decline(f"{placeholder.name} of {arguments.row.symbol} is not given")
        values[number] = value
    once = _write_once(arguments, template.placeholders, values, named)
    return once if isinstance(once, Decline) else fill(template, once, tensorflow)


def _unused(form: Form, arguments: Arguments, placeholders: Sequence[Placeholder]) -> Decline | None:
    """The refusal of a form that has no place for one of the arguments."""
    row = arguments.row
    known = {*row.ignored, *(condition.parameter for condition in form.when if condition.test == "equals")}
    for name in arguments.given:
        if name not in known and all(placeholder.name != name for placeholder in placeholders):
            return Decline(f"{name}= of {row.symbol} has no counterpart in TensorFlow")
    return None


def _write_once(
    arguments: Arguments, placeholders: Sequence[Placeholder], values: _Values, named: Named | None
) -> _Values | Decline:
    """See to it that nothing is computed twice: what stands in several places has to be simple or get a name."""
    places: dict[str, list[int]] = {}
    for number, placeholder in enumerate(placeholders):
        if placeholder.filter != "dtype_of":
            places.setdefault(placeholder.name, []).append(number)
    once = dict(values)
    for name, numbers in places.items():
        argument = arguments.one(name)
        if len(numbers) > 1 and argument is not None and not is_simple(argument.node):
            filters = {placeholders[number].filter for number in numbers}
            known = named(values[numbers[0]][0], name) if named is not None and len(filters) == 1 else None
            if known is None:
                text = source(argument.node)
                return Decline(f"{text} would be computed {len(numbers)} times: give it a name first")
            once.update(dict.fromkeys(numbers, (known,)))
        for number in numbers[1:]:
            once[number] = tuple(node.deep_clone() for node in once[number])
    return once


def _value(
    placeholder: Placeholder, arguments: Arguments, tensorflow: TensorFlow
) -> tuple[cst.BaseExpression, ...] | Decline:
    """What stands for one placeholder: nothing when its argument was not given and it has no default."""
    if placeholder.name == "scope":
        return () if arguments.scope is None else (arguments.scope,)
    given = arguments.given.get(placeholder.name, ())
    if not given and placeholder.default is not None:
        given = (Argument(cst.parse_expression(placeholder.default)),)
    if not given or not placeholder.filter:
        return tuple(argument.node if argument.place else _unwrapped(argument.node) for argument in given)
    filtered = FILTERS[placeholder.filter](given, tensorflow)
    return filtered if isinstance(filtered, Decline) else (filtered,)


def _unwrapped(receiver: cst.BaseExpression) -> cst.BaseExpression:
    """A method's object without the parentheses that the dot behind it asked for."""
    needs = isinstance(receiver, (cst.Tuple, cst.GeneratorExp, cst.NamedExpr, cst.Yield))
    if needs or not receiver.lpar or has_comment(receiver.lpar[0]) or has_comment(receiver.rpar[-1]):
        return receiver
    return receiver.with_changes(lpar=receiver.lpar[1:], rpar=receiver.rpar[:-1])


def _in_its_place(written: cst.BaseExpression, call: cst.Call | cst.Attribute) -> cst.BaseExpression | Decline:
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
