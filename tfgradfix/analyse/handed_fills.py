"""Arrays that a function fills for its caller: `fill(out, w)` with `out[i] = …` in the loop of `fill`.

NumPy shows the caller what is written. A tensor never changes, so the function has to give the new one back, and the
caller has to take it: `out = fill(out, w)`.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tfgradfix.analyse.fill_calls import given_arguments

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfgradfix.analyse.graph import Node
    from tfgradfix.analyse.modules import Module
    from tfgradfix.analyse.scopes import Context


@dataclass(frozen=True)
class HandedFill:
    """A statement that calls such a function: where it stands, and which argument is the array."""

    statement: ast.Expr
    module: Module
    context: Context
    role: str


def handed_fill(fill: Node, makers: Iterable[Node]) -> HandedFill | None:
    """The call behind an item assignment to a parameter, if its caller has made the array; None for anything else."""
    call, function, caller = fill.context.call, fill.context.function, fill.context.parent
    made = list(makers)
    if not isinstance(call, ast.Call) or function is None or caller is None or not made:
        return None
    if any(maker.context is not caller for maker in made):
        return None
    name = _base(fill.syntax)
    if not isinstance(function.node, ast.FunctionDef) or name is None or not gives_nothing(function.node):
        return None
    if any(isinstance(argument, ast.Starred) for argument in call.args) or any(not one.arg for one in call.keywords):
        return None
    role = given_arguments(call, function.node).get(name)
    statement = made[0].module.statement(call)
    if role is None or not isinstance(statement, ast.Expr) or statement.value is not call:
        return None
    argument = _argument(call, role)
    return HandedFill(statement, made[0].module, caller, role) if isinstance(argument, ast.Name) else None


def gives_nothing(function: ast.FunctionDef) -> bool:
    """Whether a plain function runs to its end and returns nothing, so that it can return what it has filled."""
    if function.decorator_list:
        return False
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom, ast.Return)):
            return False
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            pending += ast.iter_child_nodes(node)
    return True


def _base(item: ast.AST) -> str | None:
    """The name of the array of which something is an item."""
    while isinstance(item, ast.Subscript):
        item = item.value
    return item.id if isinstance(item, ast.Name) else None


def _argument(call: ast.Call, role: str) -> ast.expr | None:
    """The argument that is at a position, or has a keyword."""
    if role.isdigit():
        return call.args[int(role)]
    return next((one.value for one in call.keywords if one.arg == role), None)
