"""What a value is computed from, written out as one expression: the names in it are replaced by what they stand for.

The expression is for another place of the program. So only what means the same there may be left in it: attributes of
`self` in a method of the same class, names of the module, and names that the caller of `written_out` knows.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from tfgradfix.analyse.call_places import (
    Argument,
    Function,
    Place,
    binding_lines,
    binds,
    bound_arguments,
    named,
    own_nodes,
    place_of,
    same_value,
)

#: Parts of dotted names that draw numbers or change something when they are called a second time.
UNREPEATABLE: Final = frozenset(
    {"random", "rand", "randn", "choice", "sample", "uniform", "normal", "shuffle", "permutation", "categorical"}
    | {"assign", "assign_add", "assign_sub", "append", "pop", "step", "next", "read", "input", "print", "dropout"}
)
#: Builtins that only convert.
CONVERTING: Final = frozenset({"float", "int", "abs", "len", "min", "max", "sum", "tuple", "list"})
#: Methods and attributes of tensors, arrays and distributions that only compute.
PURE: Final = frozenset(
    {"numpy", "item", "astype", "reshape", "ravel", "flatten", "squeeze", "copy", "mean", "sum", "T", "shape", "dtype"}
    | {"log_prob", "prob", "entropy", "logits", "probs"}
)
#: How many names and calls are followed before giving up.
DEEPEST: Final = 12
_SCOPES: Final = (
    *(ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
    *(ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom),
)


class NotWritableError(Exception):
    """The value cannot be written out; the text says why."""


@dataclass
class Writer(ast.NodeTransformer):
    """Replaces the names of an expression; the text will stand in ``reader``.

    ``kept`` has the names that are known there, each with the name and place of its value. ``used`` gathers those that
    the text needs. ``receiver`` is a name, and the function it is used in, for the object that is `self` there.
    """

    place: Place
    reader: Place
    kept: Mapping[str, tuple[str, Place]]
    used: dict[str, None]
    receiver: tuple[str, Function] | None = None
    depth: int = 0

    def written(self, node: ast.expr, place: Place | None = None) -> ast.expr:
        """``node``, as it is at ``place``, written out."""
        if self.depth > DEEPEST:
            raise NotWritableError("the value comes through too many calls")
        inner = replace(self, place=place or self.place, depth=self.depth + 1)
        return inner.visit_part(copy.deepcopy(node))

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A name: one that is known, what it is bound to, or one of the module."""
        wanted = self._origin(node.id, self.place)
        for text, (name, place) in self.kept.items():
            if same_value(self._origin(name, place), wanted):
                self.used[text] = None
                return ast.Name(text, ast.Load())
        if node.id in self.place.arguments:
            given, caller = self.place.arguments[node.id]
            return self.written(given, caller)
        if node.id == "self" and self.place.owner is not None and self.place.owner is self.reader.owner:
            return node
        if (node.id, self.place.function) == self.receiver:
            return ast.Name("self", ast.Load())
        lines = binding_lines(node.id, self.place.function)
        if node.id in self.place.parameters():
            raise NotWritableError(f"`{node.id}` is not kept beside it")
        if lines and not _is_lasting(node.id, self.place.function):
            return self.written(*self.definition(node.id))
        if self.place.module is not self.reader.module or not self._is_fixed(node.id):
            raise NotWritableError(f"`{node.id}` may be something else by then")
        return node

    def _is_fixed(self, name: str) -> bool:
        """Whether a name of the module is a constant or a module."""
        tree = self.reader.module.tree
        imports = (one for one in tree.body if isinstance(one, (ast.Import, ast.ImportFrom)))
        if name in {(one.asname or one.name).partition(".")[0] for line in imports for one in line.names}:
            return True
        values = [one.value for one in tree.body if isinstance(one, ast.Assign) and binds(one.targets[0], name)]
        return _is_lasting(name, tree) and all(isinstance(value, ast.Constant) for value in values)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """An attribute: of a module, one that `self` keeps for ever, or one that computes."""
        names = _dotted(node)
        if names[:1] == ["self"] or (names and (names[0], self.place.function) == self.receiver):
            if len(names) != 2 or not self._is_steady(names[1]):
                raise NotWritableError(f"`{ast.unparse(node)}` may be something else by then")
        elif not (names and self._is_fixed(names[0])) and node.attr not in PURE:
            raise NotWritableError(f"`{ast.unparse(node)}` cannot be followed")
        self.generic_visit(node)
        return node

    def _is_steady(self, name: str) -> bool:
        """Whether an attribute of `self` is bound once, where the object is made."""
        owner = self.reader.owner
        stores = [
            node
            for node in (ast.walk(owner) if owner is not None else ())
            if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store)
        ]
        held = [node for node in stores if name in _dotted(node if isinstance(node, ast.Attribute) else node.value)]
        places = [place_of(self.reader.module, node) for node in held]
        return len(held) == 1 and getattr(places[0] and places[0].function, "name", "") == "__init__"

    def _origin(self, name: str, place: Place) -> tuple[str, Place]:
        """The name of a value where it is more than handed on: past parameters, and results that have a name."""
        for _ in range(DEEPEST):
            try:
                given, there = place.arguments.get(name) or replace(self, place=place).definition(name)
            except NotWritableError:
                break
            if not isinstance(given, ast.Name):
                break
            name, place = given.id, there
        return name, place

    def definition(self, name: str) -> Argument:
        """What the one assignment to a local name binds it to, and where."""
        bindings = [
            node
            for node in own_nodes(self.place.function)
            if isinstance(node, ast.Assign) and any(binds(target, name) for target in node.targets)
        ]
        if len(bindings) != 1 or len(binding_lines(name, self.place.function)) != 1:
            raise NotWritableError(f"`{name}` is bound more than once")
        if any(_dotted(held)[:1] == [name] for held in _changed_in_place(self.place.function)):
            raise NotWritableError(f"`{name}` is changed in place")
        statement = bindings[0]
        if statement.lineno >= self.place.statement.lineno or len(statement.targets) != 1:
            raise NotWritableError(f"`{name}` is bound later")
        if not self._encloses(statement):
            raise NotWritableError(f"`{name}` is bound only in some cases")
        target, there = statement.targets[0], self.place.at(statement)
        if isinstance(target, ast.Name):
            return statement.value, there
        if not isinstance(target, (ast.Tuple, ast.List)):
            raise NotWritableError(f"`{name}` is bound in parts")
        number = next(i for i, one in enumerate(target.elts) if isinstance(one, ast.Name) and one.id == name)
        if isinstance(statement.value, (ast.Tuple, ast.List)) and len(statement.value.elts) == len(target.elts):
            return statement.value.elts[number], there
        result, called = self._result(statement.value, there)
        if not isinstance(result, ast.Tuple) or len(result.elts) != len(target.elts):
            raise NotWritableError(f"`{name}` is a part of something")
        return result.elts[number], called

    def _encloses(self, statement: ast.stmt) -> bool:
        """Whether a statement has run whenever the place is reached: its block holds the place."""
        block = self.place.module.parent(statement)
        current: ast.AST | None = self.place.statement
        while current is not None:
            if current is block:
                return True
            current = self.place.module.parent(current)
        return False

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """A call: one that may be made again, or the result of a function of the program."""
        if any(isinstance(one, ast.Starred) for one in node.args) or any(one.arg is None for one in node.keywords):
            raise NotWritableError("a call has starred arguments")
        if any(one.arg == "training" and not _is_false(one.value) for one in node.keywords):
            raise NotWritableError("a call in training mode would draw anew")
        names = _dotted(node.func)
        if names and not UNREPEATABLE.isdisjoint(names[1:] or names):
            raise NotWritableError(f"`{ast.unparse(node.func)}` cannot be called again")
        if self._function(node) is not None:
            result, called = self._result(node, self.place)
            return self.written(result, called)
        if isinstance(node.func, ast.Name):
            self._may_call(node.func.id)
        else:
            node.func = self.visit_part(node.func)
        node.args = [self.visit_part(one) for one in node.args]
        for keyword in node.keywords:
            keyword.value = self.visit_part(keyword.value)
        return node

    def visit_part(self, node: ast.expr) -> ast.expr:
        """A part of an expression."""
        visited = self.visit(node)
        if not isinstance(visited, ast.expr):
            raise TypeError(f"{type(visited).__name__} is no expression")
        return visited

    def _may_call(self, name: str) -> None:
        """Fail for a plain function of which nothing is known."""
        function, module = self.place.function, self.reader.module.tree
        local = binding_lines(name, function) and not _is_lasting(name, function)
        if local or name in self.place.parameters() or not (name in CONVERTING or _is_lasting(name, module)):
            raise NotWritableError(f"`{name}` cannot be followed")

    def _function(self, call: ast.Call) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
        """The function of the program that a call means; the receiver is of the reader's class."""
        held = call.func.value if isinstance(call.func, ast.Attribute) else None
        known = isinstance(held, ast.Name) and (held.id, self.place.function) == self.receiver
        if known and isinstance(call.func, ast.Attribute) and self.reader.owner is not None:
            return named(self.reader.owner.body, call.func.attr)
        return self.place.called(call)

    def _result(self, value: ast.expr, place: Place) -> tuple[ast.expr, Place]:
        """What a call of a function of the program returns, and the place of its `return`."""
        function = self._function(value) if isinstance(value, ast.Call) else None
        if function is None or not isinstance(value, ast.Call):
            raise NotWritableError(f"`{ast.unparse(value)}` cannot be followed")
        returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
        if len(returns) != 1 or not returns[0].value or function.decorator_list:
            raise NotWritableError(f"`{ast.unparse(value.func)}` returns at several places")
        arguments = bound_arguments(value, function, place)
        return returns[0].value, Place(place.module, function, returns[0], arguments)

    def visit(self, node: ast.AST) -> ast.AST:
        """One node; functions inside and what binds names have no place in the text."""
        if isinstance(node, _SCOPES):
            raise NotWritableError("it holds a function or binds names")
        visited = super().visit(node)
        if not isinstance(visited, ast.AST):
            raise TypeError(f"{type(visited).__name__} is no node")
        return visited


def _changed_in_place(function: Function) -> Iterator[ast.expr]:
    """What has items or attributes assigned in a function."""
    for node in own_nodes(function):
        if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            yield node.value


def _is_lasting(name: str, function: Function) -> bool:
    """Whether a name of a module is bound once, where the module is run from its first line to the last."""
    if not isinstance(function, ast.Module) or len(binding_lines(name, function)) != 1:
        return False
    return any(isinstance(one, ast.Assign) and any(binds(t, name) for t in one.targets) for one in function.body)


def _dotted(node: ast.expr) -> list[str]:
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return [*([node.id] if isinstance(node, ast.Name) else []), *reversed(names)]


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False
