"""Items and slices of containers, shapes, arrays and tensors."""

from __future__ import annotations

import ast

from tfgradfix.analyse.core import Core
from tfgradfix.analyse.graph import Effect
from tfgradfix.analyse.objects import Container, Instance, Opaque, elements_of
from tfgradfix.analyse.values import (
    CONTAINERS,
    MISSING,
    NOTHING,
    NUMBERS,
    PLAIN,
    TENSORS,
    Kind,
    Shape,
    Value,
    join,
)


class Indexing(Core):
    """Evaluate subscripts."""

    def _slice(self, node: ast.Slice) -> Value:
        parts = [self.evaluate(part) for part in (node.lower, node.upper, node.step) if part is not None]
        return Value(Kind.OBJECT, nodes=frozenset(n for part in parts for n in self.flow(part)))

    def _subscript(self, node: ast.Subscript) -> Value:
        receiver, index = self.evaluate(node.value), self.evaluate(node.slice)
        return self.item(receiver, index, node)

    def item(self, receiver: Value, index: Value, node: ast.Subscript) -> Value:
        """The value of ``receiver[index]``."""
        found = NOTHING
        for ref in receiver.refs:
            if isinstance(ref, Container):
                if index.is_only(TENSORS):
                    self.tensor_keys.add(id(node))
                found = join(found, receiver if isinstance(node.slice, ast.Slice) else ref.read(index.const))
            elif isinstance(ref, Instance) and (member := ref.cls.member("__getitem__")):
                found = join(found, self.call_value(self.bind(member, receiver), [index], {}, node, "getitem"))
        # What has no items raises there: on the ways that go on it was something else.
        kinds = receiver.kinds & ~(CONTAINERS | Kind.OBJECT | Kind.NONE | Kind.NUMBER | Kind.BOOL)
        if not kinds or (found != NOTHING and kinds == Kind.UNKNOWN):
            return found if found != NOTHING else self.presumed_value(node, [receiver])
        if receiver.is_only(Kind.SHAPE) and isinstance(node.slice, ast.Slice):
            return Value(Kind.SHAPE)
        if receiver.is_only(PLAIN):
            return Value(
                Kind.NUMBER if kinds & Kind.SHAPE else kinds,
                dtype="int" if kinds & Kind.SHAPE else None,
                shape=() if kinds & Kind.SHAPE else None,
                const=_pick(receiver, index),
            )
        return join(found, self._indexed(receiver, index, node, kinds))

    def _indexed(self, receiver: Value, index: Value, node: ast.Subscript, kinds: int) -> Value:
        """An element or slice of a tensor or array."""
        if kinds & Kind.UNKNOWN:
            ref = self.made_at(node, "opaque", Opaque("item"))
            return self.produce(
                node,
                Value(Kind.UNKNOWN, refs=frozenset({ref})),
                [(receiver.with_nodes(receiver.nodes), Effect.PRESUMED)],
                symbol="item",
                operands=(receiver, index),
            )
        tensor = bool(kinds & TENSORS)
        fancy = self.is_fancy(index, node.slice, not tensor)
        shape = None if fancy else indexed_shape(receiver.shape, node.slice)
        return self.produce(
            node,
            Value(Kind.TENSOR if tensor else Kind.NDARRAY, dtype=receiver.dtype, shape=shape),
            [(Value(kinds, receiver.nodes), Effect.NUMPY if fancy else Effect.KEEP)],
            operation=True,
            symbol="ndarray.__getitem__",
            code="TGF113" if fancy else "",
            operands=(receiver, index),
        )

    def is_fancy(self, index: Value, syntax: ast.expr, array: bool) -> bool:
        """Whether an index selects by an array, which a tensor does not support.

        Where an ``array`` is indexed, that the index may be one counts: the index of a tensor has proved itself.
        """
        if isinstance(syntax, ast.Tuple):
            return any(
                self.is_fancy(self.evaluate(part), part, array)
                for part in syntax.elts
                if not isinstance(part, ast.Slice)
            )
        if isinstance(syntax, (ast.Slice, ast.Constant)):
            return False
        if index.is_only(Kind.LIST):
            # A list of slices and None is written as a tuple by others.
            return all(item.is_only(NUMBERS | Kind.NDARRAY | TENSORS) for item in elements_of(index))
        if index.is_only(Kind.NDARRAY | Kind.TENSOR) and index.dtype == "bool" and index.rank != 0:
            return True
        return index.is_only(Kind.NDARRAY) and (index.rank != 0 if array else bool(index.rank))


def _pick(receiver: Value, index: Value) -> object:
    if receiver.shape is not None and receiver.kinds == Kind.SHAPE and isinstance(index.const, int):
        return (
            receiver.shape[index.const]
            if -len(receiver.shape) <= index.const < len(receiver.shape) and receiver.shape[index.const] is not None
            else MISSING
        )
    return MISSING


def indexed_shape(shape: Shape | None, index: ast.expr) -> Shape | None:
    """The shape after basic indexing, as far as the index shows it."""
    if shape is None:
        return None
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    result: list[int | None] = []
    axis = 0
    for position, part in enumerate(parts):
        if (isinstance(part, ast.Constant) and part.value is None) or (
            isinstance(part, ast.Attribute) and part.attr == "newaxis"
        ):
            result.append(1)
        elif isinstance(part, ast.Constant) and part.value is Ellipsis:
            rest = sum(not _adds_axis(p) for p in parts[position + 1 :])
            result += shape[axis : len(shape) - rest]
            axis = len(shape) - rest
        elif isinstance(part, ast.Slice):
            result.append(
                shape[axis]
                if axis < len(shape) and part.lower is None and part.upper is None and part.step is None
                else None
            )
            axis += 1
        else:
            axis += 1
    return tuple(result) + shape[axis:] if axis <= len(shape) else None


def _adds_axis(part: ast.expr) -> bool:
    return (isinstance(part, ast.Constant) and part.value is None) or (
        isinstance(part, ast.Attribute) and part.attr == "newaxis"
    )
