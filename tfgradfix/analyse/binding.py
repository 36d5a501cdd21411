"""Which names certainly have a value at a place, and which are of no use outside a statement.

Both answers err on the safe side: a name that may be bound is not, and one that may be read later is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from tfgradfix.analyse.modules import Module

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPES: Final = (*_FUNCTIONS, ast.ClassDef, ast.Module)
_COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LEAVING: Final = (ast.Return, ast.Raise, ast.Break, ast.Continue)


def is_bound(module: Module, place: ast.AST, name: str, within: ast.AST | None = None) -> bool:
    """Whether ``name`` has a value at ``place`` on every way that leads there.

    With ``within`` given, only what that statement itself does counts.
    """
    child, outer = place, module.parent(place)
    while outer is not None and child is not within:
        if _bound_on_the_way(outer, child, name):
            return True
        if isinstance(outer, _FUNCTIONS):
            return within is None and (name in _parameters(outer) or not _is_local(outer, name))
        child, outer = outer, module.parent(outer)
    return False


def is_private(module: Module, statement: ast.stmt, name: str) -> bool:
    """Whether ``name`` is local to a function that uses it nowhere but in ``statement``, where it is bound anew."""
    scope: ast.AST | None = statement
    while scope is not None and not isinstance(scope, _SCOPES):
        scope = module.parent(scope)
    if not isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)) or not _is_local(scope, name):
        return False
    inside = {id(node) for node in ast.walk(statement)}
    for node in ast.walk(scope):
        if not isinstance(node, ast.Name) or node.id != name:
            continue
        if id(node) not in inside:
            return False
        is_read = isinstance(node.ctx, ast.Load) or isinstance(module.parent(node), (ast.AugAssign, ast.Delete))
        if is_read and not is_bound(module, node, name, statement):
            return False
    return True


def _bound_on_the_way(outer: ast.AST, child: ast.AST, name: str) -> bool:
    """Whether what runs in ``outer`` before it comes to ``child`` binds the name."""
    if isinstance(outer, (ast.For, ast.AsyncFor)) and child in outer.body and _stores(outer.target, name):
        return True
    if isinstance(outer, (ast.With, ast.AsyncWith)) and any(_stores(item, name) for item in outer.items):
        return child in outer.body
    if isinstance(outer, (ast.If, ast.While)) and child is not outer.test and _stores(outer.test, name):
        return True
    if isinstance(outer, ast.Try) and child in outer.orelse and _block_binds(outer.body, name):
        return True
    return any(child in block and _block_binds(block[: block.index(child)], name) for block in _blocks(outer))


def _blocks(node: ast.AST) -> Iterator[list[ast.AST]]:
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list):
            yield block


def _block_binds(block: Sequence[ast.AST], name: str) -> bool:
    return any(_binds(statement, name) for statement in block)


def _binds(statement: ast.AST, name: str) -> bool:
    """Whether ``name`` has a value wherever a statement comes to its end."""
    if isinstance(statement, _LEAVING):
        return True
    if isinstance(statement, ast.If):
        both = _block_binds(statement.body, name) and _block_binds(statement.orelse, name)
        return both or _stores(statement.test, name)
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return any(_stores(item, name) for item in statement.items) or _block_binds(statement.body, name)
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        in_it = _stores(statement.target, name) or _block_binds(statement.body, name)
        return in_it and _is_never_empty(statement.iter)
    if isinstance(statement, ast.Try):
        handlers = all(_block_binds(handler.body, name) for handler in statement.handlers)
        return (_block_binds(statement.body, name) and handlers) or _block_binds(statement.finalbody, name)
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return statement.name == name
    # Of a loop that may not run, a match, or an exception group nothing is certain.
    return not hasattr(statement, "body") and not isinstance(statement, ast.Match) and _stores(statement, name)


def _stores(node: ast.AST, name: str) -> bool:
    """Whether a simple statement or an expression gives the name a value in its own scope."""
    if isinstance(node, (*_FUNCTIONS, *_COMPREHENSIONS)) or (isinstance(node, ast.AnnAssign) and node.value is None):
        return False
    if isinstance(node, ast.alias):
        return node.name == "*" or (node.asname or node.name.partition(".")[0]) == name
    if isinstance(node, ast.Name):
        return node.id == name and isinstance(node.ctx, ast.Store)
    return any(_stores(part, name) for part in ast.iter_child_nodes(node))


def _is_never_empty(iterable: ast.expr) -> bool:
    """Whether a loop over ``iterable`` certainly runs: a display with elements, or a range of a literal number."""
    if isinstance(iterable, (ast.List, ast.Tuple)):
        return any(not isinstance(element, ast.Starred) for element in iterable.elts)
    if not (isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name) and iterable.func.id == "range"):
        return False
    given = [argument.value for argument in iterable.args if isinstance(argument, ast.Constant)]
    return len(given) == len(iterable.args) == 1 and isinstance(given[0], int) and given[0] > 0


def _parameters(function: ast.AST) -> set[str]:
    arguments = getattr(function, "args")  # noqa: B009 (functions and lambdas alike)
    return {node.arg for node in ast.walk(arguments) if isinstance(node, ast.arg)}


def _is_local(function: ast.AST, name: str) -> bool:
    """Whether a function binds the name in its own scope."""
    if isinstance(function, ast.Lambda):
        return name in _parameters(function)
    inner = list(_own(function))
    if any(isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names for node in inner):
        return False
    return any(
        (isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load))
        or (isinstance(node, ast.alias) and _stores(node, name))
        or (isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node.name == name)
        or (isinstance(node, ast.ExceptHandler) and node.name == name)
        for node in inner
    )


def _own(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function's own scope."""
    pending = list(ast.iter_child_nodes(function))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (*_SCOPES, *_COMPREHENSIONS)):
            pending += ast.iter_child_nodes(node)
