"""What an assignment binds: names, parts, attributes, and elements of containers and arrays."""

from __future__ import annotations

import ast

from tfgradfix.analyse.array_origins import FILL, made_at, shown_at
from tfgradfix.analyse.core import Core
from tfgradfix.analyse.graph import Effect
from tfgradfix.analyse.objects import Container
from tfgradfix.analyse.values import CONTAINERS, MISSING, TENSORS, Kind, Value, join_all


class Assignments(Core):
    """Execute assignments."""

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
