"""Lists that remember values: where a program appends to each, and which lists grow together.

A column is a list, or one place of the tuples in a list: `memory.append((state, action, reward))` has three.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from tfgradfix.analyse.call_places import Argument, Function, Place, bound_arguments, own_nodes, place_of
from tfgradfix.analyse.modules import Module, Program

CHANGING: Final = frozenset({"append", "extend", "insert", "pop", "remove", "sort", "reverse", "popleft", "appendleft"})


@dataclass(frozen=True)
class ListKey:
    """Which list: an attribute of this name, or the name of a function."""

    name: str
    function: Function | None = None

    def is_this(self, node: ast.AST) -> bool:
        """Whether an expression is the list."""
        if self.function is None:
            return isinstance(node, ast.Attribute) and node.attr == self.name
        return isinstance(node, ast.Name) and node.id == self.name


@dataclass(frozen=True)
class Column:
    """What one `append` remembers: the list, which place of its tuples, the value, and where it is appended."""

    key: ListKey
    number: int | None
    value: ast.expr
    owner: str
    place: Place

    def beside(self, number: int) -> Column | None:
        """Another place of the same tuples."""
        call = self.place.statement.value if isinstance(self.place.statement, ast.Expr) else None
        row = call.args[0] if isinstance(call, ast.Call) else None
        if not isinstance(row, ast.Tuple) or number >= len(row.elts):
            return None
        return Column(self.key, number, row.elts[number], self.owner, self.place)


class Columns:
    """The lists of a program that remember values."""

    def __init__(self, program: Program) -> None:
        self.modules = list(program.modules.values())

    @cached_property
    def _nodes(self) -> list[tuple[Module, ast.AST]]:
        return [(module, node) for module in self.modules for node in ast.walk(module.tree)]

    def _nodes_of(self, key: ListKey, module: Module | None) -> Iterator[tuple[Module, ast.AST]]:
        """The code that may touch a list: all of the program, or the function that the list belongs to."""
        if key.function is None or module is None:
            yield from self._nodes
        else:
            yield from ((module, node) for node in own_nodes(key.function))

    def only(self, key: ListKey, module: Module | None = None, number: int | None = None) -> Column | None:
        """The one place that appends to a list; None where the list changes otherwise too or never begins anew."""
        found: list[Column] = []
        for owner, node in self._nodes_of(key, module):
            if not _changes(node, key):
                continue
            column = _appended(owner, node, key, number)
            if column is None:
                return None
            found.append(column)
        return found[0] if len(found) == 1 and self.resets(key, module) else None

    def resets(self, key: ListKey, module: Module | None = None) -> list[int]:
        """The functions in which a list begins anew."""
        places = [place_of(owner, node) for owner, node in self._nodes_of(key, module) if _resets(node, key)]
        return sorted(id(place.function) for place in places if place is not None)

    def calls(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[tuple[Place, dict[str, Argument]]]:
        """The call of a function, with what each parameter gets; nothing where calls of that name are several."""
        found = []
        for module, node in self._nodes:
            place = place_of(module, node) if isinstance(node, ast.Call) and _calls(node, function.name) else None
            if place is not None and isinstance(node, ast.Call):
                found.append((place, bound_arguments(node, function, place)))
        return found if len(found) == 1 else []

    def together(self, own: Column) -> list[Column]:
        """The lists that grow in the same block and begin anew in the same functions, with the list itself."""
        module, found = own.place.module, [own]
        for statement in _block(module, own.place.statement):
            call = statement.value if isinstance(statement, ast.Expr) else None
            held = call.func.value if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) else None
            key = _key_of(held, own.key.function)
            if key is None or key == own.key:
                continue
            other = self.only(key, module)
            same = other is not None and other.place.statement is statement and other.owner == own.owner
            if other is not None and same and self.resets(key, module) == self.resets(own.key, module):
                found.append(other)
        return found


def _calls(call: ast.Call, name: str) -> bool:
    called = call.func
    plain = not any(isinstance(one, ast.Starred) for one in call.args) and all(one.arg for one in call.keywords)
    return plain and (called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")) == name


def _key_of(node: ast.AST | None, function: Function | None) -> ListKey | None:
    if function is None:
        return ListKey(node.attr) if isinstance(node, ast.Attribute) else None
    return ListKey(node.id, function) if isinstance(node, ast.Name) else None


def _appended(module: Module, call: ast.AST, key: ListKey, number: int | None) -> Column | None:
    """What a statement `list.append(value)` remembers."""
    place = place_of(module, call)
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute) or call.func.attr != "append":
        return None
    if place is None or len(call.args) != 1 or call.keywords:
        return None
    if not isinstance(place.statement, ast.Expr) or place.statement.value is not call:
        return None
    held, value = call.func.value, call.args[0]
    owner = ast.unparse(held.value) if isinstance(held, ast.Attribute) else ""
    if number is None:
        return Column(key, None, value, owner, place)
    return Column(key, None, value, owner, place).beside(number)


def _changes(node: ast.AST, key: ListKey) -> bool:
    """Whether a node changes a list, but for letting it begin anew."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return key.is_this(node.func.value) and node.func.attr in CHANGING
    if isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load) and key.is_this(node.value):
        return not _is_whole(node)
    return isinstance(node, ast.AugAssign) and key.is_this(node.target)


def _resets(node: ast.AST, key: ListKey) -> bool:
    """Whether a node lets a list begin anew."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "clear":
        return key.is_this(node.func.value)
    if isinstance(node, ast.Subscript):
        return key.is_this(node.value) and not isinstance(node.ctx, ast.Load) and _is_whole(node)
    return key.is_this(node) and isinstance(getattr(node, "ctx", None), ast.Store)


def _is_whole(node: ast.Subscript) -> bool:
    whole = isinstance(node.slice, ast.Slice) and node.slice.lower is None and node.slice.upper is None
    return whole and isinstance(node.ctx, ast.Del)


def _block(module: Module, statement: ast.stmt) -> list[ast.stmt]:
    """The statements of the block of which ``statement`` is one."""
    parent = module.parent(statement)
    for field in ("body", "orelse", "finalbody"):
        statements = getattr(parent, field, [])
        if isinstance(statements, list) and statement in statements:
            return statements
    return []
