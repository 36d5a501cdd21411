"""How classes are called, and their instances: records, layers and models, whatever has ``__call__``."""

from __future__ import annotations

import ast
from typing import Final

from tfgradfix.analyse.core import Core
from tfgradfix.analyse.graph import Effect, Mode
from tfgradfix.analyse.objects import Class, Function, Instance, LibraryInstance, Object
from tfgradfix.analyse.values import TENSORS, Kind, Value

#: Library classes whose instances hold variables.
WEIGHT_HOLDERS: Final = (
    "keras.layers",
    "keras.Model",
    "keras.models",
    "keras.Sequential",
    "keras.applications",
    "keras.Layer",
    "keras.losses",
    "keras.Loss",
    "tensorflow.Module",
    "sonnet.",
    "tensorflow_hub.",
)
KERAS: Final = "keras."


def holds_weights(ref: Object) -> bool:
    """Whether an object is a layer, model or module: something whose variables can be asked for."""
    if isinstance(ref, Instance):
        return any(base.startswith(WEIGHT_HOLDERS) for base in ref.cls.library_bases())
    return isinstance(ref, LibraryInstance) and ref.label.startswith(WEIGHT_HOLDERS)


class InstanceCalls(Core):
    """Call classes and instances."""

    def instantiate(self, cls: Class, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST) -> Value:
        """A new instance; its ``__init__`` runs, a dataclass or NamedTuple takes its fields."""
        instance = self.made_at(syntax, f"instance:{id(cls.node)}", Instance(cls))
        value = Value(Kind.OBJECT, refs=frozenset({instance}))
        member = cls.member("__init__")
        if member is not None:
            self.call_value(self.bind(member, value), arguments, keywords, syntax, "init")
        else:
            value = self.make_record(cls, instance, arguments, keywords, syntax)
        if holds_weights(instance):
            self.weights(instance)
        return value

    def weights(self, ref: Object) -> Value:
        """The variables of a model, as one source."""
        if ref.weights is None:
            syntax, module = ref.origin or (self.frame.module.tree, self.frame.module)
            node = self.graph.node(
                syntax, module, self.root_context(module.tree), Mode.EAGER, frozenset(), f"weights:{id(ref)}"
            )
            node.symbol = "weights"
            node.value = Value(Kind.VARIABLE)
            ref.weights = node.id
        return Value(Kind.LIST, nodes=frozenset({ref.weights}))

    def call_instance(
        self, instance: Instance, receiver: Value, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST
    ) -> Value:
        """Call an instance: ``__call__``, or a Keras model's or layer's ``call``."""
        member = instance.cls.member("__call__")
        if member is not None:
            return self.call_value(self.bind(member, receiver), arguments, keywords, syntax)
        member = instance.cls.member("call")
        keras = any(base.startswith(KERAS) for base in instance.cls.library_bases())
        if member is not None and keras:
            self.build(instance)
            if self.mode is Mode.EAGER and arguments and arguments[0].is_only(TENSORS):
                self.entered.add(instance)
            # Keras runs `call` itself: inside a traced function it is not converted by AutoGraph.
            mode = Mode.EAGER if self.mode is Mode.EAGER else Mode.SYMBOLIC
            self.building.built(instance)
            with self.in_mode(mode):
                tensors = [self._as_tensor(value, syntax, position) for position, value in enumerate(arguments)]
                return self.call_value(self.bind(member, receiver), tensors, self._accepted(member, keywords), syntax)
        return self.presumed_call(receiver, arguments, keywords, syntax)

    def _as_tensor(self, value: Value, syntax: ast.AST, position: int) -> Value:
        """Keras makes tensors of the arrays that a layer or model is called on."""
        if not value.is_only(Kind.NDARRAY):
            return value
        tensor = Value(Kind.TENSOR, dtype="float32" if value.dtype == "float64" else value.dtype, shape=value.shape)
        return self.produce(syntax, tensor, [(value, Effect.KEEP)], role=f"entered:{position}")

    @staticmethod
    def _accepted(member: Value, keywords: dict[str, Value]) -> dict[str, Value]:
        """Keras passes ``training`` and ``mask`` on only where ``call`` takes them."""
        names: set[str] = set()
        for ref in member.refs:
            if isinstance(ref, Function):
                if ref.node.args.kwarg:
                    return keywords
                names |= {argument.arg for argument in (*ref.node.args.args, *ref.node.args.kwonlyargs)}
        return {name: value for name, value in keywords.items() if name in names}
