"""What calling a method gives: tapes, tensors and arrays, containers, models and optimizers."""

from __future__ import annotations

import ast
from typing import Final

from tfgradfix.analyse.building import BUILDING_METHODS
from tfgradfix.analyse.container_methods import ContainerMethods
from tfgradfix.analyse.drawn_arrays import drawn
from tfgradfix.analyse.facts import rows
from tfgradfix.analyse.graph import Effect
from tfgradfix.analyse.objects import Container, Function, Instance, LibraryInstance, LibraryName, Object, Super, Tape
from tfgradfix.analyse.tape_methods import TapeMethods
from tfgradfix.analyse.values import (
    NONE,
    NOTHING,
    PLAIN,
    TENSORS,
    UNKNOWN,
    Kind,
    Value,
    join,
)

#: Methods of a model that give arrays: the way into TensorFlow is closed on purpose.
DETACHING: Final = frozenset({"predict", "predict_on_batch", "get_weights"})
#: Methods of tensors and variables that hand the value on.
PASSING: Final = frozenset({"read_value", "value", "to_tensor", "sparse_read", "identity"})
#: A method that arrays have, called on what may be anything.
UNKNOWN_METHOD: Final = "unknown.method"
OPTIMIZERS: Final = ("keras.optimizers.", "tensorflow.optimizers.", "tensorflow_addons.optimizers.")


class Methods(TapeMethods, ContainerMethods):
    """Call methods."""

    def call_method(
        self, receiver: Value, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.Call
    ) -> Value:
        """The value of ``receiver.name(...)``."""
        found = NOTHING
        for ref in sorted(receiver.refs, key=lambda ref: ref.label):
            found = join(found, self._on_object(ref, receiver, name, arguments, keywords, syntax))
        if receiver.may_be(TENSORS | Kind.NDARRAY) and not (receiver.kinds & Kind.UNKNOWN and found != NOTHING):
            found = join(found, self._on_array(receiver, name, arguments, keywords, syntax))
        if found != NOTHING:
            return found
        if name == "numpy" and not arguments:
            return self.detach(receiver, syntax)
        if receiver.is_only(PLAIN):
            return (
                Value(Kind.STRING)
                if receiver.is_only(Kind.STRING) and name in ("format", "join", "strip")
                else self._plain(receiver, syntax)
            )
        result = self.presumed_call(receiver, arguments, keywords, syntax)
        if rows.row("ndarray." + name) is not None:
            self.node_of(syntax, "call").symbol = UNKNOWN_METHOD  # an array's, if the receiver is one
        return result

    def _plain(self, receiver: Value, syntax: ast.AST) -> Value:
        """A method of a number, string or shape: its result carries what the number carries."""
        if not receiver.nodes:
            return UNKNOWN
        return self.produce(syntax, UNKNOWN, [(receiver, Effect.PRESUMED)])

    def detach(self, receiver: Value, syntax: ast.AST) -> Value:
        """``x.numpy()``: the author leaves TensorFlow."""
        return self.produce(
            syntax,
            Value(Kind.NDARRAY, dtype=receiver.dtype, shape=receiver.shape),
            [(receiver, Effect.DETACH)],
            operation=True,
            symbol="tensor.numpy",
            code="TGF103",
            operands=(receiver,),
        )

    def _on_object(
        self,
        ref: Object,
        receiver: Value,
        name: str,
        arguments: list[Value],
        keywords: dict[str, Value],
        syntax: ast.Call,
    ) -> Value:
        if isinstance(ref, LibraryName):
            return self.call_library(self.library_label(ref, name), arguments, keywords, syntax)
        if isinstance(ref, Tape):
            return self.on_tape(ref, name, arguments, keywords, syntax)
        if isinstance(ref, Super):
            return self.on_super(ref, name, arguments, keywords, syntax)
        if isinstance(ref, Container):
            return self.on_container(ref, receiver, name, arguments, keywords, syntax)
        if isinstance(ref, LibraryInstance):
            return self._on_library_instance(ref, name, arguments, keywords, syntax)
        if isinstance(ref, Instance):
            return self._on_instance(ref, receiver, name, arguments, keywords, syntax)
        member = self.attribute(Value(Kind.OBJECT, refs=frozenset({ref})), name, syntax.func)
        callables = [
            found
            for found in member.refs
            if isinstance(found, (Function, Instance))
            or type(found).__name__ in ("Method", "Class", "Partial", "LibraryName", "LibraryInstance")
        ]
        if callables:
            return self.call_value(member, arguments, keywords, syntax)
        return NOTHING

    def library_label(self, ref: LibraryName, name: str) -> str:
        """The canonical name of an attribute of a library name."""
        return next(iter(self.library(f"{ref.label}.{name}").refs)).label

    # Tensors and arrays ------------------------------------------------------------------------------------------

    def _on_array(
        self, receiver: Value, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.Call
    ) -> Value:
        kinds = receiver.kinds & (TENSORS | Kind.NDARRAY)
        own = Value(kinds, receiver.nodes, dtype=receiver.dtype, shape=receiver.shape)
        if kinds & TENSORS and name == "numpy":
            return self.detach(own, syntax)
        if kinds & TENSORS and (name in PASSING or name.startswith("assign")):
            if name.startswith("assign"):
                self.assigned |= own.nodes
                self._pass_through_state(own, arguments, keywords, syntax)
                return own
            return Value(Kind.TENSOR, receiver.nodes, dtype=receiver.dtype, shape=receiver.shape)
        if name in ("get_shape", "set_shape"):
            return Value(Kind.SHAPE, shape=receiver.shape)
        row = rows.row("ndarray." + name)
        if name.startswith("__") and name.endswith("__"):
            inputs = [(value, Effect.KEEP) for value in (own, *arguments)]
            return self.produce(
                syntax, own, inputs, operation=True, symbol="operator." + name, operands=(own, *arguments)
            )
        if row is None or row.attribute:
            return self.presumed_call(own, arguments, keywords, syntax)
        return self.table_call(row, [own, *arguments], keywords, syntax, "TGF102")

    def _pass_through_state(
        self, variable: Value, arguments: list[Value], keywords: dict[str, Value], syntax: ast.Call
    ) -> None:
        """``variable.assign(value)`` while a tape records: what the variable holds then has no history."""
        if not self.tapes or not variable.is_only(Kind.VARIABLE):
            return
        given = [(value, Effect.STOPPED) for value in (*arguments, *keywords.values())]
        state = self.produce(syntax, Value(Kind.TENSOR), given, operation=True, symbol="variable.assign", role="state")
        for number in variable.nodes:
            for made in state.nodes:
                self.graph.link(made, number, Effect.KEEP)

    # Models, optimizers and other instances ------------------------------------------------------------------------

    def _on_instance(
        self,
        ref: Instance,
        receiver: Value,
        name: str,
        arguments: list[Value],
        keywords: dict[str, Value],
        syntax: ast.Call,
    ) -> Value:
        own = Value(Kind.OBJECT, refs=frozenset({ref}))
        if name in ref.attributes or ref.cls.member(name) is not None:
            member = self.attribute(own, name, syntax.func)
            return self.call_value(member, arguments, keywords, syntax)
        if name in ("__call__", "call"):
            return self.call_instance(ref, own, arguments, keywords, syntax)
        if name == "add_weight" or name == "add_variable":
            return self.weight(syntax, arguments, keywords)
        return self.on_model(ref, name, arguments, keywords, syntax)

    def on_model(
        self, ref: Object, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.Call
    ) -> Value:
        """A method that Keras gives to every model or layer."""
        if name in BUILDING_METHODS:
            self.building.built(ref)
        if name == "compile":
            self.note_compiled(ref, arguments, keywords, syntax)
            return NONE
        if name in DETACHING:
            given = arguments if name != "get_weights" else []
            inputs = [(value, Effect.DETACH) for value in (*given, self.weights(ref))]
            value = Value(Kind.NDARRAY, dtype="float32") if name != "get_weights" else Value(Kind.LIST)
            return self.produce(
                syntax, value, inputs, operation=True, symbol="model." + name, code="TGF111", operands=tuple(arguments)
            )
        if name == "add" and arguments:
            if not arguments[0].refs:
                self.building.built(ref)  # an `Input`, or what may be one
            self.entered |= arguments[0].refs
            for layer in arguments[0].refs:
                ref.write(f"layer:{layer.label}:{id(layer)}", Value(Kind.OBJECT, refs=frozenset({layer})))
            return NONE
        if name in ("get_layer",):
            opaque = self.attribute(Value(Kind.OBJECT, refs=frozenset({ref})), "layers", syntax)
            return Value(Kind.UNKNOWN, refs=opaque.refs)
        if name in (
            "fit",
            "evaluate",
            "summary",
            "build",
            "save",
            "load_weights",
            "set_weights",
            "save_weights",
            "add_loss",
            "add_metric",
        ):
            return UNKNOWN if name in ("fit", "evaluate") else NONE
        own = Value(Kind.OBJECT, refs=frozenset({ref}))
        return self.presumed_call(own, arguments, keywords, syntax)

    def _on_library_instance(
        self, ref: LibraryInstance, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.Call
    ) -> Value:
        if ref.label.startswith("numpy.random."):
            return self.produce(syntax, drawn(name, arguments, keywords), symbol=f"{ref.label}.{name}")
        if ref.label == "tensorflow.TensorArray":
            return self.on_tensor_array(ref, name, arguments, syntax)
        if ref.label.startswith(OPTIMIZERS):
            if name == "minimize":
                self.note_minimize(arguments, keywords, syntax)
            return NONE
        if name in ("__call__", "call"):
            return self.call_library_instance(ref, arguments, keywords, syntax)
        if ref.label.startswith("keras.metrics"):
            return (
                self.produce(syntax, Value(Kind.TENSOR), [(value, Effect.NO_GRADIENT) for value in arguments])
                if name == "result"
                else NONE
            )
        if name in ref.attributes and (ref.attributes[name].refs):
            return self.call_value(ref.attributes[name], arguments, keywords, syntax)
        return self.on_model(ref, name, arguments, keywords, syntax)
