"""What calling a method gives: tapes, tensors and arrays, containers, models and optimizers."""

from __future__ import annotations

import ast
from typing import Final

from tfgradfix.analyse.building import BUILDING_METHODS
from tfgradfix.analyse.core import Core
from tfgradfix.analyse.drawn_arrays import drawn
from tfgradfix.analyse.events import Asked, GradientEvent
from tfgradfix.analyse.facts import rows
from tfgradfix.analyse.graph import Effect
from tfgradfix.analyse.objects import Container, Function, Instance, LibraryInstance, LibraryName, Object, Super, Tape
from tfgradfix.analyse.values import (
    MISSING,
    NONE,
    NOTHING,
    PLAIN,
    TENSORS,
    UNKNOWN,
    Kind,
    Value,
    join,
    join_all,
)

GRADIENT_METHODS: Final = frozenset({"gradient", "jacobian", "batch_jacobian"})
#: Methods of a model that give arrays: the way into TensorFlow is closed on purpose.
DETACHING: Final = frozenset({"predict", "predict_on_batch", "get_weights"})
#: Methods of tensors and variables that hand the value on.
PASSING: Final = frozenset({"read_value", "value", "to_tensor", "sparse_read", "identity"})
#: A method that arrays have, called on what may be anything.
UNKNOWN_METHOD: Final = "unknown.method"
OPTIMIZERS: Final = ("keras.optimizers.", "tensorflow.optimizers.", "tensorflow_addons.optimizers.")


class Methods(Core):
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
            return self._on_tape(ref, name, arguments, keywords, syntax)
        if isinstance(ref, Super):
            return self.on_super(ref, name, arguments, keywords, syntax)
        if isinstance(ref, Container):
            return self._on_container(ref, receiver, name, arguments, keywords, syntax)
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

    # Tapes -----------------------------------------------------------------------------------------------------

    def _on_tape(
        self, tape: Tape, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.Call
    ) -> Value:
        if name == "watch":
            watched = arguments[0] if arguments else keywords.get("tensor", NOTHING)
            tape.watched |= self.flow(watched)
            tape.watches[syntax] = join(tape.watches.get(syntax, NOTHING), watched)
            tape.watched_all = tape.watched_all or not self.flow(watched)
            return NONE
        if name in GRADIENT_METHODS:
            return self._gradient(tape, arguments, keywords, syntax)
        if name == "reset":
            tape.persistent = None
        if name == "stop_recording":
            tape.watched_all = True
        if name == "watched_variables":
            return UNKNOWN
        return NONE if name != "__enter__" else Value(Kind.TAPE, refs=frozenset({tape}))

    def _gradient(self, tape: Tape, arguments: list[Value], keywords: dict[str, Value], syntax: ast.Call) -> Value:
        """``tape.gradient(target, sources)``: note the event; the result is a tensor for each source."""
        target = arguments[0] if arguments else keywords.get("target", UNKNOWN)
        sources = arguments[1] if len(arguments) > 1 else keywords.get("sources", keywords.get("source", UNKNOWN))
        self.note_event(
            GradientEvent(
                Asked.TAPE,
                syntax,
                self.frame.module,
                self.frame.context,
                self.mode,
                target,
                sources,
                tape,
                again=tape.persistent is False and self.asked.get(tape, 0) > 0,
                target_syntax=argument_syntax(syntax, 0, "target"),
                sources_syntax=argument_syntax(syntax, 1, "sources"),
            )
        )
        self._remember_names(argument_syntax(syntax, 1, "sources"), sources)
        self.asked[tape] = self.asked.get(tape, 0) + 1
        inputs = [(target, Effect.KEEP), (sources, Effect.KEEP)]
        result = self.produce(syntax, Value(Kind.TENSOR), inputs, operation=True, symbol="tape.gradient")
        if sources.is_only(TENSORS):
            return result
        if sources.is_only(Kind.DICT):
            return self.container(syntax, Kind.DICT, None, result, role="gradients")
        if sources.is_only(Kind.LIST | Kind.TUPLE):
            return (
                self.container(syntax, Kind.LIST, self._each(sources, result), role="gradients")
                if self._each(sources, result)
                else self.container(syntax, Kind.LIST, None, result, role="gradients")
            )
        return Value(Kind.UNKNOWN, result.nodes)

    def _remember_names(self, syntax: ast.expr | None, sources: Value) -> None:
        """Which nodes each named source stands for."""
        parts = syntax.elts if isinstance(syntax, (ast.List, ast.Tuple)) else [syntax]
        for part in parts:
            if isinstance(part, (ast.Name, ast.Attribute)):
                value = sources if part is syntax else self.evaluate(part)
                self.named[(id(part), self.frame.context.id)] = self.flow(value)

    @staticmethod
    def _each(sources: Value, result: Value) -> dict[object, Value] | None:
        containers = [ref for ref in sources.refs if isinstance(ref, Container)]
        if len(containers) != 1 or not containers[0].exact:
            return None
        return dict.fromkeys(containers[0].items, result)

    def note_event(self, event: GradientEvent) -> None:
        """Remember a gradient call; seen again in the same context, what it is asked of is joined."""
        key = (id(event.syntax), event.context.id, event.asked.value)
        old = self.events.get(key)
        if old is None:
            self.events[key] = event
            return
        old.target, old.sources = join(old.target, event.target), join(old.sources, event.sources)
        old.again = old.again or event.again

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

    # Containers --------------------------------------------------------------------------------------------------

    def _on_container(
        self,
        ref: Container,
        receiver: Value,
        name: str,
        arguments: list[Value],
        keywords: dict[str, Value],
        syntax: ast.Call,
    ) -> Value:
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
            return self._on_tensor_array(ref, name, arguments, syntax)
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

    def _on_tensor_array(self, ref: LibraryInstance, name: str, arguments: list[Value], syntax: ast.AST) -> Value:
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


def argument_syntax(call: ast.Call, position: int, name: str) -> ast.expr | None:
    """The expression given for a parameter, by position or keyword."""
    if position < len(call.args) and not any(
        isinstance(argument, ast.Starred) for argument in call.args[: position + 1]
    ):
        return call.args[position]
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
