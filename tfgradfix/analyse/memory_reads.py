"""Reads of remembered values: the column that a name or attribute stands for, and how those beside it are reached."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from tfgradfix.analyse.call_places import Function, Place, own_nodes, place_of
from tfgradfix.analyse.columns import Column, Columns, ListKey
from tfgradfix.analyse.modules import Module


@dataclass(frozen=True)
class MemoryRead:
    """A read of the column ``own``; ``beside`` has each column that grows with it and the text that reads it there.

    ``prefix`` is the object whose attribute the list is; ``single`` says that one value is read, and not all of them.
    """

    own: Column
    beside: Mapping[str, Column]
    reader: Place
    prefix: str = ""
    single: bool = False


def memory_read(columns: Columns, node: ast.AST, module: Module) -> MemoryRead | None:
    """The read of a column that ``node`` is, or None."""
    reader = place_of(module, node)
    if reader is None:
        return None
    if isinstance(node, ast.Attribute):
        return _of_attribute(columns, node, reader)
    return _of_name(columns, node.id, node, reader) if isinstance(node, ast.Name) else None


def _of_attribute(columns: Columns, node: ast.Attribute, reader: Place) -> MemoryRead | None:
    """`self.log_probs`, a list."""
    own, prefix = columns.only(ListKey(node.attr)), ast.unparse(node.value)
    if own is None or not _reaches(own, prefix, reader):
        return None
    beside = {f"{prefix}.{one.key.name}": one for one in columns.together(own) if one is not own}
    return MemoryRead(own, beside, reader, prefix)


def _reaches(own: Column, prefix: str, reader: Place) -> bool:
    """Whether what is read as `prefix.list` is the list that grows."""
    if prefix.split(".")[0] != "self" or reader.owner is None:
        return False
    return prefix == own.owner if own.place.owner is reader.owner else own.owner == "self" and prefix != "self"


def _of_name(columns: Columns, name: str, node: ast.AST, reader: Place) -> MemoryRead | None:
    """A name: one of a row in a loop, one of the columns of `zip(*memory)`, or a list that a function has given."""
    for target, source in _loops_over(node, reader.module):
        read = _of_row(columns, name, target, source, reader)
        if read is not None:
            return read
    return _of_unzipped(columns, name, reader) or _of_given(columns, name, reader)


def _loops_over(node: ast.AST, module: Module) -> list[tuple[ast.expr, ast.expr]]:
    """The targets of the loops and comprehensions round a node, each with what it runs over, taken out of `zip`."""
    found: list[tuple[ast.expr, ast.expr]] = []
    current = module.parent(node)
    while current is not None:
        loops = [current] if isinstance(current, ast.For) else getattr(current, "generators", [])
        for loop in loops:
            found += _pairs(loop.target, loop.iter)
        current = module.parent(current)
    return found


def _pairs(target: ast.expr, source: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    name = source.func.id if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) else ""
    if not isinstance(source, ast.Call) or not isinstance(target, ast.Tuple):
        return [(target, source)]
    if name == "zip" and len(target.elts) == len(source.args):
        pairs = zip(target.elts, source.args, strict=True)
        return [pair for one, given in pairs for pair in _pairs(one, given)]
    if name == "enumerate" and len(target.elts) == 2 and source.args:
        return _pairs(target.elts[1], source.args[0])
    return [(target, source)]


def _of_row(columns: Columns, name: str, target: ast.expr, source: ast.expr, reader: Place) -> MemoryRead | None:
    """One of the names of `for state, action, log_prob in self.memory`."""
    if not isinstance(source, ast.Attribute) or not isinstance(target, ast.Tuple):
        return None
    return _of_tuple(columns, name, target, source, reader, single=True)


def _of_tuple(
    columns: Columns, name: str, target: ast.Tuple, source: ast.Attribute, reader: Place, single: bool
) -> MemoryRead | None:
    names = [one.id if isinstance(one, ast.Name) else "" for one in target.elts]
    if names.count(name) != 1:
        return None
    own, prefix = columns.only(ListKey(source.attr), number=names.index(name)), ast.unparse(source.value)
    if own is None or not _reaches(own, prefix, reader):
        return None
    others = {one: own.beside(number) for number, one in enumerate(names) if one and one != name and one != "_"}
    return MemoryRead(own, {one: column for one, column in others.items() if column}, reader, prefix, single)


def _of_unzipped(columns: Columns, name: str, reader: Place) -> MemoryRead | None:
    """One of the names of `states, actions, log_probs = zip(*self.memory)`."""
    statement = _binding(name, reader.function)
    value = statement.value if statement is not None else None
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "map":
        value = value.args[1] if len(value.args) == 2 and ast.unparse(value.args[0]) in ("list", "tuple") else None
    if statement is None or not isinstance(value, ast.Call) or ast.unparse(value.func) != "zip":
        return None
    target, given = statement.targets[0], value.args[0] if len(value.args) == 1 else None
    if not isinstance(target, ast.Tuple) or not isinstance(given, ast.Starred):
        return None
    if not isinstance(given.value, ast.Attribute):
        return None
    return _of_tuple(columns, name, target, given.value, reader, single=False)


def _of_given(columns: Columns, name: str, reader: Place) -> MemoryRead | None:
    """A parameter that is a list which another function has filled and returned beside others."""
    caller, handed = _handed(columns, reader)
    if caller is None or name not in handed:
        return None
    made = _returned(handed[name], caller)
    own = columns.only(ListKey(made[1], made[0]), reader.module) if made is not None else None
    if own is None:
        return None
    together = {one.key: one for one in columns.together(own) if one is not own}
    beside = {}
    for parameter, text in handed.items():
        other = _returned(text, caller)
        if other is not None and ListKey(other[1], other[0]) in together:
            beside[parameter] = together[ListKey(other[1], other[0])]
    return MemoryRead(own, beside, reader)


def _handed(columns: Columns, reader: Place) -> tuple[Place | None, dict[str, str]]:
    """The one call of the reader's function, and the name that each parameter gets there."""
    if isinstance(reader.function, ast.Module):
        return None, {}
    calls = list(columns.calls(reader.function))
    if len(calls) != 1 or calls[0][0].module is not reader.module:
        return None, {}
    caller, given = calls[0]
    return caller, {name: value.id for name, (value, _) in given.items() if isinstance(value, ast.Name)}


def _returned(name: str, place: Place) -> tuple[Function, str] | None:
    """The function and the name of its list that a name was given by `a, b = play()`."""
    statement = _binding(name, place.function)
    if (
        statement is None
        or not isinstance(statement.targets[0], ast.Tuple)
        or not isinstance(statement.value, ast.Call)
    ):
        return None
    called = place.called(statement.value)
    returns = [one for one in own_nodes(called) if isinstance(one, ast.Return)] if called is not None else []
    names = [one.id if isinstance(one, ast.Name) else "" for one in statement.targets[0].elts]
    given = returns[0].value if len(returns) == 1 else None
    if called is None or not isinstance(given, ast.Tuple) or len(given.elts) != len(names):
        return None
    result = given.elts[names.index(name)]
    return (called, result.id) if isinstance(result, ast.Name) else None


def _binding(name: str, function: Function) -> ast.Assign | None:
    """The one assignment that binds a name in a function."""
    stores = [node for node in own_nodes(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    found = [
        one
        for one in own_nodes(function)
        if isinstance(one, ast.Assign) and any(n in ast.walk(one.targets[0]) for n in stores if n.id == name)
    ]
    alone = sum(node.id == name for node in stores) == 1
    return found[0] if len(found) == 1 and alone and len(found[0].targets) == 1 else None
