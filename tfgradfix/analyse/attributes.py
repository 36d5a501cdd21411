"""What reading an attribute gives: members of classes and instances, model weights, array and tensor attributes."""

from __future__ import annotations

import ast
from typing import Final

from tfgradfix.analyse.core import Core
from tfgradfix.analyse.facts import rows
from tfgradfix.analyse.graph import Effect
from tfgradfix.analyse.objects import (
    Class,
    Function,
    Instance,
    LibraryInstance,
    LibraryName,
    Method,
    ModuleObject,
    Object,
    Opaque,
)
from tfgradfix.analyse.values import MISSING, NOTHING, PLAIN, TENSORS, UNKNOWN, Kind, Shape, Value, join

#: Attributes by which the variables of a model, layer or module are asked for.
TRAINABLE: Final = frozenset(
    {"trainable_variables", "trainable_weights", "variables", "weights", "_trainable_variables"}
)
FROZEN: Final = frozenset({"non_trainable_variables", "non_trainable_weights"})
#: Attributes of a library layer that are one of its variables.
PARAMETERS: Final = frozenset({"kernel", "bias", "gamma", "beta", "embeddings", "recurrent_kernel"})
#: Attributes of tensors and variables that hand the same value on.
SAME: Final = frozenset({"value", "_value", "handle"})


class Attributes(Core):
    """Read attributes."""

    def attribute(self, receiver: Value, name: str, syntax: ast.AST) -> Value:
        """The value of ``receiver.name``."""
        if name in TRAINABLE:
            self.building.asked(receiver, syntax, self.frame.module)
        found = NOTHING
        for ref in sorted(receiver.refs, key=lambda ref: ref.label):
            found = join(found, self._of_object(ref, receiver, name, syntax))
        kinds = receiver.kinds & (TENSORS | Kind.NDARRAY)
        if kinds and not (receiver.kinds & Kind.UNKNOWN and found != NOTHING):
            found = join(found, self._of_array(receiver, name, syntax))
        if found != NOTHING:
            return found
        if receiver.is_only(PLAIN):
            return UNKNOWN
        return self._child(syntax, receiver, name)

    def _child(self, syntax: ast.AST, receiver: Value, name: str) -> Value:
        """An attribute of which nothing is known: a new unknown, fed by what it belongs to."""
        if name in ("shape", "dtype", "name"):
            return Value(Kind.SHAPE if name == "shape" else Kind.DTYPE if name == "dtype" else Kind.STRING)
        opaque = self.made_at(syntax, "attribute:" + name, Opaque(name))
        value = Value(Kind.UNKNOWN, refs=frozenset({opaque}))
        return (
            self.produce(syntax, value, [(receiver, Effect.PRESUMED)], role="attribute")
            if self.flow(receiver)
            else value
        )

    def _of_object(self, ref: Object, receiver: Value, name: str, syntax: ast.AST) -> Value:
        if isinstance(ref, LibraryName):
            return self.library(f"{ref.label}.{name}")
        if isinstance(ref, ModuleObject):
            frame = self.run_module(ref.module)
            found = (frame.names or {}).get(name)
            if found is not None:
                return found
            return UNKNOWN
        if isinstance(ref, Class):
            return self._of_class(ref, name)
        if isinstance(ref, Instance):
            return self._of_instance(ref, receiver, name, syntax)
        if isinstance(ref, LibraryInstance):
            return self._of_library_instance(ref, name)
        if isinstance(ref, Opaque):
            return self._of_opaque(ref, receiver, name)
        if isinstance(ref, (Function, Method)) and name in ref.attributes:
            return ref.attributes[name]
        return NOTHING

    def _of_class(self, ref: Class, name: str) -> Value:
        member = ref.member(name)
        if member is None:
            return UNKNOWN
        if any("classmethod" in function.attributes for function in member.refs):
            return self.bind(member, Value(Kind.FUNCTION, refs=frozenset({ref})))
        return member

    def _of_instance(self, ref: Instance, receiver: Value, name: str, syntax: ast.AST) -> Value:
        if name in ref.attributes:
            found = ref.attributes[name]
            member = ref.cls.member(name)
            return join(found, self.bind(member, receiver)) if member is not None else found
        member = ref.cls.member(name)
        if member is not None:
            return self._class_member(member, ref, syntax)
        if name in TRAINABLE:
            return self.weights(ref)
        if name in FROZEN:
            return Value(Kind.LIST)
        if name == "__class__":
            return Value(Kind.FUNCTION, refs=frozenset({ref.cls}))
        if name == "optimizer" or name.endswith("_optimizer"):
            return self._made(ref, name, "keras.optimizers.Optimizer")
        return self._unknown_member(ref, name)

    def _class_member(self, member: Value, ref: Instance, syntax: ast.AST) -> Value:
        """A class attribute: a method is bound, a property is called, a static method is left as it is."""
        receiver = Value(Kind.OBJECT, refs=frozenset({ref}))
        flags = {flag for function in member.refs for flag in function.attributes}
        if "property" in flags:
            return self.call_value(self.bind(member, receiver), [], {}, syntax, "property")
        if "staticmethod" in flags:
            return member
        if "classmethod" in flags:
            return self.bind(member, Value(Kind.FUNCTION, refs=frozenset({ref.cls})))
        return self.bind(member, receiver)

    def _made(self, ref: Object, name: str, label: str) -> Value:
        made = LibraryInstance(label)
        ref.write(name, Value(Kind.OBJECT, refs=frozenset({made})))
        return ref.attributes[name]

    def _unknown_member(self, ref: Object, name: str) -> Value:
        """An attribute that nothing in the program sets: one unknown, always the same."""
        opaque = Opaque(f"{ref.label}.{name}")
        opaque.origin = ref.origin
        ref.write(name, Value(Kind.UNKNOWN, refs=frozenset({opaque})))
        return ref.attributes[name]

    def _of_library_instance(self, ref: LibraryInstance, name: str) -> Value:
        if name in TRAINABLE:
            return self.weights(ref)
        if name in FROZEN:
            return Value(Kind.LIST)
        if name in PARAMETERS and ref.label.startswith("keras.layers"):
            return Value(Kind.VARIABLE, nodes=self.weights(ref).nodes)
        if name in ref.attributes:
            return ref.attributes[name]
        value = self._unknown_member(ref, name)
        for child in value.refs:
            child.weights = next(iter(self.weights(ref).nodes))
        return value

    def _of_opaque(self, ref: Opaque, receiver: Value, name: str) -> Value:
        """An attribute of an unknown: its weights make it a model, its other attributes are parts of it."""
        if name in TRAINABLE:
            return self.weights(ref)
        if name in FROZEN:
            return Value(Kind.LIST)
        if name in ("shape", "dtype"):
            return NOTHING
        if name in ref.attributes:
            return ref.attributes[name].with_nodes(receiver.nodes)
        value = self._unknown_member(ref, name)
        for child in value.refs:
            whole, part = next(iter(self.weights(ref).nodes)), next(iter(self.weights(child).nodes))
            self.graph.link(whole, part, Effect.CONTAINS)
            self.graph.link(part, whole, Effect.PRESUMED)
        return value.with_nodes(receiver.nodes)

    def _of_array(self, receiver: Value, name: str, syntax: ast.AST) -> Value:
        """An attribute of a tensor, variable or array."""
        if name in ("shape",):
            return Value(Kind.SHAPE, shape=receiver.shape)
        if name == "dtype":
            return Value(Kind.DTYPE, const=receiver.dtype) if receiver.dtype else Value(Kind.DTYPE)
        if name in ("ndim", "size", "nbytes", "itemsize"):
            return self._count(receiver, name, syntax)
        if name in SAME and receiver.may_be(TENSORS):
            return Value(Kind.TENSOR, receiver.nodes, dtype=receiver.dtype, shape=receiver.shape)
        row = rows.row("ndarray." + name)
        if row is None or not row.attribute:
            return NOTHING if receiver.refs else Value(Kind.UNKNOWN, receiver.nodes)
        carries = row.effect is rows.Effect.MAPS
        return self.produce(
            syntax,
            Value(Kind.NDARRAY, dtype=_part_dtype(receiver.dtype, name), shape=_transposed(receiver.shape, name)),
            [(Value(receiver.kinds, receiver.nodes), Effect.NUMPY if carries else Effect.NO_GRADIENT)],
            operation=True,
            symbol=row.symbol,
            code="TGF102",
            operands=(receiver,),
        )

    def _count(self, receiver: Value, name: str, syntax: ast.AST) -> Value:
        """A number that an array tells of itself; a tensor tells ``ndim`` only."""
        if name == "ndim":
            rank: object = receiver.rank if receiver.rank is not None else MISSING
            return Value(Kind.NUMBER, dtype="int", shape=(), const=rank)
        if receiver.may_be(TENSORS) or not receiver.nodes:
            return Value(Kind.NUMBER, dtype="int", shape=())
        return self.produce(
            syntax,
            Value(Kind.NUMBER, dtype="int", shape=()),
            [(receiver, Effect.NO_GRADIENT)],
            symbol="ndarray." + name,
            code="TGF102",
            operands=(receiver,),
        )


def _part_dtype(dtype: str | None, name: str) -> str | None:
    if name in ("real", "imag") and dtype in ("complex64", "complex128"):
        return "float32" if dtype == "complex64" else "float64"
    return dtype


def _transposed(shape: Shape | None, name: str) -> Shape | None:
    if shape is None or name not in ("T", "real", "imag"):
        return None
    return tuple(reversed(shape)) if name == "T" else shape
