"""What is known of library functions that may stand in a branch: all are free of side effects.

A name is looked up by its last part, since `tf.square`, `tf.math.square`, `keras.ops.square` and `K.square` agree in
all that is said here: what shape the result has, and for which argument the value or gradient may be NaN or infinite.
What is not listed is not known, and a branch that calls it stays as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


class Shape(Enum):
    """How the shape of the result follows from the arguments."""

    BROADCAST = "that of all arguments together"
    FIRST = "that of the first argument"
    REDUCED = "a scalar, unless an axis is given"
    SCALAR = "a scalar"
    OTHER = "anything else"


@dataclass(frozen=True)
class Risk:
    """The argument for which a function may give NaN or infinity, and a value for which it does not.

    ``weak`` says that the function takes a Python number there as it takes one beside an operator.
    """

    position: int
    harmless: str = "1"
    weak: bool = False


@dataclass(frozen=True)
class Operation:
    """One library function: the package it was found in, the shape of its result, its risk."""

    package: str
    name: str
    shape: Shape
    risk: Risk | None = None

    @property
    def makes_tensors(self) -> bool:
        """Whether the result is a tensor whatever goes in; NumPy and `math` work on data."""
        return self.package not in DATA_PACKAGES


DATA_PACKAGES: Final = frozenset({"numpy", "math", "builtins"})

PACKAGES: Final = DATA_PACKAGES | {
    "tensorflow",
    "tensorflow.math",
    "tensorflow.nn",
    "tensorflow.linalg",
    "tensorflow.experimental.numpy",
    "keras.activations",
    "keras.backend",
    "keras.losses",
    "keras.metrics",
    "keras.ops",
}

_BROADCAST = """
    abs absolute fabs negative square add subtract multiply maximum minimum sign floor ceil round rint clip_by_value
    clip sin cos tan tanh sigmoid relu relu6 elu selu gelu leaky_relu softplus softsign swish silu mish hard_sigmoid
    hard_tanh cast identity copy stop_gradient real imag conj complex squared_difference atan arctan asinh arcsinh
    erf erfc logical_and logical_or logical_not logical_xor equal not_equal greater greater_equal less less_equal
    where ones_like zeros_like log_sigmoid multiply_no_nan divide_no_nan sigmoid_cross_entropy_with_logits
    float int bool float32 float64 pow power
"""
_FIRST = """
    softmax log_softmax l2_normalize cumsum sort reverse flip roll clip_by_norm ensure_shape
    tensor_scatter_nd_update tensor_scatter_nd_add tensor_scatter_nd_sub
"""
_REDUCED = """
    reduce_sum reduce_mean reduce_max reduce_min reduce_prod reduce_any reduce_all reduce_logsumexp reduce_variance
    sum mean max min amax amin prod any all logsumexp variance var count_nonzero
"""
_SCALAR = "size rank l2_loss trace len isinstance hasattr"
_OTHER = """
    reshape transpose expand_dims squeeze concat concatenate stack tile broadcast_to repeat pad one_hot
    matmul matvec tensordot einsum dot gather add_n zeros ones fill constant convert_to_tensor range eye shape
    argmax argmin softmax_cross_entropy_with_logits sparse_softmax_cross_entropy_with_logits
    mse MSE mean_squared_error mae MAE mean_absolute_error huber log_cosh binary_crossentropy categorical_crossentropy
    sparse_categorical_crossentropy hinge squared_hinge categorical_hinge cosine_similarity
"""

#: `exp` and its like overflow: an infinite value that is not chosen still gives a gradient of 0 * inf.
RISKS: Final[Mapping[str, Risk]] = {
    **{name: Risk(0) for name in ("log", "log1p", "log2", "log10", "sqrt", "rsqrt", "reciprocal", "angle")},
    **{name: Risk(0) for name in ("exp", "expm1", "exp2", "sinh", "cosh", "lgamma", "digamma", "erfcinv")},
    **{name: Risk(0) for name in ("norm", "reduce_euclidean_norm")},
    **{name: Risk(0, "0") for name in ("acos", "asin", "atanh", "arccos", "arcsin", "arctanh", "erfinv")},
    **{name: Risk(0, "2") for name in ("acosh", "arccosh")},
    **{name: Risk(1) for name in ("xlogy", "xlog1py", "xdivy", "atan2", "arctan2")},
    **{name: Risk(1, weak=True) for name in ("divide", "truediv", "floordiv", "floormod", "mod")},
}

_SHAPES: Final[Mapping[str, Shape]] = {
    **dict.fromkeys(_BROADCAST.split(), Shape.BROADCAST),
    **dict.fromkeys(RISKS, Shape.BROADCAST),
    **dict.fromkeys(_FIRST.split(), Shape.FIRST),
    **dict.fromkeys(_REDUCED.split(), Shape.REDUCED),
    **dict.fromkeys(("norm", "reduce_euclidean_norm"), Shape.REDUCED),
    **dict.fromkeys(_SCALAR.split(), Shape.SCALAR),
    **dict.fromkeys(_OTHER.split(), Shape.OTHER),
}

#: Functions that answer yes or no.
BOOLEAN: Final = frozenset(
    {"reduce_any", "reduce_all", "any", "all", "logical_and", "logical_or", "logical_not", "logical_xor"}
    | {"equal", "not_equal", "greater", "greater_equal", "less", "less_equal", "array_equal", "allclose"}
    | {"is_nan", "is_finite", "is_inf", "isnan", "isfinite", "isinf", "isinstance", "hasattr", "bool"}
)

#: Questions whether a value is a number at all: the branch is then meant for bad values.
ASKS_FOR_BAD_VALUES: Final = frozenset({"is_nan", "is_finite", "is_inf", "isnan", "isfinite", "isinf"})

#: Questions about extents: whether a branch can be computed at all may hang on them.
ASKS_FOR_EXTENT: Final = frozenset({"size", "rank", "shape", "len"})

#: Keras losses whose value is not finite for some predictions.
UNSAFE_LOSSES: Final = frozenset({"Poisson", "Loss"})

#: Builtins that may stand in a branch.
BUILTINS: Final = frozenset(
    {"abs", "min", "max", "sum", "round", "len", "float", "int", "bool", "isinstance", "hasattr"}
)

#: Methods of arrays and variables without side effects; a reduction among them makes a scalar when it has no axis.
METHODS: Final = frozenset({"mean", "sum", "max", "min", "all", "any", "astype", "copy", "read_value", "value"})


def operation(name: str | None) -> Operation | None:
    """What is known of the function with this full name; None for one that is not known."""
    package, _, last = (name or "").rpartition(".")
    if package not in PACKAGES or last not in _SHAPES or (package == "builtins" and last not in BUILTINS):
        return None
    risk = RISKS.get(last)
    return Operation(package, last, _SHAPES[last], risk)


def loss_object(name: str | None) -> Operation | None:
    """What is known of an instance of the Keras loss class with this full name: it makes one number of a batch."""
    package, _, last = (name or "").rpartition(".")
    if package != "keras.losses" or not last[:1].isupper() or last in UNSAFE_LOSSES:
        return None
    return Operation(package, last, Shape.SCALAR)
