"""What the calls of a function in its own module give for one of its parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.nodes import argument, unpacks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix_codemods.sites import Site


def given_arguments(parameter: cst.Param, site: Site) -> Sequence[tuple[cst.BaseExpression, Site]]:
    """The arguments given for ``parameter``, each with its place; empty when not every call can be read.

    A method is known by its name alone, whatever it is called on.
    """
    function = site.function
    if not isinstance(function, cst.FunctionDef) or parameter not in function.params.params:
        return ()
    name = function.name.value
    calls = [call for call in site.tree.calls if called_name(call) == name]
    found = [given(parameter, function, call) for call in calls]
    if any(value is None for value in found):
        return ()
    return [(value, site.at(call)) for value, call in zip(found, calls, strict=True) if value is not None]


def called_name(call: cst.Call) -> str | None:
    """The last part of the name of what is called."""
    if isinstance(call.func, cst.Attribute):
        return call.func.attr.value
    return call.func.value if isinstance(call.func, cst.Name) else None


def given(parameter: cst.Param, function: cst.FunctionDef, call: cst.Call) -> cst.BaseExpression | None:
    """The argument of one call, or the default; None when it cannot be told."""
    if unpacks(call.args):
        return None
    names = [each.name.value for each in function.params.params]
    bound = isinstance(call.func, cst.Attribute) and names[:1] == ["self"]
    position = function.params.params.index(parameter) - int(bound)
    found = argument(call.args, position, parameter.name.value)
    return parameter.default if found is None else found.value
