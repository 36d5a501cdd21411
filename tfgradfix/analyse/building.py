"""Which layers and models have their weights by when: most Keras layers make them at their first call.

``model.trainable_variables`` before that is an empty (or shorter) list, and stays so for whoever has kept it.
"""

from __future__ import annotations

import ast
from typing import Final

from tfgradfix.analyse.modules import Module
from tfgradfix.analyse.objects import Container, Instance, LibraryInstance, Object
from tfgradfix.analyse.values import Kind, Value

#: Library layers that make weights, and make them at their first call.
_LAZY: Final = frozenset(
    f"keras.layers.{name}"
    for name in """
    Dense EinsumDense Embedding Conv1D Conv2D Conv3D Conv1DTranspose Conv2DTranspose Conv3DTranspose SeparableConv1D
    SeparableConv2D DepthwiseConv1D DepthwiseConv2D LSTM GRU SimpleRNN RNN Bidirectional TimeDistributed ConvLSTM2D
    BatchNormalization LayerNormalization GroupNormalization PReLU MultiHeadAttention GroupQueryAttention
    """.split()
)
#: Arguments of a first layer that give the shape of the input.
_INPUT_ARGUMENTS: Final = frozenset({"input_shape", "batch_input_shape", "input_dim", "batch_shape"})
#: Methods that call the model or make its weights.
BUILDING_METHODS: Final = frozenset(
    """
    build build_from_config compute_output_shape evaluate fit load_weights predict predict_on_batch set_weights
    test_on_batch train_on_batch
    """.split()
)
_DEPTH: Final = 6


def makes_weights(ref: Object, depth: int = 3) -> bool:
    """Whether a layer or model has weights, or layers in it that make some."""
    if isinstance(ref, LibraryInstance):
        return ref.label in _LAZY or ref.label.startswith(("keras.Sequential", "keras.Model", "keras.applications."))
    if not isinstance(ref, (Instance, Container)) or depth == 0:
        return False
    own = isinstance(ref, Instance) and any(value.may_be(Kind.VARIABLE) for value in ref.attributes.values())
    return own or any(makes_weights(part, depth - 1) for value in _parts(ref) for part in value.refs)


class Building:
    """What has been built so far in a run through the program, and which lists of weights were taken too early."""

    def __init__(self) -> None:
        self._built: set[Object] = set()
        self._early: dict[int, tuple[ast.AST, Module]] = {}
        self._late: set[int] = set()

    def start_again(self) -> None:
        """The program is run once more: nothing is built yet."""
        self._built.clear()

    def built(self, ref: Object) -> None:
        """A layer or model is called, or handed to code that may call it: it and its parts have their weights."""
        pending, seen = [ref], {ref}
        while pending:
            current = pending.pop()
            if current in self._built or not _may_hold_layers(current):
                continue
            if not isinstance(current, Container):
                self._built.add(current)
            parts = {part for value in _parts(current) for part in value.refs} - seen
            seen |= parts
            pending += parts

    def asked(self, value: Value, syntax: ast.AST, module: Module) -> None:
        """The weights of ``value`` are asked for at a place."""
        if any(self._lacks_weights(ref) for ref in value.refs):
            self._early[id(syntax)] = (syntax, module)
        else:
            self._late.add(id(syntax))

    def early(self) -> dict[int, tuple[ast.AST, Module]]:
        """The places that only ever ask before the weights are there."""
        return {key: place for key, place in self._early.items() if key not in self._late}

    def _lacks_weights(self, ref: Object, depth: int = _DEPTH) -> bool:
        """Whether a layer or model certainly lacks weights that its first call will make."""
        if ref in self._built or depth == 0:
            return False
        if isinstance(ref, LibraryInstance):
            if ref.label in _LAZY:
                return True
            if ref.label != "keras.Sequential" or _has_input(ref):
                return False
        elif isinstance(ref, Instance):
            if not any(base.startswith("keras.") for base in ref.cls.library_bases()):
                return False
            if ref.cls.member("build") is not None:
                return True
        elif not isinstance(ref, Container):
            return False
        return any(self._lacks_weights(part, depth - 1) for value in _parts(ref) for part in value.refs)


def _may_hold_layers(ref: Object) -> bool:
    if isinstance(ref, Instance):
        return any(base.startswith("keras.") for base in ref.cls.library_bases())
    return isinstance(ref, Container) or (isinstance(ref, LibraryInstance) and ref.label.startswith("keras."))


def _parts(ref: Object) -> list[Value]:
    if isinstance(ref, Container):
        return list(ref.elements())
    return list(ref.attributes.values())


def _has_input(model: LibraryInstance) -> bool:
    """Whether a `Sequential` knows its input from the start, as far as can be told (an unknown list is taken so)."""
    given = model.arguments[0] if model.arguments else model.keywords.get("layers")
    listed = [ref for ref in given.refs if isinstance(ref, Container)] if given is not None else []
    if given is not None and (len(listed) != 1 or not listed[0].exact):
        return True
    layers = [item for ref in listed for item in ref.items.values()]
    layers += [value for name, value in model.attributes.items() if name.startswith("layer:")]
    if not layers:
        return True
    first = [ref for ref in layers[0].refs if isinstance(ref, LibraryInstance)]
    if len(first) != 1:
        return True
    return first[0].label.endswith("InputLayer") or bool(_INPUT_ARGUMENTS & set(first[0].keywords))
