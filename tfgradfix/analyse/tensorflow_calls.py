"""What calling a function of TensorFlow gives: tables decide; only what makes tapes, variables and wrappers is code."""

from __future__ import annotations

import ast
from typing import Final

from tfgradfix.analyse.core import Core
from tfgradfix.analyse.events import Asked, GradientEvent
from tfgradfix.analyse.facts import results
from tfgradfix.analyse.facts import tensorflow as facts
from tfgradfix.analyse.facts import tensorflow_gradients as gradients
from tfgradfix.analyse.graph import Effect, Mode
from tfgradfix.analyse.objects import (
    Container,
    Function,
    Opaque,
    Partial,
    Tape,
    elements_of,
    holds_tensors,
)
from tfgradfix.analyse.shape_arguments import dtype_of, nested
from tfgradfix.analyse.shapes import result_shape
from tfgradfix.analyse.values import (
    NOTHING,
    TENSORS,
    UNKNOWN,
    Kind,
    Value,
    constant,
    join_all,
)

TF: Final = "tensorflow."


class TensorFlowCalls(Core):
    """Call functions and classes of TensorFlow."""

    def call_tensorflow(self, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
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


def _flag(value: Value | None, default: bool) -> bool | None:
    """A boolean argument: its constant, its default when it is not given, None when unknown."""
    if value is None:
        return default
    return value.const if isinstance(value.const, bool) else None


def _tensorflow_effect(name: str) -> Effect:
    return Effect.NO_GRADIENT if gradients.without_gradient(name) else Effect.KEEP


def _tensorflow_dtype(name: str, arguments: list[Value]) -> str | None:
    if name in ("complex", "dtypes.complex"):
        return {"float64": "complex128"}.get(arguments[0].dtype or "", "complex64") if arguments else None
    if name in ("shape", "size", "rank", "range"):
        return "int32"
    if name in ("zeros", "ones", "random.normal", "random.uniform", "eye"):
        return "float32"
    gives = gradients.MEASURED.get(name, "float" if name.startswith("random.") else "")
    if gives and name not in facts.ELEMENTWISE:
        return None if gives == "float" else gives
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
