"""Writes a call of a library function as the TensorFlow expression that its row of the table gives."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.every_name import names_in
from tfgradfix_codemods.nodes import has_comment, parenthesise, source
from tfgradfix_codemods.template_arguments import Argument, Arguments, NeedsName, bind, is_simple, literal_of
from tfgradfix_codemods.template_conditions import hold
from tfgradfix_codemods.template_dtypes import one_dtype
from tfgradfix_codemods.template_filters import FILTERS
from tfgradfix_codemods.template_layout import in_its_place
from tfgradfix_codemods.template_text import Placeholder, fill, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tfgradfix.analyse.facts.rows import Form, Row
    from tfgradfix.model import Finding
    from tfgradfix_codemods.template_filters import TensorFlow

    _Values = dict[int, tuple[cst.BaseExpression, ...]]

__all__ = ["Decline", "chosen_form", "write_call"]


def write_call(
    row: Row,
    call: cst.Call | cst.Attribute,
    finding: Finding,
    tensorflow: Callable[[str], cst.BaseExpression],
) -> cst.BaseExpression | Decline:
    """The TensorFlow expression for ``call``, or why there is none.

    Args:
        row: what the table says of the function, method or attribute.
        call: the call, or the attribute where the row is one.
        finding: tells the kinds, dtypes and ranks of the operands.
        tensorflow: gives the node for a TensorFlow name, such as "math.reduce_mean", at this place.
    """
    written = chosen_form(row, call, finding, tensorflow)
    return written if isinstance(written, Decline) else written[1]


def chosen_form(
    row: Row,
    call: cst.Call | cst.Attribute,
    finding: Finding,
    tensorflow: Callable[[str], cst.BaseExpression],
) -> tuple[Form, cst.BaseExpression] | Decline:
    """The first form of ``row`` that is right for ``call``, and what it writes.

    A form that needs an expression in several places comes last: a lambda computes the expression once for it.
    """
    arguments = bind(row, call, finding)
    if isinstance(arguments, Decline):
        return arguments
    refusals: dict[Form, Decline] = {}
    for form in row.forms:
        written = _write(form, arguments, tensorflow) if hold(arguments, *form.when) else None
        placed = in_its_place(written, call) if isinstance(written, cst.BaseExpression) else written
        if isinstance(placed, cst.BaseExpression):
            return form, placed
        if placed is not None:
            refusals[form] = placed
    for form in (form for form, refusal in refusals.items() if isinstance(refusal, NeedsName)):
        written = _write_applied(form, arguments, tensorflow)
        placed = in_its_place(written, call) if isinstance(written, cst.BaseExpression) else written
        if isinstance(placed, cst.BaseExpression):
            return form, placed
    if refusals:
        return next(iter(refusals.values()))
    return Decline(row.reason or f"TensorFlow has no counterpart of {row.symbol} with these arguments")


def _write(form: Form, arguments: Arguments, tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
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
    once = _write_once(arguments, template.placeholders, values)
    return once if isinstance(once, Decline) else fill(template, once, tensorflow)


def _write_applied(form: Form, arguments: Arguments, tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
    """The form as the body of a lambda, applied to the arguments, so that each is computed once and in its order."""
    passed = {name: given for name, given in arguments.given.items() if not all(map(_is_constant, given))}
    if any(len(given) > 1 for given in passed.values()):
        return Decline(f"{arguments.row.symbol} would compute its arguments several times")
    names = {name: (replace(given[0], node=cst.Name(name)),) for name, given in passed.items()}
    body = _write(form, replace(arguments, given={**arguments.given, **names}), tensorflow)
    if isinstance(body, Decline):
        return body
    outside = set() if arguments.scope is None else names_in(arguments.scope)
    if (outside | names_in(tensorflow("cast"))) & passed.keys():
        return Decline(f"a parameter of {arguments.row.symbol} has the name of a module")
    parameters = cst.Parameters([cst.Param(cst.Name(name)) for name in passed])
    function = parenthesise(cst.Lambda(parameters, body))
    return cst.Call(function, [cst.Arg(_unwrapped(given[0].node)) for given in passed.values()])


def _is_constant(argument: Argument) -> bool:
    try:
        literal_of(argument.node)
    except ValueError:
        return False
    return True


def _unused(form: Form, arguments: Arguments, placeholders: Sequence[Placeholder]) -> Decline | None:
    """The refusal of a form that has no place for one of the arguments."""
    row = arguments.row
    known = {*row.ignored, *(condition.parameter for condition in form.when if condition.test == "equals")}
    for name in arguments.given:
        if name not in known and all(placeholder.name != name for placeholder in placeholders):
            return Decline(f"{name}= of {row.symbol} has no counterpart in TensorFlow")
    return None


def _write_once(arguments: Arguments, placeholders: Sequence[Placeholder], values: _Values) -> _Values | Decline:
    """Give each place a node of its own; what stands in several places has to be simple."""
    places: dict[str, list[int]] = {}
    for number, placeholder in enumerate(placeholders):
        if placeholder.filter != "dtype_of":
            places.setdefault(placeholder.name, []).append(number)
    once = dict(values)
    for name, numbers in places.items():
        argument = arguments.one(name)
        if len(numbers) > 1 and argument is not None and not is_simple(argument.node):
            return NeedsName(f"{source(argument.node)} would be computed {len(numbers)} times: give it a name first")
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
