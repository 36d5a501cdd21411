"""How each kind of statement changes the names of a frame; branches are copied and merged, loops run until stable."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from tfgradfix.analyse.array_origins import FILL, made_at, shown_at
from tfgradfix.analyse.core import Core
from tfgradfix.analyse.events import Branch
from tfgradfix.analyse.expressions import Expressions
from tfgradfix.analyse.graph import Effect, Mode
from tfgradfix.analyse.objects import Class, Container, Instance, LibraryName, Object, Opaque, Tape
from tfgradfix.analyse.scopes import Environment, merge
from tfgradfix.analyse.values import (
    CONTAINERS,
    MISSING,
    NOTHING,
    TENSORS,
    UNKNOWN,
    Kind,
    Value,
    constant,
    join,
    join_all,
)

MAX_ROUNDS: Final = 4


class Statements(Expressions, Core):
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

    # Imports ---------------------------------------------------------------------------------------------------

    def _do_import(self, node: ast.Import) -> None:
        for alias in node.names:
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            self.frame.bind(alias.asname or name, self.imported(name, 0))
            if "." in alias.name:
                self.imported(alias.name, 0)

    def _do_importfrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name == "*":
                self._import_all(node)
            else:
                self.frame.bind(alias.asname or alias.name, self._member(node.module or "", node.level, alias.name))
                self.functions.note_import(self.frame.module, alias.asname or alias.name)

    def imported(self, name: str, level: int) -> Value:
        """The module of that name: one of the program, or a library's."""
        module = self.program.resolve(self.frame.module, name, level)
        if module is not None:
            self.run_module(module)
            return Value(Kind.MODULE, refs=frozenset({self.module_object(module)}))
        return self.library(name) if not level else UNKNOWN

    def _member(self, module_name: str, level: int, name: str) -> Value:
        module = self.program.resolve(self.frame.module, module_name, level)
        if module is not None:
            found = (self.run_module(module).names or {}).get(name)
            if found is not None:
                return found
        inner = f"{module_name}.{name}" if module_name else name
        if self.program.resolve(self.frame.module, inner, level) is not None:
            return self.imported(inner, level)
        return UNKNOWN if level or module is not None else self.library(inner)

    def _import_all(self, node: ast.ImportFrom) -> None:
        module = self.program.resolve(self.frame.module, node.module or "", node.level)
        if module is None:
            return
        names = self.run_module(module).names or {}
        listed = names.get("__all__")
        public = (
            {item.const for ref in listed.refs if isinstance(ref, Container) for item in ref.elements()}
            if listed
            else None
        )
        for name, value in list(names.items()):
            if name in public if public is not None else not name.startswith("_"):
                self.frame.bind(name, value)

    # Branches and loops ------------------------------------------------------------------------------------------

    def _do_if(self, node: ast.If) -> None:
        test = self.evaluate(node.test)
        if isinstance(test.const, (bool, type(None))):
            self.execute(node.body if test.const else node.orelse)
            return
        if _is_main(node.test):
            self.execute(node.body)
            return
        before = dict(self.frame.names or {})
        result, self.frame.result = self.frame.result, NOTHING
        asked = dict(self.asked)
        with self.controlled(test):
            self.execute(node.body)
            after_body, self.frame.names = self.frame.names, dict(before)
            asked_in_body, self.asked = self.asked, asked
            self.execute(node.orelse)
        # Only what both branches have asked has certainly been asked.
        self.asked = {tape: min(count, asked_in_body.get(tape, 0)) for tape, count in self.asked.items()}
        returned, self.frame.result = self.frame.result, join(result, self.frame.result)
        after_else = self.frame.names
        self.frame.names = merge(after_body, after_else)
        self._note_branch(node, test, before, after_body, after_else, returned)

    def _note_branch(
        self,
        node: ast.If,
        test: Value,
        before: Environment,
        body: Environment | None,
        orelse: Environment | None,
        returned: Value,
    ) -> None:
        """Remember what an ``if`` assigns, and let the values depend on its test."""
        flow = self.flow(test)
        if not flow:
            return
        branch = self.branches.setdefault(
            (id(node), self.frame.context.id), Branch(node, self.frame.module, self.frame.context, self.mode)
        )
        branch.tests, branch.before = [(node.test, test)], before
        branch.returns = branch.returns or returned != NOTHING
        branch.results |= returned.nodes
        changed = _changed(before, body) | _changed(before, orelse)
        for name in sorted(changed):
            if self.frame.names is None or name not in self.frame.names:
                continue
            value = self.frame.names[name]
            if not value.refs:
                value = self.produce(node, value, [(value, Effect.KEEP), (test, Effect.CONTROL)], role="if:" + name)
                self.frame.names[name] = value
            branch.after[name] = value
            branch.results |= value.nodes
        if (body is None) != (orelse is None):
            self.controls = (*self.controls, flow)  # after an early return, its test decides what the function gives

    def _do_for(self, node: ast.For | ast.AsyncFor) -> None:
        iterable = self.evaluate(node.iter)
        first = len(self.graph.nodes)
        self._loop(node, lambda: self.assign(node.target, self.turn(iterable, node.iter), node.target))
        self.note_loop(node, iterable, frozenset(range(first, len(self.graph.nodes))))
        self._note_graph_loop(node, iterable, first)

    def _note_graph_loop(self, node: ast.For | ast.AsyncFor | ast.While, decides: Value, first: int) -> None:
        """Remember a loop that is traced as one: over a tensor, or while a tensor says so."""
        if self.mode is Mode.AUTOGRAPH and decides.is_only(TENSORS) and decides.nodes:
            _, _, results = self.graph_loops.setdefault(id(node), (node, self.frame.module, set()))
            results |= set(range(first, len(self.graph.nodes)))

    _do_asyncfor = _do_for

    def _do_while(self, node: ast.While) -> None:
        first = len(self.graph.nodes)
        tests: list[Value] = []
        self._loop(node, lambda: tests.append(self.evaluate(node.test)))
        self._note_graph_loop(node, tests[-1], first)

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, head: Callable[[], object]) -> None:
        """Run a loop's body until its names no longer change."""
        entry = dict(self.frame.names or {})
        self.frame.breaks.append([])
        self.frame.continues.append([])
        state: Environment | None = entry
        for turn in range(MAX_ROUNDS):
            self.frame.names = dict(state or {})
            head()
            self.execute(node.body)
            for names in self.frame.continues[-1]:
                self.frame.names = merge(self.frame.names, names)
            self.frame.continues[-1].clear()
            after = merge(state, self.frame.names)
            if after == state and turn:
                break
            state = after
        self.frame.names = dict(state or {})
        self.execute(node.orelse)
        for names in self.frame.breaks.pop():
            self.frame.names = merge(self.frame.names, names)
        self.frame.continues.pop()

    def _do_break(self, node: ast.Break) -> None:
        if self.frame.breaks and self.frame.names is not None:
            self.frame.breaks[-1].append(self.frame.names)
        self.frame.names = None

    def _do_continue(self, node: ast.Continue) -> None:
        if self.frame.continues and self.frame.names is not None:
            self.frame.continues[-1].append(self.frame.names)
        self.frame.names = None

    def _do_with(self, node: ast.With | ast.AsyncWith) -> None:
        opened = self.tapes
        for item in node.items:
            manager = self.evaluate(item.context_expr)
            tapes = [ref for ref in manager.refs if isinstance(ref, Tape)]
            for tape in tapes:
                tape.block, tape.context = node, self.frame.context
                self.tapes = (*self.tapes, tape)
                self.asked.pop(tape, None)
            if item.optional_vars is not None:
                if tapes and isinstance(item.optional_vars, ast.Name):
                    tapes[0].name = item.optional_vars.id
                self.assign(item.optional_vars, manager if tapes else self._entered(manager, item), item.optional_vars)
        self.execute(node.body)
        self.tapes = opened

    _do_asyncwith = _do_with

    def _entered(self, manager: Value, item: ast.withitem) -> Value:
        """What a context manager other than a tape binds."""
        for ref in manager.refs:
            if isinstance(ref, Instance) and (member := ref.cls.member("__enter__")):
                return self.call_value(self.bind(member, manager), [], {}, item, "enter")
        opaque: Object = self.made_at(item, "opaque", Opaque("with"))
        return self.produce(item, Value(Kind.UNKNOWN, refs=frozenset({opaque})), [(manager, Effect.PRESUMED)])

    def _do_try(self, node: ast.Try) -> None:
        before = dict(self.frame.names or {})
        self.execute(node.body)
        if self.frame.names is not None:
            self.execute(node.orelse)
        end = self.frame.names
        for handler in node.handlers:
            self.frame.names = merge(before, end)
            if handler.name and self.frame.names is not None:
                self.frame.names[handler.name] = UNKNOWN
            self.execute(handler.body)
            end = merge(end, self.frame.names)
        self.frame.names = end if end is not None else (before if node.finalbody else None)
        self.execute(node.finalbody)
        if end is None:
            self.frame.names = None

    _do_trystar = _do_try

    def _do_match(self, node: ast.Match) -> None:
        subject = self.evaluate(node.subject)
        before = dict(self.frame.names or {})
        end: Environment | None = dict(before)
        for case in node.cases:
            self.frame.names = dict(before)
            for pattern in ast.walk(case.pattern):
                name = getattr(pattern, "name", None) or getattr(pattern, "rest", None)
                if isinstance(name, str):
                    self.frame.bind(name, self.presumed_value(pattern, [subject]))
            if case.guard is not None:
                self.evaluate(case.guard)
            self.execute(case.body)
            end = merge(end, self.frame.names)
        self.frame.names = end

    # Assignment --------------------------------------------------------------------------------------------------

    def assign(self, target: ast.expr, value: Value, origin: ast.AST) -> None:
        """Bind a target of any form."""
        if isinstance(target, ast.Name):
            self.frame.bind(target.id, value)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, self.container(target, Kind.LIST, None, self.element(value, target)), origin)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value, origin)
        elif isinstance(target, ast.Attribute):
            self.set_attribute(self.evaluate(target.value), target.attr, value, target)
        elif isinstance(target, ast.Subscript):
            self._set_item(target, value)

    def _unpack(self, target: ast.Tuple | ast.List, value: Value, origin: ast.AST) -> None:
        starred = any(isinstance(part, ast.Starred) for part in target.elts)
        containers = [ref for ref in value.refs if isinstance(ref, Container)]
        known = value.is_only(CONTAINERS) and containers and not starred
        for position, part in enumerate(target.elts):
            if known:
                self.assign(part, join_all(ref.read(position) for ref in containers), origin)
            else:
                self.assign(part, self.element(value, part), origin)

    def set_attribute(self, receiver: Value, name: str, value: Value, syntax: ast.AST) -> None:
        """Write an attribute of every object that the receiver may be."""
        for ref in receiver.refs:
            ref.write(name, value)

    def _set_item(self, target: ast.Subscript, value: Value) -> None:
        receiver, index = self.evaluate(target.value), self.evaluate(target.slice)
        for ref in receiver.refs:
            if isinstance(ref, Container):
                if index.const is MISSING or index.const not in ref.items:
                    ref.exact = ref.exact and index.const is not MISSING and receiver.is_only(Kind.DICT)
                    if ref.exact:
                        ref.items[index.const] = value
                        continue
                ref.put(index.const, value)
        if receiver.is_only(Kind.DICT | Kind.LIST) or not receiver.may_be(TENSORS | Kind.NDARRAY | Kind.UNKNOWN):
            return
        self._fill(target, receiver, index, value)

    def _fill(self, target: ast.Subscript, receiver: Value, index: Value, value: Value) -> None:
        """``array[index] = value``: the array now also holds the value."""
        name = target.value
        while isinstance(name, ast.Subscript) and self.evaluate(name.value).is_only(Kind.NDARRAY | TENSORS):
            name = name.value  # `array[i][j] = value` fills `array`
        receiver = receiver if name is target.value else self.evaluate(name)
        certain = receiver.is_only(Kind.NDARRAY | TENSORS)
        effect = Effect.NUMPY if certain else Effect.PRESUMED
        filled = self.produce(
            target,
            Value(receiver.kinds, refs=receiver.refs, dtype=receiver.dtype, shape=receiver.shape),
            [(Value(receiver.kinds, receiver.nodes), Effect.KEEP), (value, effect), (index, Effect.NO_GRADIENT)],
            symbol=FILL if certain else "",
            code=("TGF109" if receiver.is_only(TENSORS) else "TGF108") if certain else "",
            operands=(receiver, index, value),
            role="fill",
        )
        self._show_maker(receiver, filled)
        if isinstance(name, (ast.Name, ast.Attribute)):
            self.assign(name, filled, target)

    def _show_maker(self, array: Value, filled: Value) -> None:
        """What is written shows where another function has made the array, and where the array is a part of another."""
        if not array.is_only(Kind.NDARRAY):
            return
        own = made_at(self.graph, array.nodes)
        for number in shown_at(self.graph, array.nodes):
            if number not in own or self.graph[number].context is not self.frame.context:
                for written in filled.nodes:
                    self.graph.link(written, number, Effect.KEEP)


def _changed(before: Environment, after: Environment | None) -> set[str]:
    return {name for name, value in (after or {}).items() if before.get(name) != value}


def _is_main(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"
