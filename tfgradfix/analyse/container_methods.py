"""What calling a method of a list, a dict or a TensorArray gives, and what it puts into it."""

from __future__ import annotations

import ast

from tfgradfix.analyse.core import Core
from tfgradfix.analyse.graph import Effect
from tfgradfix.analyse.objects import Container, LibraryInstance
from tfgradfix.analyse.values import MISSING, NONE, NOTHING, UNKNOWN, Kind, Value, join, join_all


class ContainerMethods(Core):
    """Call methods of containers."""

    def on_container(
        self,
        ref: Container,
        receiver: Value,
        name: str,
        arguments: list[Value],
        keywords: dict[str, Value],
        syntax: ast.Call,
    ) -> Value:
        """The value of a method of a list or a dict."""
        if name in ("append", "add", "appendleft") and arguments:
            self._append(ref, arguments[0])
            self.appended[id(syntax)] = join(self.appended.get(id(syntax), NOTHING), arguments[0])
            return NONE
        if name in ("extend", "update", "insert", "setdefault"):
            return self._extend(ref, name, arguments, keywords, syntax)
        everything = join_all(ref.elements())
        if name in ("get", "pop", "popleft"):
            key = arguments[0].const if arguments else MISSING
            found = ref.read(key) if ref.exact and name == "get" else everything
            return join(found, arguments[1]) if len(arguments) > 1 else (found if found != NOTHING else UNKNOWN)
        if name == "values":
            return self.container(syntax, Kind.LIST, None, everything)
        if name == "items":
            pair = self.container(syntax, Kind.TUPLE, {0: UNKNOWN, 1: everything}, role="pair")
            return self.container(syntax, Kind.LIST, None, pair)
        if name == "keys":
            return Value(Kind.UNKNOWN)
        if name == "copy":
            return receiver
        return NONE if name in ("sort", "reverse", "clear", "remove") else Value(Kind.NUMBER, dtype="int", shape=())

    def _append(self, ref: Container, value: Value) -> None:
        """A value that is added under a condition depends on it, like any other result of a branch."""
        ref.exact = False
        ref.put(MISSING, value)

    def _extend(
        self, ref: Container, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST
    ) -> Value:
        ref.exact = False
        if name in ("insert", "setdefault"):
            value = arguments[-1] if arguments else UNKNOWN
            ref.put(MISSING, value)
            return value if name == "setdefault" else NONE
        for argument in arguments:
            values = [item for inner in argument.refs if isinstance(inner, Container) for item in inner.elements()]
            ref.put(MISSING, join_all(values) if values else self.element(argument, syntax))
        for value in keywords.values():
            ref.put(MISSING, value)
        return NONE

    def on_tensor_array(self, ref: LibraryInstance, name: str, arguments: list[Value], syntax: ast.AST) -> Value:
        """TensorArrays are values: what was written is in all that they give."""
        own = Value(Kind.OBJECT, refs=frozenset({ref}))
        if name in ("write", "unstack", "scatter", "split"):
            for value in arguments[-1:]:
                ref.write("elements", value)
            return own
        if name in ("stack", "concat", "read", "gather"):
            stored = ref.attributes.get("elements", NOTHING)
            return self.produce(
                syntax,
                Value(Kind.TENSOR, dtype=stored.dtype),
                [(stored, Effect.KEEP)],
                operation=True,
                symbol="TensorArray." + name,
            )
        return Value(Kind.TENSOR, dtype="int32", shape=()) if name == "size" else own
