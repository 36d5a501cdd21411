"""What Keras' and Python's own names do to the gradient path."""

from __future__ import annotations

from typing import Final

#: Classes whose instances are called on tensors and give a tensor, differentiably.
CALLABLE_CLASSES: Final = (
    "keras.layers.",
    "keras.losses.",
    "keras.regularizers.",
    "keras.Sequential",
    "keras.Model",
    "keras.applications.",
    "keras.activations.",
    "keras.initializers.",
)

#: Backend functions that give NumPy values.
DETACHING: Final = frozenset(
    f"keras.{name}"
    for name in """
    backend.eval backend.get_value backend.batch_get_value backend.convert_to_numpy ops.convert_to_numpy
    """.split()
)

#: `keras.ops` and `keras.backend` functions without a useful derivative.
NO_GRADIENT: Final = frozenset(
    """
    argmax argmin argsort round floor ceil equal not_equal greater greater_equal less less_equal logical_and logical_or
    logical_not any all isnan isinf isfinite one_hot bincount searchsorted count_nonzero sign in_train_phase_flag
    """.split()
)

#: `keras.ops` and `keras.backend` functions that only look at shapes.
CONSTANT: Final = frozenset(
    "shape ndim int_shape zeros ones zeros_like ones_like full arange eye epsilon floatx cast_to_floatx".split()
)
