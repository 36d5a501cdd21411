"""What iterating over a value gives."""

from __future__ import annotations

import ast

from tfgradfix.analyse.core import Core
from tfgradfix.analyse.graph import Effect
from tfgradfix.analyse.objects import (
    Container,
    Opaque,
)
from tfgradfix.analyse.values import (
    NOTHING,
    PLAIN,
    TENSORS,
    UNKNOWN,
    Kind,
    Value,
    join,
    join_all,
)


class Iteration(Core):
    """Take values apart."""

    def turn(self, iterable: Value, syntax: ast.AST) -> Value:
        """What a loop over a value gives at one turn; what a layer is given may be a list or a dict of tensors."""
        given = bool(iterable.nodes) and all(self.graph[number].symbol == "input" for number in iterable.nodes)
        if not given:
            return self.element(iterable, syntax)
        opaque = self.made_at(syntax, "turn", Opaque("element"))
        value = Value(Kind.UNKNOWN, refs=frozenset({opaque}))
        return self.produce(syntax, value, [(iterable, Effect.PRESUMED)], role="turn")

    def element(self, iterable: Value, syntax: ast.AST) -> Value:
        """What iterating over a value gives."""
        found = NOTHING
        for ref in iterable.refs:
            if isinstance(ref, Container):
                found = join(found, join_all(ref.elements()) if not iterable.may_be(Kind.DICT) else UNKNOWN)
        kinds = iterable.kinds & (TENSORS | Kind.NDARRAY)
        if kinds and not (found != NOTHING and iterable.kinds & Kind.UNKNOWN):
            shape = iterable.shape[1:] if iterable.shape else None
            found = join(
                found,
                self.produce(
                    syntax,
                    Value(Kind.TENSOR if kinds & TENSORS else Kind.NDARRAY, dtype=iterable.dtype, shape=shape),
                    [(Value(kinds, iterable.nodes), Effect.KEEP)],
                    operation=bool(kinds & TENSORS),
                    symbol="iterate",
                    role="element",
                ),
            )
        if found != NOTHING:
            return found
        if iterable.is_only(PLAIN):
            return (
                Value(Kind.NUMBER, dtype="int", shape=()) if not iterable.is_only(Kind.STRING) else Value(Kind.STRING)
            )
        if iterable.is_only(Kind.LIST | Kind.TUPLE):
            of_model = bool(iterable.nodes) and all(self.graph[node].symbol == "weights" for node in iterable.nodes)
            return Value(Kind.VARIABLE if of_model else Kind.UNKNOWN, iterable.nodes)
        opaque = self.made_at(syntax, "element", Opaque("element"))
        flow = self.flow(iterable)
        value = Value(Kind.UNKNOWN, refs=frozenset({opaque}))
        weights = [
            (self.weights(ref), Effect.PRESUMED)
            for ref in iterable.refs
            if isinstance(ref, Opaque) and ref.weights is not None
        ]
        if weights or flow:
            return self.produce(syntax, value, [(iterable, Effect.PRESUMED), *weights], role="element")
        return value
