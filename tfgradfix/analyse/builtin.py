"""What Python's own functions do with values: they build containers, iterate, and ask for types."""

from __future__ import annotations

import ast
from typing import Final

from tfgradfix.analyse.core import Core
from tfgradfix.analyse.graph import Effect
from tfgradfix.analyse.objects import Container, Instance, LibraryName, Super
from tfgradfix.analyse.values import MISSING, NONE, NOTHING, TENSORS, UNKNOWN, Kind, Value, constant, join, join_all


class Builtin(Core):
    """Call Python's builtins that are more than a table row."""

    def _call_builtins_range(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        return self.container(syntax, Kind.LIST, None, Value(Kind.NUMBER, dtype="int", shape=()))

    def _call_builtins_enumerate(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        element = self.element(arguments[0], syntax) if arguments else UNKNOWN
        pair = self.container(
            syntax, Kind.TUPLE, {0: Value(Kind.NUMBER, dtype="int", shape=()), 1: element}, role="pair"
        )
        return self.container(syntax, Kind.LIST, None, pair)

    def _call_builtins_zip(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        call_arguments = syntax.args if isinstance(syntax, ast.Call) else []
        parts = {
            position: self.element(value, call_arguments[position] if position < len(call_arguments) else syntax)
            for position, value in enumerate(arguments)
        }
        if any(isinstance(argument, ast.Starred) for argument in call_arguments):
            rest = join_all(self.element(part, syntax) for part in parts.values())
            return self.container(syntax, Kind.LIST, None, self.container(syntax, Kind.TUPLE, None, rest, role="row"))
        return self.container(syntax, Kind.LIST, None, self.container(syntax, Kind.TUPLE, parts, role="row"))

    def _listed(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        if not arguments:
            return self.container(syntax, Kind.LIST, None)
        if arguments[0].is_only(Kind.LIST | Kind.TUPLE):
            exact = [ref for ref in arguments[0].refs if isinstance(ref, Container)]
            if len(exact) == 1 and exact[0].exact:
                return self.container(syntax, Kind.LIST, dict(exact[0].items))
        return self.container(syntax, Kind.LIST, None, self.element(arguments[0], syntax))

    _call_builtins_list = _listed
    _call_builtins_tuple = _listed
    _call_builtins_set = _listed
    _call_builtins_frozenset = _listed

    def _reordered(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        return self.container(syntax, Kind.LIST, None, self.element(arguments[0], syntax) if arguments else UNKNOWN)

    _call_builtins_sorted = _reordered
    _call_builtins_reversed = _reordered
    _call_builtins_iter = _reordered
    _call_collections_deque = _listed

    def _call_builtins_next(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        return self.element(arguments[0], syntax) if arguments else UNKNOWN

    def _call_builtins_map(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        parts = [self.element(value, syntax) for value in arguments[1:]]
        result = self.call_value(arguments[0] if arguments else UNKNOWN, parts, {}, syntax, "mapped")
        return self.container(syntax, Kind.LIST, None, result)

    def _call_builtins_filter(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        return self.container(
            syntax, Kind.LIST, None, self.element(arguments[1], syntax) if len(arguments) > 1 else UNKNOWN
        )

    def _call_builtins_dict(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        if not arguments:
            return self.container(syntax, Kind.DICT, dict(keywords))
        rest = join_all(keywords.values())
        for value in arguments:
            for ref in value.refs:
                if isinstance(ref, Container):
                    rest = join(rest, join_all(ref.elements() if value.may_be(Kind.DICT) else self._second(ref)))
        return self.container(syntax, Kind.DICT, None, rest if rest != NOTHING else UNKNOWN)

    @staticmethod
    def _second(pairs: Container) -> list[Value]:
        return [inner.read(1) for item in pairs.elements() for inner in item.refs if isinstance(inner, Container)]

    _call_collections_OrderedDict = _call_builtins_dict  # noqa: N815 (the library's own name)

    def _call_collections_defaultdict(
        self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST
    ) -> Value:
        made = self.call_value(arguments[0], [], {}, syntax, "default") if arguments else NOTHING
        return self.container(syntax, Kind.DICT, None, made)

    def _call_builtins_isinstance(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        """Decided where the kind is certain: an array is no tensor."""
        if len(arguments) != 2:
            return Value(Kind.BOOL, dtype="bool", shape=())
        wanted, complete = _kinds_of(arguments[1])
        value = arguments[0]
        if not value.kinds or value.may_be(Kind.UNKNOWN):
            return Value(Kind.BOOL, dtype="bool", shape=())
        if value.is_only(wanted):
            return constant(True)
        open_ = not complete or value.may_be(wanted)
        return Value(Kind.BOOL, dtype="bool", shape=()) if open_ else constant(False)

    def _asked_type(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        return Value(Kind.BOOL, dtype="bool", shape=())

    _call_builtins_hasattr = _asked_type
    _call_builtins_callable = _asked_type
    _call_builtins_issubclass = _asked_type

    def _text(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        return Value(Kind.STRING)

    _call_builtins_str = _text
    _call_builtins_repr = _text
    _call_builtins_format = _text

    def _call_builtins_print(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        shown = [value for value in arguments if self.flow(value)]
        if shown:
            inputs = [(value, Effect.NO_GRADIENT) for value in shown]
            self.produce(syntax, NONE, inputs, symbol="builtins.print", operands=tuple(arguments))
        return NONE

    def _call_builtins_getattr(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        name = arguments[1].const if len(arguments) > 1 else MISSING
        if isinstance(name, str):
            found = self.attribute(arguments[0], name, syntax)
            return join(found, arguments[2]) if len(arguments) > 2 else found
        # Any attribute may be meant: what is known of all of them, joined.
        known = join_all(
            value for ref in arguments[0].refs if isinstance(ref, Instance) for value in ref.attributes.values()
        )
        return known if known != NOTHING else self.presumed_call(NOTHING, arguments, keywords, syntax)

    def _call_builtins_setattr(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        if len(arguments) == 3 and isinstance(arguments[1].const, str):
            for ref in arguments[0].refs:
                ref.write(arguments[1].const, arguments[2])
        return NONE

    def _call_builtins_super(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        """The next class in line: looked up from the class in whose body the method stands."""
        frame = self.frame
        while frame.context.function is not None and frame.context.function.owner is None and frame.outer is not None:
            frame = frame.outer
        function = frame.context.function
        if (
            function is None
            or function.owner is None
            or isinstance(function.node, ast.Lambda)
            or not function.node.args.args
        ):
            return UNKNOWN
        receiver = frame.lookup(function.node.args.args[0].arg) or UNKNOWN
        made = self.made_at(syntax, "super", Super(function.owner, receiver))
        made.receiver = join(made.receiver, receiver)
        return Value(Kind.OBJECT, refs=frozenset({made}))

    def on_super(
        self, ref: Super, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.Call
    ) -> Value:
        """``super().method(...)``: the method of a base class; of a library's base, what every instance has."""
        own = next((r.cls for r in ref.receiver.refs if isinstance(r, Instance)), ref.owner)
        line = list(own.lineage())
        following = line[line.index(ref.owner) + 1 :] if ref.owner in line else []
        for cls in following:
            if name in cls.attributes:
                return self.call_value(self.bind(cls.attributes[name], ref.receiver), arguments, keywords, syntax)
        if name == "__init__":
            return NONE
        return self.inherited(ref, name, arguments, keywords, syntax)

    def inherited(
        self, ref: Super, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.Call
    ) -> Value:
        """A method that only a library's base class has."""
        if name in ("call", "__call__"):
            return self.presumed_call(ref.receiver, arguments, keywords, syntax)
        for instance in ref.receiver.refs:
            if isinstance(instance, Instance):
                return self.on_model(instance, name, arguments, keywords, syntax)
        return self.presumed_call(ref.receiver, arguments, keywords, syntax)


_TYPES = {
    "numpy.ndarray": Kind.NDARRAY,
    "tensorflow.Tensor": TENSORS,
    "builtins.list": Kind.LIST,
    "builtins.tuple": Kind.TUPLE,
    "builtins.dict": Kind.DICT,
    "builtins.str": Kind.STRING,
    "tensorflow.Variable": Kind.VARIABLE,
    "builtins.float": Kind.NUMBER,
    "builtins.int": Kind.NUMBER,
}


#: Their tensors are neither TensorFlow's nor arrays.
_OTHER_FRAMEWORKS: Final = ("torch.", "jax.", "jaxlib.", "mxnet.", "cupy.")


def _kinds_of(types: Value) -> tuple[int, bool]:
    """The kinds that a type argument means for certain, and whether these are all."""
    refs = [ref for ref in types.refs if not isinstance(ref, Container)]
    refs += [
        inner for ref in types.refs if isinstance(ref, Container) for item in ref.elements() for inner in item.refs
    ]
    kinds, complete = Kind.NOTHING, bool(refs)
    for ref in refs:
        if isinstance(ref, LibraryName) and ref.label in _TYPES:
            kinds |= _TYPES[ref.label]
        else:
            complete = complete and isinstance(ref, LibraryName) and ref.label.startswith(_OTHER_FRAMEWORKS)
    return kinds, complete
