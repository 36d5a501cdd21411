"""Statements that decide what runs: branches are copied and merged, loops run until their names are stable."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Final

from tfgradfix.analyse.core import Core
from tfgradfix.analyse.events import Branch
from tfgradfix.analyse.graph import Effect, Mode
from tfgradfix.analyse.objects import Instance, Object, Opaque, Tape
from tfgradfix.analyse.scopes import Environment, merge
from tfgradfix.analyse.values import NOTHING, TENSORS, UNKNOWN, Kind, Value, join

MAX_ROUNDS: Final = 4


class ControlStatements(Core):
    """Execute branches, loops and blocks."""

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


def _changed(before: Environment, after: Environment | None) -> set[str]:
    return {name for name, value in (after or {}).items() if before.get(name) != value}


def _is_main(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == "__name__"
