"""What a definition of a function or a class binds."""

from __future__ import annotations

import ast

from tfgradfix.analyse.expressions import Expressions
from tfgradfix.analyse.objects import Class, LibraryName
from tfgradfix.analyse.values import Kind, Value, constant


class Definitions(Expressions):
    """Execute definitions."""

    def _do_functiondef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        value = self.function_value(node, node.name)
        for decorator in reversed(node.decorator_list):
            value = self.decorate(value, decorator)
        self.frame.bind(node.name, value)

    _do_asyncfunctiondef = _do_functiondef

    def decorate(self, function: Value, decorator: ast.expr) -> Value:
        """The function as its decorator leaves it."""
        callee = self.evaluate(decorator)
        names = {ref.label for ref in callee.refs if isinstance(ref, LibraryName)}
        if names & {"builtins.property", "functools.cached_property"}:
            for ref in function.refs:
                ref.attributes["property"] = constant(True)
            return function
        if names & {"builtins.staticmethod", "builtins.classmethod"}:
            for ref in function.refs:
                ref.attributes[next(iter(names)).rpartition(".")[2]] = constant(True)
            return function
        if isinstance(decorator, ast.Attribute) and decorator.attr in ("setter", "deleter"):
            return function
        return self.call_value(callee, [function], {}, decorator, "decorate")

    def _do_classdef(self, node: ast.ClassDef) -> None:
        cls = self.made_at(node, "class", Class(node, self.frame.module))
        cls.bases = [self.evaluate(base) for base in node.bases]
        names, self.frame.names = self.frame.names, dict(self.frame.names or {})
        before = dict(self.frame.names)
        self.execute(node.body)
        inside = self.frame.names or {}
        self.frame.names = names
        for name, value in inside.items():
            if before.get(name) != value:
                cls.attributes[name] = value
                for ref in value.refs:
                    if hasattr(ref, "owner"):
                        ref.owner = cls
        value = Value(Kind.FUNCTION, refs=frozenset({cls}))
        for decorator in reversed(node.decorator_list):
            self.evaluate(decorator)
        self.frame.bind(node.name, value)
