"""The shape of what Keras layers and models give, as far as their arguments show it."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.objects import Container, LibraryInstance
from tfgradfix.analyse.shape_arguments import shape_of
from tfgradfix.analyse.values import Shape, Value

#: Layers that keep the shape of their input.
_SAME: Final = frozenset(
    """
    Dropout Activation BatchNormalization LayerNormalization ReLU LeakyReLU ELU PReLU Softmax GaussianNoise
    GaussianDropout AlphaDropout UnitNormalization GroupNormalization Rescaling Normalization
    """.split()
)


def output_shape(ref: LibraryInstance, arguments: list[Value]) -> Shape | None:
    """The shape of ``layer(x)``; None when the rank is not certain."""
    given = arguments[0].shape if arguments and not arguments[0].refs else None
    if ref.label == "keras.Sequential":
        return _sequential(ref, given)
    return _layer(ref, given)


def _layer(ref: LibraryInstance, given: Shape | None) -> Shape | None:
    name = ref.label.rpartition(".")[2]
    if name in _SAME:
        return given
    if name == "Dense" and given:
        units = ref.arguments[0] if ref.arguments else ref.keywords.get("units")
        return (*given[:-1], units.const if units is not None and isinstance(units.const, int) else None)
    if name in ("Flatten", "GlobalAveragePooling1D", "GlobalAveragePooling2D", "GlobalMaxPooling2D"):
        return (None, None)
    return None


def _sequential(ref: LibraryInstance, given: Shape | None) -> Shape | None:
    """The layers in order; what `Input` says of the rank stands where the argument says nothing."""
    shape = given
    layers = [
        item
        for container in (ref.arguments[0].refs if ref.arguments else ())
        if isinstance(container, Container)
        for item in (container.items.values() if container.exact else ())
    ]
    if not layers or any(name.startswith("layer:") for name in ref.attributes):
        return None
    for item in layers:
        if item.shape is not None and not item.refs:
            shape = shape if shape is not None else item.shape
            continue
        made = [layer for layer in item.refs if isinstance(layer, LibraryInstance)]
        shape = _layer(made[0], shape) if len(made) == 1 and len(item.refs) == 1 else None
    return shape


def input_shape(arguments: list[Value], keywords: dict[str, Value]) -> Shape | None:
    """The shape of ``keras.Input(shape)``: a batch axis before it."""
    shape = shape_of(arguments[0] if arguments else keywords.get("shape"))
    return None if shape is None else (None, *shape)
