"""Functions that call functions: loops and maps of TensorFlow, partial functions and decorators of Python's library."""

from __future__ import annotations

import ast

from tfgradfix.analyse.core import Core
from tfgradfix.analyse.graph import Effect, Mode
from tfgradfix.analyse.objects import (
    Container,
    LibraryInstance,
    Partial,
)
from tfgradfix.analyse.values import (
    NOTHING,
    UNKNOWN,
    Kind,
    Value,
    join,
    join_all,
)


class HigherOrder(Core):
    """Call what calls functions."""

    def _mapped(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        function = arguments[0] if arguments else keywords.get("fn", UNKNOWN)
        elements = arguments[1] if len(arguments) > 1 else keywords.get("elems", UNKNOWN)
        mode = Mode.AUTOGRAPH if self.mode is Mode.AUTOGRAPH else self.mode
        with self.in_mode(mode):
            result = self.call_value(function, [self.element(elements, syntax)], {}, syntax, "mapped")
        return self.produce(
            syntax,
            Value(Kind.TENSOR, dtype=result.dtype),
            [(result, Effect.KEEP)],
            operation=True,
            symbol="tensorflow.map_fn",
            role="map",
        )

    _call_tensorflow_map_fn = _mapped
    _call_tensorflow_vectorized_map = _mapped

    def _call_tensorflow_scan(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        function = arguments[0] if arguments else keywords.get("fn", UNKNOWN)
        elements = arguments[1] if len(arguments) > 1 else keywords.get("elems", UNKNOWN)
        state = arguments[2] if len(arguments) > 2 else keywords.get("initializer", self.element(elements, syntax))
        for _ in range(2):
            state = join(
                state, self.call_value(function, [state, self.element(elements, syntax)], {}, syntax, "scanned")
            )
        return self.produce(
            syntax, Value(Kind.TENSOR), [(state, Effect.KEEP)], operation=True, symbol="tensorflow.scan", role="scan"
        )

    _call_tensorflow_foldl = _call_tensorflow_scan

    def _call_tensorflow_while_loop(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        given = dict(zip(("cond", "body", "loop_vars"), arguments, strict=False)) | keywords
        state = given.get("loop_vars", UNKNOWN)
        for _ in range(2):
            values = self._unpack_items(state)
            self.call_value(given.get("cond", UNKNOWN), values, {}, syntax, "condition")
            state = join(state, self.call_value(given.get("body", UNKNOWN), values, {}, syntax, "body"))
        return state

    @staticmethod
    def _unpack_items(state: Value) -> list[Value]:
        containers = [ref for ref in state.refs if isinstance(ref, Container)]
        length = max((len(ref.items) for ref in containers), default=0)
        return [join_all(ref.items.get(position, ref.rest) for ref in containers) for position in range(length)] or [
            state
        ]

    def _call_tensorflow_cond(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        given = dict(zip(("pred", "true_fn", "false_fn"), arguments, strict=False)) | keywords
        with self.controlled(given.get("pred", NOTHING)):
            true = self.call_value(given.get("true_fn", UNKNOWN), [], {}, syntax, "true")
            false = self.call_value(given.get("false_fn", UNKNOWN), [], {}, syntax, "false")
        return join(true, false)

    def _call_tensorflow_nest_map_structure(
        self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST
    ) -> Value:
        parts = [
            self.element(value, syntax) if value.may_be(Kind.LIST | Kind.TUPLE | Kind.DICT) else value
            for value in arguments[1:]
        ]
        result = self.call_value(arguments[0] if arguments else UNKNOWN, parts, {}, syntax, "mapped")
        return self.container(syntax, Kind.LIST, None, result)

    def _call_tensorflow_TensorArray(
        self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST
    ) -> Value:
        return Value(
            Kind.OBJECT, refs=frozenset({self.made_at(syntax, "made", LibraryInstance("tensorflow.TensorArray"))})
        )

    def _call_functools_partial(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        made = self.made_at(
            syntax, "partial", Partial("partial", arguments[0] if arguments else UNKNOWN, arguments[1:], keywords)
        )
        made.arguments, made.keywords = arguments[1:], keywords
        return Value(Kind.FUNCTION, refs=frozenset({made}))

    def _call_functools_reduce(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        if len(arguments) < 2:
            return UNKNOWN
        element = self.element(arguments[1], syntax)
        total = arguments[2] if len(arguments) > 2 else element
        for _ in range(2):  # what one step gives goes into the next
            total = join(total, self.call_value(arguments[0], [total, element], {}, syntax, "reduced"))
        return total

    def _call_functools_wraps(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        return self.library("functools.identity")

    def _call_functools_identity(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        return arguments[0] if arguments else UNKNOWN

    _call_functools_lru_cache = _call_functools_wraps
    _call_functools_cache = _call_functools_identity
    _call_contextlib_contextmanager = _call_functools_identity
    _call_dataclasses_dataclass = _call_functools_identity
