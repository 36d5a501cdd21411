"""Lists, tuples, dicts and comprehensions: what holds several values."""

from __future__ import annotations

import ast

from tfgradfix.analyse.core import Core
from tfgradfix.analyse.events import Loop
from tfgradfix.analyse.objects import Container
from tfgradfix.analyse.values import (
    MISSING,
    NOTHING,
    Kind,
    Value,
    join,
    join_all,
)


class Displays(Core):
    """Evaluate displays and comprehensions."""

    def _list(self, node: ast.List) -> Value:
        return self._display(node, node.elts, Kind.LIST)

    def _tuple(self, node: ast.Tuple) -> Value:
        return self._display(node, node.elts, Kind.TUPLE)

    def _set(self, node: ast.Set) -> Value:
        return self._display(node, node.elts, Kind.LIST)

    def _display(self, node: ast.expr, elements: list[ast.expr], kind: int) -> Value:
        values = [self.evaluate(element) for element in elements]
        if any(isinstance(element, ast.Starred) for element in elements):
            rest = join_all(
                self.element(value, element) if isinstance(element, ast.Starred) else value
                for element, value in zip(elements, values, strict=True)
            )
            return self.container(node, kind, None, rest)
        return self.container(node, kind, dict(enumerate(values)))

    def _dict(self, node: ast.Dict) -> Value:
        items: dict[object, Value] = {}
        rest = NOTHING
        for key, item in zip(node.keys, node.values, strict=True):
            value = self.evaluate(item)
            const = self.evaluate(key).const if key is not None else MISSING
            if key is None:
                rest = join(
                    rest,
                    join_all(element for ref in value.refs if isinstance(ref, Container) for element in ref.elements()),
                )
            elif const is MISSING:
                rest = join(rest, value)
            else:
                items[const] = join(items.get(const, NOTHING), value)
        return self.container(
            node,
            Kind.DICT,
            items if rest == NOTHING else None,
            join(rest, join_all(items.values()) if rest != NOTHING else NOTHING),
        )

    def _listcomp(self, node: ast.ListComp) -> Value:
        exact = self._comprehended_exactly(node)
        if exact is not None:
            return self.container(node, Kind.LIST, dict(enumerate(exact)))
        return self.container(node, Kind.LIST, None, self._comprehended(node, node.elt))

    def _comprehended_exactly(self, node: ast.ListComp) -> list[Value] | None:
        """Each element by itself, where a short list or tuple of known elements is gone through."""
        clause = node.generators[0]
        if len(node.generators) != 1 or clause.ifs or not isinstance(clause.iter, (ast.Tuple, ast.List)):
            return None
        iterable = self.evaluate(clause.iter)
        containers = [ref for ref in iterable.refs if isinstance(ref, Container)]
        if len(containers) != 1 or not containers[0].exact:
            return None
        names = dict(self.frame.names) if self.frame.names is not None else None
        found: list[Value] = []
        for item in containers[0].items.values():
            self.assign(clause.target, item, clause.target)
            found.append(self.evaluate(node.elt))
        self.frame.names = names
        return found

    def _setcomp(self, node: ast.SetComp) -> Value:
        return self.container(node, Kind.LIST, None, self._comprehended(node, node.elt))

    def _generatorexp(self, node: ast.GeneratorExp) -> Value:
        return self.container(node, Kind.LIST, None, self._comprehended(node, node.elt))

    def _dictcomp(self, node: ast.DictComp) -> Value:
        return self.container(node, Kind.DICT, None, self._comprehended(node, node.value, node.key))

    def _comprehended(
        self,
        node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
        element: ast.expr,
        key: ast.expr | None = None,
    ) -> Value:
        """The joined element of a comprehension; its names do not outlive it."""
        names = dict(self.frame.names) if self.frame.names is not None else None
        for clause in node.generators:
            iterable = self.evaluate(clause.iter)
            self.note_loop(clause, iterable, frozenset())
            self.assign(clause.target, self.turn(iterable, clause.iter), clause.target)
            for test in clause.ifs:
                self.evaluate(test)
        if key is not None:
            self.evaluate(key)
        asked = dict(self.asked)
        value = self.evaluate(element)
        if self.asked != asked:
            value = join(value, self.evaluate(element))  # a second turn asks the same tape again
        self.frame.names = names
        return value

    def note_loop(
        self, syntax: ast.For | ast.AsyncFor | ast.comprehension, iterable: Value, results: frozenset[int]
    ) -> None:
        """Remember a loop over a tensor range, for the findings."""
        if any(self.graph[node].symbol == "tensorflow.range" for node in iterable.nodes):
            loop = self.loops.setdefault(
                (id(syntax), self.frame.context.id),
                Loop(syntax, self.frame.module, self.frame.context, self.mode, iterable),
            )
            loop.results |= results
