"""How each kind of statement changes the names of a frame."""

from __future__ import annotations

import ast

from tfgradfix.analyse.assignments import Assignments
from tfgradfix.analyse.control_statements import ControlStatements
from tfgradfix.analyse.definitions import Definitions
from tfgradfix.analyse.graph import Effect
from tfgradfix.analyse.import_statements import ImportStatements
from tfgradfix.analyse.objects import Container
from tfgradfix.analyse.scopes import merge
from tfgradfix.analyse.values import MISSING, Kind, constant, join


class Statements(Definitions, ImportStatements, ControlStatements, Assignments):
    """Execute statements."""

    def execute(self, statements: list[ast.stmt]) -> None:
        """Run statements in order until one leaves the block."""
        for statement in statements:
            if self.frame.names is None:
                return
            method = getattr(self, "_do_" + type(statement).__name__.lower(), None)
            if method is not None:
                method(statement)

    def _do_expr(self, node: ast.Expr) -> None:
        self.evaluate(node.value)

    def _do_assign(self, node: ast.Assign) -> None:
        value = self.evaluate(node.value)
        for target in node.targets:
            self.assign(target, value, node.value)

    def _do_annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, self.evaluate(node.value), node.value)

    def _do_augassign(self, node: ast.AugAssign) -> None:
        old, value = self.evaluate(node.target), self.evaluate(node.value)
        if isinstance(node.target, ast.Subscript):
            self.assign(node.target, self.arithmetic(node, node.op, old, value), node)
            return
        if old.is_only(Kind.LIST) and isinstance(node.op, ast.Add):
            for ref in old.refs:
                if isinstance(ref, Container):
                    ref.exact = False
                    ref.put(MISSING, self.element(value, node))
            return
        self.assign(node.target, self.arithmetic(node, node.op, old, value), node)

    def _do_delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name) and self.frame.names is not None:
                self.frame.names.pop(target.id, None)

    def _do_return(self, node: ast.Return) -> None:
        value = self.evaluate(node.value) if node.value is not None else constant(None)
        if any(self.controls) and node.value is not None:
            value = self.produce(node, value, [(value, Effect.KEEP)]) if not value.refs else value
        self.frame.result = join(self.frame.result, value)
        self.frame.left = merge(self.frame.left, self.frame.names)
        self.frame.names = None

    def _do_raise(self, node: ast.Raise) -> None:
        self.frame.names = None

    def _do_assert(self, node: ast.Assert) -> None:
        self.evaluate(node.test)

    def _do_global(self, node: ast.Global | ast.Nonlocal) -> None:
        self.frame.outer_names |= set(node.names)

    _do_nonlocal = _do_global
