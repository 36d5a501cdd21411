"""What Keras does: its functions, layers and models, and the functions of the program that they call."""

from __future__ import annotations

import ast
from typing import Final

from tfgradfix.analyse.core import Core
from tfgradfix.analyse.events import Asked, GradientEvent
from tfgradfix.analyse.facts import keras as facts
from tfgradfix.analyse.facts import results
from tfgradfix.analyse.graph import Effect, Mode
from tfgradfix.analyse.keras_shapes import input_shape, output_shape
from tfgradfix.analyse.model_parts import parts_of
from tfgradfix.analyse.modules import Module
from tfgradfix.analyse.objects import (
    Container,
    Function,
    Instance,
    LibraryInstance,
    Method,
    Object,
    Partial,
    elements_of,
)
from tfgradfix.analyse.shape_arguments import dtype_of, shape_of
from tfgradfix.analyse.values import NOTHING, TENSORS, UNKNOWN, Kind, Value, constant

_PLAIN_VALUES: Final = {
    "number": Value(Kind.NUMBER, shape=()),
    "string": Value(Kind.STRING),
    "bool": Value(Kind.BOOL, dtype="bool", shape=()),
    "shape": Value(Kind.SHAPE),
}


class KerasCalls(Core):
    """Call Keras, and what Keras calls."""

    def call_keras(self, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        """Call a name of Keras."""
        last = name.rpartition(".")[2]
        if last[:1].isupper():
            return self._keras_object(name, arguments, keywords, syntax)
        everything = [*arguments, *keywords.values()]
        if name in facts.DETACHING:
            return self.produce(
                syntax,
                Value(Kind.NDARRAY),
                [(value, Effect.DETACH) for value in everything],
                operation=True,
                symbol=name,
                code="TGF111",
                operands=tuple(everything),
            )
        if name.startswith(("keras.models.", "keras.applications.")):
            made = self.made_at(syntax, "made", LibraryInstance(name))
            return Value(Kind.OBJECT, refs=frozenset({made}))
        if name in ("keras.backend.backend", "keras.config.backend"):
            return constant("tensorflow")
        plain = results.keras_plain_kind(name.removeprefix("keras."))
        if plain is not None:
            return _PLAIN_VALUES[plain]
        if not results.keras_gives_tensor(name.removeprefix("keras.")):
            return self.presumed_call(NOTHING, arguments, keywords, syntax)
        effect = _keras_effect(name)
        return self.produce(
            syntax,
            Value(Kind.TENSOR),
            [(value, effect) for value in everything],
            operation=True,
            symbol=name,
            operands=tuple(everything),
        )

    def _keras_object(self, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        """An instance of a Keras class; layers given to it are its parts."""
        if name == "keras.Input":
            return self.produce(
                syntax, Value(Kind.TENSOR, dtype="float32", shape=input_shape(arguments, keywords)), symbol=name
            )
        if name == "keras.Variable":
            return self.variable(syntax, arguments, keywords)
        made = self.made_at(syntax, "made", LibraryInstance(name))
        made.arguments, made.keywords = tuple(arguments), keywords
        for position, value in enumerate([*arguments, *keywords.values()]):
            made.write(f"argument:{position}", value)
            if name == "keras.Sequential":
                self.entered |= {part for item in elements_of(value) for part in item.refs}
        whole = parts_of(syntax) if name == "keras.Model" else None
        made.part_of = self.evaluate(whole).refs if whole is not None else frozenset()
        for function in layer_functions(made) + regularizers(made):
            self._called_by_keras(function, syntax)
        return Value(Kind.OBJECT, refs=frozenset({made}))

    def call_library_instance(
        self, ref: LibraryInstance, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST
    ) -> Value:
        """Call a layer, model or loss object."""
        self.building.built(ref)
        if not ref.label.startswith(facts.CALLABLE_CLASSES):
            return self.presumed_call(Value(Kind.OBJECT, refs=frozenset({ref})), arguments, keywords, syntax)
        inputs = [(value, Effect.KEEP) for value in (*arguments, *keywords.values())]
        inputs.append((self.weights(ref), Effect.KEEP))
        scalar = ref.label.startswith(("keras.losses.", "keras.regularizers.")) and "reduction" not in ref.keywords
        shape = () if scalar else output_shape(ref, arguments)
        own = layer_functions(ref)
        if own and ref.label in WRAPPERS:
            return self.call_value(own[0], arguments[:1], {}, syntax, "layer")
        part = self.produce(
            syntax,
            Value(Kind.TENSOR, dtype="float32", shape=shape),
            inputs,
            operation=True,
            symbol=ref.label,
            operands=(*arguments, *keywords.values()),
        )
        self.model_calls |= dict.fromkeys(part.nodes, frozenset({ref}))
        for function in own:
            part = self.call_value(function, [part], {}, syntax, "activation")
        if ref.label == "keras.Model":
            outputs = ref.arguments[1] if len(ref.arguments) > 1 else ref.keywords.get("outputs", UNKNOWN)
            if outputs.is_only(Kind.LIST | Kind.TUPLE | Kind.DICT):
                return self.container(syntax, outputs.kinds, None, part, role="outputs")
            if not outputs.is_only(TENSORS) and not ref.part_of:
                return self.presumed_call(
                    Value(Kind.OBJECT, refs=frozenset({ref})), arguments, keywords, syntax, "model"
                )
        return part

    def note_compiled(self, ref: Object, arguments: list[Value], keywords: dict[str, Value], syntax: ast.Call) -> None:
        """``model.compile(loss=...)``: Keras will call the loss with symbolic tensors and ask for its gradient."""
        losses = arguments[1] if len(arguments) > 1 else keywords.get("loss", NOTHING)
        for loss in self._functions_in(losses):
            self.keras_loss(loss, syntax)

    def _functions_in(self, value: Value) -> list[Value]:
        found = [value] if is_followed(value) else []
        for ref in value.refs:
            if isinstance(ref, Container):
                found += [inner for item in ref.elements() for inner in self._functions_in(item)]
        return found

    def keras_loss(self, loss: Value, syntax: ast.AST) -> None:
        """Call a loss as Keras does: ``loss(y_true, y_pred)`` on symbolic tensors."""
        for ref in sorted(loss.refs, key=lambda ref: ref.label):
            anchor = _definition(ref)
            if anchor is None:
                continue
            own = Value(loss.kinds, refs=frozenset({ref}))
            member = ref.cls.member("call") if isinstance(ref, Instance) else None
            first, second = _loss_parameters(ref, member, anchor)
            module = _module_of(ref) or self.frame.module
            symbolic = Value(Kind.TENSOR, dtype="float32")
            truth = self.produce(first, symbolic, symbol="y_true", role="y_true", module=module)
            prediction = self.produce(second, symbolic, symbol="y_pred", role="y_pred", module=module)
            outer = self.tapes
            self.tapes = ()
            with self.in_mode(Mode.SYMBOLIC):
                called = self.bind(member, own) if member is not None else own
                result = self.call_value(called, [truth, prediction], {}, anchor, "keras_loss")
            self.tapes = outer
            self.note_event(
                GradientEvent(Asked.KERAS_LOSS, anchor, module, self.frame.context, Mode.SYMBOLIC, result, prediction)
            )

    def _called_by_keras(self, function: Value, syntax: ast.AST) -> None:
        """A function given to a layer: Keras calls it with one symbolic tensor and trains through what it gives."""
        for ref in sorted(function.refs, key=lambda ref: ref.label):
            anchor = _definition(ref)
            if anchor is None:
                continue
            member = ref.cls.member("__call__") if isinstance(ref, Instance) else None
            module = _module_of(ref) or self.frame.module
            parameter = _first_parameter(ref, member) or anchor
            given = self.produce(
                parameter, Value(Kind.TENSOR, dtype="float32"), symbol="input", role="symbolic", module=module
            )
            outer, self.tapes = self.tapes, ()
            with self.in_mode(Mode.SYMBOLIC):
                called = Value(function.kinds, refs=frozenset({ref}))
                result = self.call_value(called, [given], {}, anchor, "keras_function")
            self.tapes = outer
            self.note_event(
                GradientEvent(Asked.KERAS_CALL, anchor, module, self.frame.context, Mode.SYMBOLIC, result, given)
            )

    def weight(self, syntax: ast.AST, arguments: list[Value], keywords: dict[str, Value]) -> Value:
        """``add_weight(shape, ...)``, in Keras 2 ``add_weight(name, shape, ...)``: float32 unless another is asked."""
        given = [value for value in arguments if not value.is_only(Kind.STRING)]
        shape = keywords.get("shape", given[0] if given else NOTHING)
        dtype = dtype_of(keywords.get("dtype")) or "float32"
        value = Value(Kind.VARIABLE, dtype=dtype, shape=() if shape == NOTHING else shape_of(shape))
        return self.produce(syntax, value, [], symbol="tensorflow.Variable")

    def build(self, instance: Instance) -> None:
        """Keras calls ``build`` before the first ``call``: there most layers make their weights."""
        member = instance.cls.member("build")
        if member is None or instance in self.built:
            return
        self.built.add(instance)
        receiver = Value(Kind.OBJECT, refs=frozenset({instance}))
        with self.in_mode(Mode.EAGER):
            self.call_value(self.bind(member, receiver), [Value(Kind.SHAPE)], {}, instance.cls.node, "build")

    def trained(self, instance: Instance) -> Value:
        """The variables that a layer's own attributes hold and that Keras trains."""
        nodes = {
            number
            for value in instance.attributes.values()
            for number in value.nodes
            if self.graph[number].symbol == "tensorflow.Variable" and not _is_frozen(self.graph[number].syntax)
        }
        return Value(Kind.VARIABLE, frozenset(nodes)) if nodes else NOTHING


#: Layers that do nothing but call a function.
WRAPPERS: Final = frozenset({"keras.layers.Lambda", "keras.layers.Activation"})


def layer_functions(layer: LibraryInstance) -> list[Value]:
    """The functions of the program that a layer's output passes through."""
    if not layer.label.startswith("keras.layers."):
        return []
    given = [layer.keywords.get("activation"), layer.keywords.get("function")]
    if layer.label in WRAPPERS or layer.label == "keras.layers.Dense":
        given += layer.arguments[0 if layer.label in WRAPPERS else 1 :][:1]
    return [value for value in given if value is not None and is_followed(value)]


def regularizers(layer: LibraryInstance) -> list[Value]:
    """The functions of the program that give a penalty for a layer's weights or output."""
    return [value for name, value in layer.keywords.items() if name.endswith("_regularizer") and is_followed(value)]


def is_followed(value: Value) -> bool:
    """Whether a value is a function or callable object of the program."""
    return any(isinstance(ref, (Function, Instance, Method, Partial)) for ref in value.refs)


def _is_frozen(syntax: ast.AST) -> bool:
    """Whether a variable is made with ``trainable=False``."""
    return isinstance(syntax, ast.Call) and any(
        keyword.arg == "trainable" and isinstance(keyword.value, ast.Constant) and keyword.value.value is False
        for keyword in syntax.keywords
    )


def _keras_effect(name: str) -> Effect:
    last = name.rpartition(".")[2]
    if last == "stop_gradient":
        return Effect.STOPPED
    drawn = name.startswith("keras.random.") and last != "dropout"
    return Effect.NO_GRADIENT if drawn or last in facts.NO_GRADIENT | facts.CONSTANT else Effect.KEEP


def _loss_parameters(ref: Object, member: Value | None, anchor: ast.AST) -> tuple[ast.AST, ast.AST]:
    """Where a loss takes the true and the predicted values: its parameters, to name them in messages."""
    functions = [inner for inner in (member.refs if member is not None else [ref]) if isinstance(inner, Function)]
    parameters = functions[0].node.args.args if functions else []
    skipped = 1 if member is not None else 0
    return (parameters[skipped], parameters[skipped + 1]) if len(parameters) > skipped + 1 else (anchor, anchor)


def _first_parameter(ref: Object, member: Value | None) -> ast.arg | None:
    """The parameter that takes the tensor, to name it in messages."""
    function = ref.function if isinstance(ref, Method) else ref
    functions = [inner for inner in (member.refs if member is not None else [function]) if isinstance(inner, Function)]
    parameters = functions[0].node.args.args if functions else []
    bound = member is not None or isinstance(ref, Method)
    return parameters[int(bound)] if len(parameters) > bound else None


def _module_of(ref: Object) -> Module | None:
    """The module in which a loss is defined."""
    if isinstance(ref, Instance):
        return ref.cls.module
    if isinstance(ref, Function):
        return ref.module
    function = getattr(ref, "function", None)
    if isinstance(function, Value):
        return next((inner.module for inner in function.refs if isinstance(inner, Function)), None)
    return function.module if isinstance(function, Function) else None


def _definition(ref: Object) -> ast.AST | None:
    if isinstance(ref, Function):
        return ref.node
    if isinstance(ref, Instance):
        return ref.cls.node
    function = getattr(ref, "function", None)
    if isinstance(function, Function):
        return function.node
    if isinstance(function, Value):
        return next((inner.node for inner in function.refs if isinstance(inner, Function)), None)
    return None
