"""Where code of a program runs: a call of a function, the statement reached, and what its parameters stand for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from tfgradfix.analyse.modules import Module

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Module

_LOOPS: Final = (ast.For, ast.AsyncFor, ast.While)


@dataclass(frozen=True)
class Place:
    """Code that runs: a function, the statement reached in it, and what its parameters (and `self`) stand for.

    Code outside of functions is that of the function ``ast.Module``.
    """

    module: Module
    function: Function
    statement: ast.stmt
    arguments: Mapping[str, Argument] = field(default_factory=dict)

    @property
    def owner(self) -> ast.ClassDef | None:
        """The class of which the function is a method."""
        parent = self.module.parent(self.function)
        return parent if isinstance(parent, ast.ClassDef) else None

    def at(self, statement: ast.stmt) -> Place:
        """The same call at another statement."""
        return Place(self.module, self.function, statement, self.arguments)

    def called(self, call: ast.Call) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The function of the program that a call means: one of the module, or a method of the same class."""
        if isinstance(call.func, ast.Name):
            return named(self.module.tree.body, call.func.id)
        owner = self.owner
        if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) and owner is not None:
            return named(owner.body, call.func.attr) if call.func.value.id == "self" else None
        return None

    def parameters(self) -> list[str]:
        """The names of the parameters."""
        if isinstance(self.function, ast.Module):
            return []
        given = self.function.args
        return [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


#: What a parameter stands for: an expression, and where it is evaluated.
Argument = tuple[ast.expr, Place]


def same_value(first: tuple[str, Place], second: tuple[str, Place]) -> bool:
    """Whether two names certainly mean the same value at two places of one call of a function."""
    (name, one), (other, two) = first, second
    if name != other or one.function is not two.function or _loops(one) != _loops(two):
        return False
    start, end = sorted((one.statement.lineno, two.statement.lineno))
    return not any(start <= line < end for line in binding_lines(name, one.function)) or start == end


def _loops(place: Place) -> list[ast.AST]:
    found: list[ast.AST] = []
    current = place.module.parent(place.statement)
    while current is not None and current is not place.function:
        if isinstance(current, _LOOPS):
            found.append(current)
        current = place.module.parent(current)
    return found


def binding_lines(name: str, function: Function) -> list[int]:
    """The lines of a function that bind a name."""
    stores = (node for node in own_nodes(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    return [node.lineno for node in stores if node.id == name]


def own_nodes(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function, without those of functions and classes inside it."""
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            pending += ast.iter_child_nodes(node)


def place_of(module: Module, node: ast.AST) -> Place | None:
    """Where a node stands: its statement and function."""
    statement = module.statement(node)
    current = module.parent(node)
    while current is not None and not isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Module)):
        current = module.parent(current)
    return Place(module, current, statement) if current is not None and statement is not None else None


def bound_arguments(call: ast.Call, function: Function, caller: Place) -> dict[str, Argument]:
    """What each parameter of a function, `self` among them, stands for in a call of it."""
    if isinstance(function, ast.Module):
        return {}
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    given: dict[str, Argument] = {}
    if names[:1] == ["self"] and isinstance(call.func, ast.Attribute):
        given["self"] = (call.func.value, caller)
        names = names[1:]
    given |= {name: (value, caller) for name, value in zip(names, call.args, strict=False)}
    given |= {one.arg: (one.value, caller) for one in call.keywords if one.arg is not None}
    defaults = zip(names[::-1], function.args.defaults[::-1], strict=False)
    return {name: (value, caller) for name, value in defaults if isinstance(value, ast.Constant)} | given


def named(body: list[ast.stmt], name: str) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The function of a name among statements, if there is one and no other."""
    found = [one for one in body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)) and one.name == name]
    return found[0] if len(found) == 1 else None


def binds(target: ast.expr, name: str) -> bool:
    """Whether an assignment to ``target`` binds a name."""
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(target))
