"""Arrays that a helper fills: `place(levels, house, value)`, where `place` does nothing but assign one item.

The helper may serve others with arrays and stays as it is. What it does is written where it is called.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tfgradfix.analyse.values import TENSORS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfgradfix.analyse.graph import Node
    from tfgradfix.analyse.scopes import Context


@dataclass(frozen=True)
class FillingCall:
    """A statement that calls such a helper, and which arguments are array, index and value."""

    statement: ast.Expr
    context: Context
    roles: tuple[str, str, str]


def filling_call(fill: Node, makers: Iterable[Node]) -> FillingCall | None:
    """The call behind an item assignment, if the array is made where the call stands; None for anything else."""
    call, function, caller = fill.context.call, fill.context.function, fill.context.parent
    if not isinstance(call, ast.Call) or function is None or caller is None:
        return None
    made = list(makers)
    if not made or any(maker.context is not caller for maker in made):
        return None
    statement = made[0].module.statement(call)
    names = _roles(function.node, fill)
    if not isinstance(statement, ast.Expr) or statement.value is not call or names is None:
        return None
    if any(isinstance(argument, ast.Starred) for argument in call.args) or any(not one.arg for one in call.keywords):
        return None
    given = given_arguments(call, function.node)
    if set(names) != set(given):
        return None  # an argument that the assignment has no use for may do something else
    array, index, value = (given[name] for name in names)
    return FillingCall(statement, caller, (array, index, value))


def _roles(function: ast.AST, fill: Node) -> tuple[str, str, str] | None:
    """The parameters that are array, index and value, if the function does nothing but assign the item."""
    body = getattr(function, "body", [])
    statements = [one for one in body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    if len(statements) != 1 or not isinstance(statements[0], ast.Assign) or len(statements[0].targets) != 1:
        return None
    target, value = statements[0].targets[0], _certain(statements[0].value, fill)
    if target is not fill.syntax or not isinstance(target, ast.Subscript):
        return None
    parts = (target.value, target.slice, value)
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    return (names[0], names[1], names[2]) if len(set(names)) == len(parts) else None


def _certain(value: ast.expr, fill: Node) -> ast.expr:
    """``x`` for `missing if x is None else x`, since what is assigned is certainly a tensor."""
    if not isinstance(value, ast.IfExp) or not fill.operands[2].is_only(TENSORS):
        return value
    test = value.test
    if not isinstance(test, ast.Compare) or not isinstance(test.comparators[0], ast.Constant):
        return value
    if len(test.ops) != 1 or test.comparators[0].value is not None:
        return value
    return {ast.Is: value.orelse, ast.IsNot: value.body}.get(type(test.ops[0]), value)


def given_arguments(call: ast.Call, function: ast.AST) -> dict[str, str]:
    """Which argument each parameter gets: its position or keyword."""
    spec = getattr(function, "args", None)
    if not isinstance(spec, ast.arguments):
        return {}
    names = [argument.arg for argument in (*spec.posonlyargs, *spec.args)]
    if isinstance(call.func, ast.Attribute) and names[:1] == ["self"]:
        names = names[1:]
    given = {name: str(position) for position, name in enumerate(names[: len(call.args)])}
    return given | {keyword.arg: keyword.arg for keyword in call.keywords if keyword.arg is not None}
