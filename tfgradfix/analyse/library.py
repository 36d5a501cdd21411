"""What calling a library's function gives: tables decide; only higher-order functions are code."""

from __future__ import annotations

import ast
from typing import Final

from tfgradfix.analyse.core import Core
from tfgradfix.analyse.drawn_arrays import drawn
from tfgradfix.analyse.events import Asked, GradientEvent
from tfgradfix.analyse.facts import results, rows
from tfgradfix.analyse.facts import tensorflow as facts
from tfgradfix.analyse.graph import Effect, Mode
from tfgradfix.analyse.names import dtype_name
from tfgradfix.analyse.objects import (
    Container,
    Function,
    LibraryInstance,
    Opaque,
    Partial,
    Tape,
    elements_of,
    holds_tensors,
)
from tfgradfix.analyse.shapes import dtype_of, nested, result_shape
from tfgradfix.analyse.values import (
    NOTHING,
    PLAIN,
    TENSORS,
    UNKNOWN,
    Kind,
    Value,
    constant,
    join,
    join_all,
)

TF: Final = "tensorflow."


class Library(Core):
    """Call functions, classes and objects of libraries."""

    def call_library(
        self, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST, role: str = "call"
    ) -> Value:
        """Call a library name by its canonical name."""
        special = getattr(self, "_call_" + name.replace(".", "_").replace("tensorflow_math_", "tensorflow_"), None)
        if special is not None:
            value: Value = special(arguments, keywords, syntax)
            return value
        root = name.partition(".")[0]
        if root == "tensorflow":
            return self._tensorflow(name[len(TF) :], arguments, keywords, syntax)
        if root == "keras":
            return self.call_keras(name, arguments, keywords, syntax)
        if dtype_name(name) is not None and root == "numpy" and arguments:
            return self._scalar(name, arguments[0], syntax)
        row = rows.row(name)
        if row is not None and not self.functions.is_direct(name, syntax):
            self.functions.note_call(name, syntax, arguments)
        if row is not None:
            return self.table_call(row, arguments, keywords, syntax, _code(root))
        if root == "numpy":
            return self._numpy_data(name, arguments, keywords, syntax)
        return self.presumed_call(self.library(name), arguments, keywords, syntax, role)

    def table_call(
        self, row: rows.Row, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST, code: str
    ) -> Value:
        """A call that has a row in the tables of NumPy, ndarray methods, Python, math and SciPy."""
        inputs: list[tuple[Value, Effect]] = []
        passes = row.effect is rows.Effect.PASSES
        carrying = row.differentiable_parameters
        flowing = False
        for position, (keyword, value) in enumerate([*((None, v) for v in arguments), *keywords.items()]):
            parameter = row.parameter_of(position, keyword)
            carries = parameter is not None and parameter.name in carrying
            flowing = flowing or (carries and bool(self.flow(value)))
            inputs.append((value, _row_effect(row, carries)))
        value = self._table_value(row, arguments, keywords)
        if not any(self.flow(v) for v in (*arguments, *keywords.values())):
            return self._data(row, value, syntax, arguments, keywords)
        # A length is no derivative lost: it is the same number however the tensor was made.
        code = "" if passes or row.symbol == "builtins.len" else code
        return self.produce(
            syntax,
            value,
            inputs,
            operation=True,
            symbol=row.symbol,
            code=code,
            operands=(*arguments, *keywords.values()),
        )

    def _data(
        self, row: rows.Row, value: Value, syntax: ast.AST, arguments: list[Value], keywords: dict[str, Value]
    ) -> Value:
        """Data made of data: a node of its own only for arrays, since they may be filled or watched later."""
        if value.is_only(Kind.NUMBER | Kind.BOOL | Kind.SHAPE | Kind.DTYPE | Kind.STRING):
            return value
        return self.produce(syntax, value, [], symbol=row.symbol, operands=(*arguments, *keywords.values()))

    def _table_value(self, row: rows.Row, arguments: list[Value], keywords: dict[str, Value]) -> Value:
        """Kind, dtype and shape of a table row's result."""
        if row.symbol.startswith("numpy.random."):
            return drawn(row.symbol.rpartition(".")[2], arguments, keywords)
        everything = [*arguments, *keywords.values()]
        root = row.symbol.partition(".")[0]
        dtype = _asked_dtype(row, arguments, keywords) or _gives(row, _carrying(row, arguments, keywords) or everything)
        shape = result_shape(row.symbol, arguments, keywords)
        if (
            row.symbol in ("numpy.array", "numpy.asarray")
            and arguments
            and arguments[0].is_only(Kind.LIST | Kind.TUPLE)
        ):
            made, shape = nested(arguments[0])
            dtype = _asked_dtype(row, arguments, keywords) or {"float": "float64", "int": "int64"}.get(made or "", made)
        if row.effect is rows.Effect.SHAPE:
            return Value(Kind.NUMBER if not row.symbol.endswith("shape") else Kind.SHAPE, dtype="int", shape=())
        if row.symbol in ("builtins.float", "builtins.int", "builtins.complex", "builtins.len"):
            return Value(Kind.NUMBER, dtype=row.symbol[9:] if not row.symbol.endswith("len") else "int", shape=())
        if row.symbol == "builtins.bool":
            return Value(Kind.BOOL, dtype="bool", shape=())
        if root in ("builtins", "math"):
            inner = [item for value in everything for item in (elements_of(value) or [value])]
            kinds = join_all(inner).kinds & (TENSORS | Kind.NDARRAY | Kind.UNKNOWN) if root == "builtins" else 0
            return Value((Kind.TENSOR if kinds & TENSORS else kinds) or Kind.NUMBER, dtype=dtype, shape=shape)
        if row.symbol in ("ndarray.item", "ndarray.tolist"):
            return Value(Kind.NUMBER, dtype="float", shape=()) if row.symbol.endswith("item") else Value(Kind.LIST)
        kinds = Kind.NDARRAY
        if row.gives == "bool" and shape == ():
            kinds = Kind.NDARRAY
        return Value(kinds, dtype=dtype, shape=shape)

    def _numpy_data(self, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        """A NumPy name without a row (random generators, stride tricks, testing)."""
        if name.startswith("numpy.random.") and name.rpartition(".")[2] in (
            "default_rng",
            "RandomState",
            "Generator",
            "SeedSequence",
        ):
            return Value(Kind.OBJECT, refs=frozenset({self.made_at(syntax, "made", LibraryInstance(name))}))
        last = name.rpartition(".")[2]
        value = drawn(last, arguments, keywords) if name.startswith("numpy.random.") else Value(Kind.UNKNOWN)
        return self.produce(
            syntax,
            value,
            [(value, Effect.PRESUMED) for value in (*arguments, *keywords.values())],
            symbol=name,
        )

    def _scalar(self, name: str, value: Value, syntax: ast.AST) -> Value:
        """``np.float32(x)``: an array of that dtype."""
        dtype = dtype_name(name)
        effect = (
            Effect.NO_GRADIENT if dtype is not None and dtype.startswith(("int", "uint", "bool")) else Effect.DETACH
        )
        return self.produce(
            syntax,
            Value(Kind.NDARRAY, dtype=dtype, shape=value.shape),
            [(value, effect)],
            operation=True,
            symbol=name,
            code="TGF104",
            operands=(value,),
        )

    # TensorFlow --------------------------------------------------------------------------------------------------

    def _tensorflow(self, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        """An ordinary TensorFlow function."""
        everything = [*arguments, *keywords.values()]
        plain = name.removeprefix("math.") if name.removeprefix("math.") in facts.SELECTORS else name
        selectors = facts.SELECTORS.get(plain, ())
        inputs: list[tuple[Value, Effect]] = []
        for position, value in enumerate(arguments):
            inputs.append((value, Effect.NO_GRADIENT if position in selectors else _tensorflow_effect(name)))
        inputs += [(value, _tensorflow_effect(name)) for value in keywords.values()]
        dtype = dtype_of(keywords.get("dtype")) or _tensorflow_dtype(name, arguments)
        result = Value(Kind.TENSOR, dtype=dtype, shape=result_shape(TF + name, arguments, keywords))
        if name in facts.LISTS or name in facts.TUPLES:
            part = self.produce(
                syntax,
                Value(Kind.TENSOR, dtype=dtype),
                inputs,
                operation=True,
                symbol=TF + name,
                operands=tuple(everything),
            )
            return self.container(syntax, Kind.LIST if name in facts.LISTS else Kind.TUPLE, None, part)
        if not results.tensorflow_gives_tensor(name):
            return self.presumed_call(NOTHING, arguments, keywords, syntax)
        return self.produce(syntax, result, inputs, operation=True, symbol=TF + name, operands=tuple(everything))

    def _call_tensorflow_GradientTape(
        self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST
    ) -> Value:
        if not isinstance(syntax, ast.Call):
            return UNKNOWN
        tape = self.made_at(syntax, "tape", Tape("tape", syntax, self.frame.module))
        tape.persistent = _flag(arguments[0] if arguments else keywords.get("persistent"), False)
        tape.watches_variables = _flag(
            arguments[1] if len(arguments) > 1 else keywords.get("watch_accessed_variables"), True
        )
        return Value(Kind.TAPE, refs=frozenset({tape}))

    def _call_tensorflow_Variable(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        return self.variable(syntax, arguments, keywords)

    def variable(self, syntax: ast.AST, arguments: list[Value], keywords: dict[str, Value]) -> Value:
        """A new variable: a source of its own, and a tensor wrapped anew where its initial value has a gradient."""
        initial = arguments[0] if arguments else keywords.get("initial_value", NOTHING)
        made, shape = nested(initial)
        dtype = dtype_of(keywords.get("dtype")) or {"float": "float32", "int": "int32"}.get(made or "", made)
        return self.produce(
            syntax,
            Value(Kind.VARIABLE, dtype=dtype, shape=shape),
            [(initial, Effect.DETACH)],
            symbol="tensorflow.Variable",
            code="TGF112",
            operands=(initial,),
        )

    def _call_tensorflow_convert_to_tensor(
        self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST
    ) -> Value:
        return self._conversion("tensorflow.convert_to_tensor", arguments, keywords, syntax)

    def _call_tensorflow_constant(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        """An eager tensor stays what it is; a variable, a list of tensors and a symbolic tensor are no data."""
        value = arguments[0] if arguments else keywords.get("value", UNKNOWN)
        if holds_tensors(value) or (self.mode is not Mode.EAGER and value.is_only(TENSORS)):
            return self._conversion("tensorflow.constant", arguments, keywords, syntax, Effect.NUMPY)
        effect = Effect.DETACH if value.is_only(Kind.VARIABLE) else Effect.KEEP
        return self._conversion("tensorflow.constant", arguments, keywords, syntax, effect)

    def _conversion(
        self,
        symbol: str,
        arguments: list[Value],
        keywords: dict[str, Value],
        syntax: ast.AST,
        effect: Effect = Effect.KEEP,
    ) -> Value:
        """A value enters TensorFlow; a tensor stays what it is. Packing a list of tensors is an operation."""
        value = arguments[0] if arguments else keywords.get("value", UNKNOWN)
        made, shape = nested(value)
        dtype = dtype_of(arguments[1] if len(arguments) > 1 else keywords.get("dtype")) or _entered_dtype(value, made)
        operation = value.may_be(Kind.LIST | Kind.TUPLE | TENSORS | Kind.UNKNOWN)
        return self.produce(
            syntax,
            Value(Kind.TENSOR, dtype=dtype, shape=shape),
            [(value, effect)],
            operation=operation,
            symbol=symbol,
            code="" if effect is Effect.KEEP else "TGF112",
            operands=(value,),
        )

    def _call_tensorflow_cast(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        value = arguments[0] if arguments else keywords.get("x", UNKNOWN)
        dtype = dtype_of(arguments[1] if len(arguments) > 1 else keywords.get("dtype"))
        steps = dtype is not None and dtype.startswith(("int", "uint", "bool"))
        from_steps = value.dtype is not None and value.dtype.startswith(("int", "uint", "bool"))
        effect = Effect.NO_GRADIENT if steps or from_steps else Effect.KEEP
        return self.produce(
            syntax,
            Value(Kind.TENSOR, dtype=dtype, shape=value.shape),
            [(value, effect)],
            operation=True,
            symbol="tensorflow.cast",
            operands=(value,),
        )

    def _call_tensorflow_stop_gradient(
        self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST
    ) -> Value:
        value = join_all([*arguments, *keywords.values()])
        return self.produce(
            syntax,
            Value(Kind.TENSOR, dtype=value.dtype, shape=value.shape),
            [(value, Effect.STOPPED)],
            operation=True,
            symbol="tensorflow.stop_gradient",
            operands=(value,),
        )

    def _call_tensorflow_is_tensor(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        return constant(self._decided(arguments[0] if arguments else UNKNOWN, TENSORS))

    _call_keras_ops_is_tensor = _call_tensorflow_is_tensor
    _call_keras_backend_is_tensor = _call_tensorflow_is_tensor

    @staticmethod
    def _decided(value: Value, kinds: int) -> object:
        if value.is_only(kinds):
            return True
        return False if value.kinds and not value.may_be(kinds | Kind.UNKNOWN) else object()

    def _call_tensorflow_numpy_function(
        self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST
    ) -> Value:
        """The function runs on arrays: what goes in is detached, and what comes out."""
        function = arguments[0] if arguments else keywords.get("func", UNKNOWN)
        given = arguments[1] if len(arguments) > 1 else keywords.get("inp", UNKNOWN)
        entered = [
            self.produce(
                syntax,
                Value(Kind.NDARRAY, dtype=value.dtype, shape=value.shape),
                [(value, Effect.DETACH)],
                operation=True,
                role=f"numpy_function:{position}",
            )
            for position, value in enumerate(elements_of(given) or [given])
        ]
        with self.in_mode(Mode.EAGER):
            result = self.call_value(function, entered, {}, syntax, "numpy_function")
        dtype = dtype_of(arguments[2] if len(arguments) > 2 else keywords.get("Tout"))
        return self.produce(
            syntax,
            Value(Kind.TENSOR, dtype=dtype),
            [(result, Effect.DETACH)],
            operation=True,
            symbol="tensorflow.numpy_function",
            code="TGF110",
            operands=(function, given),
        )

    def _call_tensorflow_py_function(
        self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST
    ) -> Value:
        function = arguments[0] if arguments else keywords.get("func", UNKNOWN)
        given = arguments[1] if len(arguments) > 1 else keywords.get("inp", UNKNOWN)
        values = [item for ref in given.refs if isinstance(ref, Container) for item in ref.elements()]
        with self.in_mode(Mode.EAGER):
            result = self.call_value(function, values or [given], {}, syntax, "py_function")
        return self.produce(
            syntax, Value(Kind.TENSOR), [(result, Effect.KEEP)], operation=True, symbol="tensorflow.py_function"
        )

    def _call_tensorflow_function(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        """``tf.function``: what it wraps is traced; used with options it gives itself back."""
        function = arguments[0] if arguments else keywords.get("func")
        if function is None or function.is_only(Kind.NONE):
            options = self.made_at(
                syntax, "options", Partial("tf.function", self.library("tensorflow.function"), [], keywords)
            )
            return Value(Kind.FUNCTION, refs=frozenset({options}))
        converted = keywords.get("autograph")
        for ref in function.refs:
            if isinstance(ref, Function):
                ref.traced = Mode.SYMBOLIC if converted is not None and converted.const is False else Mode.AUTOGRAPH
        return function

    def _call_tensorflow_autograph_experimental_do_not_convert(
        self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST
    ) -> Value:
        for ref in arguments[0].refs if arguments else ():
            if isinstance(ref, Function):
                ref.traced = Mode.SYMBOLIC
        return arguments[0] if arguments else self.library("tensorflow.autograph.experimental.do_not_convert")

    def _call_tensorflow_custom_gradient(
        self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST
    ) -> Value:
        opaque = self.made_at(syntax, "custom_gradient", Opaque("custom_gradient"))
        return Value(Kind.UNKNOWN, refs=frozenset({opaque}))

    # Higher-order functions --------------------------------------------------------------------------------------

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

    # Optimizers --------------------------------------------------------------------------------------------------

    def note_minimize(self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.Call) -> None:
        """``optimizer.minimize(loss, variables)`` with a function as loss: all of it is recorded."""
        loss = arguments[0] if arguments else keywords.get("loss", UNKNOWN)
        variables = arguments[1] if len(arguments) > 1 else keywords.get("var_list", UNKNOWN)
        if not loss.may_be(Kind.FUNCTION):
            return
        outer, self.tapes = self.tapes, ()
        result = self.call_value(loss, [], {}, syntax, "minimized")
        self.tapes = outer
        self.note_event(
            GradientEvent(Asked.MINIMIZE, syntax, self.frame.module, self.frame.context, self.mode, result, variables)
        )

    # Python ------------------------------------------------------------------------------------------------------

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


def _flag(value: Value | None, default: bool) -> bool | None:
    """A boolean argument: its constant, its default when it is not given, None when unknown."""
    if value is None:
        return default
    return value.const if isinstance(value.const, bool) else None


def _code(root: str) -> str:
    return {"numpy": "TGF101", "builtins": "TGF105"}.get(root, "TGF106")


#: Conversions to a plain number: the author's own word, like ``.numpy()``.
_CONVERSIONS: Final = frozenset({"builtins.float", "builtins.complex", "ndarray.item", "ndarray.tolist"})


def _row_effect(row: rows.Row, carries: bool) -> Effect:
    if row.effect is rows.Effect.PASSES:
        return Effect.KEEP if carries else Effect.NO_GRADIENT
    if row.effect is rows.Effect.NO_COUNTERPART:
        return Effect.NUMPY
    if row.effect is rows.Effect.MAPS and carries:
        return Effect.DETACH if row.symbol in _CONVERSIONS else Effect.NUMPY
    return Effect.NO_GRADIENT


def _asked_dtype(row: rows.Row, arguments: list[Value], keywords: dict[str, Value]) -> str | None:
    """The dtype that a ``dtype`` argument asks for, by keyword or position."""
    for position, value in enumerate(arguments):
        parameter = row.parameter_of(position, None)
        if parameter is not None and parameter.name == "dtype":
            return dtype_of(value)
    return dtype_of(keywords.get("dtype"))


def _carrying(row: rows.Row, arguments: list[Value], keywords: dict[str, Value]) -> list[Value]:
    """The arguments whose values go into the result."""
    found = []
    for position, (keyword, value) in enumerate([*((None, v) for v in arguments), *keywords.items()]):
        parameter = row.parameter_of(position, keyword)
        if parameter is not None and parameter.name in row.differentiable_parameters:
            found.append(value)
    return found


def _gives(row: rows.Row, values: list[Value]) -> str | None:
    if row.gives == "bool":
        return "bool"
    if row.gives == "integer":
        return "int64"
    dtypes = {value.dtype for value in values if value.is_only(TENSORS | Kind.NDARRAY)}
    first = next(iter(dtypes)) if len(dtypes) == 1 else None
    if row.gives == "complex":
        return {"float32": "complex64", "float64": "complex128"}.get(first or "", first)
    if row.gives in ("float32", "float64", "complex64", "complex128"):
        return row.gives
    if row.gives == "real" and first in ("complex64", "complex128"):
        return "float32" if first == "complex64" else "float64"
    return first


def _tensorflow_effect(name: str) -> Effect:
    if name in facts.NO_GRADIENT or name in facts.CONSTANT or name.startswith(facts.WITHOUT_GRADIENT):
        return Effect.NO_GRADIENT
    return Effect.KEEP


def _tensorflow_dtype(name: str, arguments: list[Value]) -> str | None:
    if name in facts.NO_GRADIENT:
        return (
            "int64"
            if "arg" in name
            else "bool"
            if name.rpartition(".")[2].startswith(("equal", "not_", "greater", "less", "logical", "reduce_a", "is_"))
            else None
        )
    if name in ("complex", "dtypes.complex"):
        return {"float64": "complex128"}.get(arguments[0].dtype or "", "complex64") if arguments else None
    if name in ("shape", "size", "rank", "range"):
        return "int32"
    if name in ("zeros", "ones", "random.normal", "random.uniform", "eye"):
        return "float32"
    first = 1 if 0 in facts.SELECTORS.get(name, ()) else 0
    dtype = arguments[first].dtype if len(arguments) > first and not arguments[first].refs else None
    if name.rpartition(".")[2] in ("abs", "real", "imag", "angle") and dtype in ("complex64", "complex128"):
        return "float32" if dtype == "complex64" else "float64"
    return {"float": "float32", "int": "int32"}.get(dtype or "", dtype)


def _entered_dtype(value: Value, dtype: str | None) -> str | None:
    """The dtype that TensorFlow gives to numbers, and to lists of them."""
    if value.is_only(Kind.NUMBER | Kind.LIST | Kind.TUPLE):
        return {"float": "float32", "int": "int32", "complex": "complex128"}.get(dtype or "", dtype)
    return dtype
