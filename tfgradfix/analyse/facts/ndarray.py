"""The methods and attributes of NumPy's arrays, for what has become a tensor."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.facts.numpy_linalg import by_rank
from tfgradfix.analyse.facts.rows import Effect, Form, Row, absent, count, dtype, form, given, rank

_TNP: Final = "tf.experimental.numpy"
_ORDERED: Final = "(self, axis=None, out=None, keepdims=False, initial=None, where=True)"
_AVERAGED: Final = "(self, axis=None, dtype=None, out=None, keepdims=False, where=True)"
_SPREAD: Final = "(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None, correction=0)"

_INDEX: Final = "a position has no derivative; tf.nn.softmax over the values is the usual soft choice"
_CHOICE: Final = "a truth value has no derivative; it can select, not carry gradient"
_ROUNDED: Final = "its derivative is zero almost everywhere; keep the value unrounded, or pass the gradient through"
_IN_PLACE: Final = "a tensor cannot be changed in place; build the new value instead"
_MEMORY: Final = "it is about the memory of an array, which a tensor does not show"
_PYTHON: Final = "a Python object is outside the gradient; keep the tensor"


def _method(name: str, signature: str, *forms: str | Form, **more: object) -> Row:
    made = tuple(entry if isinstance(entry, Form) else form(entry) for entry in forms)
    return Row(f"ndarray.{name}", signature, made, **more)  # type: ignore[arg-type]


def _attribute(name: str, *forms: str | Form, effect: Effect = Effect.MAPS, reason: str = "", gives: str = "") -> Row:
    made = tuple(entry if isinstance(entry, Form) else form(entry) for entry in forms)
    return Row(f"ndarray.{name}", "(self)", made, effect, reason, gives=gives, attribute=True)


def _reduced(function: str) -> tuple[Form, ...]:
    tail = "axis={axis}, keepdims={keepdims})"
    return (
        form(f"{function}(tf.cast({{self}}, {{dtype:dtype}}), {tail}", given("dtype")),
        form(f"{function}({{self}}, {tail}"),
    )


def _decided(function: str) -> tuple[Form, ...]:
    """The forms of `any` and `all`, where TensorFlow takes nothing but truth values."""
    tail = "axis={axis}, keepdims={keepdims})"
    return (
        form(f"{function}(tf.cast({{self}}, tf.bool), {tail}", dtype("self", "float", "integer", "complex")),
        form(f"{function}({{self}}, {tail}"),
    )


def _spread(name: str, function: str, unbiased: str) -> Row:
    variance = f"{_TNP}.var({{self}}, axis={{axis}}, dtype={{self:dtype_of}}, ddof={{ddof}}, keepdims={{keepdims}})"
    forms = (form(unbiased.format(variance), given("ddof")), *_reduced(function))
    return _method(name, _SPREAD, *forms, floats=True, gives="real")


ROWS: Final[tuple[Row, ...]] = (
    # reductions
    _method(
        "sum",
        _AVERAGED,
        form("tf.math.count_nonzero({self}, axis={axis}, keepdims={keepdims})", dtype("self", "bool")),
        *_reduced("tf.reduce_sum"),
    ),
    _method("prod", _AVERAGED, *_reduced("tf.reduce_prod")),
    _method("mean", _AVERAGED, *_reduced("tf.reduce_mean"), floats=True),
    _spread("var", "tf.math.reduce_variance", "{}"),
    _spread("std", "tf.math.reduce_std", "tf.sqrt({})"),
    _method("max", _ORDERED, _reduced("tf.reduce_max")[1]),
    _method("min", _ORDERED, _reduced("tf.reduce_min")[1]),
    _method("any", _ORDERED, *_decided("tf.reduce_any"), effect=Effect.NO_GRADIENT, reason=_CHOICE, gives="bool"),
    _method("all", _ORDERED, *_decided("tf.reduce_all"), effect=Effect.NO_GRADIENT, reason=_CHOICE, gives="bool"),
    # turned
    _method(
        "reshape",
        "(self, *shape, order='C', copy=None)",
        form("tf.reshape({self}, {shape:list})"),
        form(f"{_TNP}.reshape({{self}}, {{shape}}, order={{order}})", count("shape", 1)),
        ignored=("copy",),
    ),
    _method(
        "ravel", "(self, order='C')", "tf.reshape({self}, [-1])", f"{_TNP}.reshape({{self}}, [-1], order={{order}})"
    ),
    _method(
        "flatten", "(self, order='C')", "tf.reshape({self}, [-1])", f"{_TNP}.reshape({{self}}, [-1], order={{order}})"
    ),
    _method(
        "transpose",
        "(self, *axes)",
        form("tf.transpose({self})", absent("axes")),
        form("tf.transpose({self}, perm={axes:perm})"),
    ),
    _method("squeeze", "(self, axis=None)", "tf.squeeze({self}, axis={axis})"),
    _method("swapaxes", "(self, axis1, axis2)", f"{_TNP}.swapaxes({{self}}, {{axis1}}, {{axis2}})"),
    _method("repeat", "(self, repeats, axis=None)", "tf.repeat({self}, {repeats}, axis={axis})"),
    _method(
        "astype",
        "(self, dtype, order='K', casting='unsafe', subok=True, copy=True)",
        "tf.cast({self}, {dtype:dtype})",
        ignored=("order", "casting", "subok", "copy"),
    ),
    _method("copy", "(self, order='C')", "tf.identity({self})", ignored=("order",)),
    _method(
        "clip",
        "(self, min=None, max=None, out=None)",
        "tf.clip_by_value({self}, {min}, {max})",
        "tf.maximum({self}, {min})",
        "tf.minimum({self}, {max})",
        carries=("self", "min", "max"),
    ),
    _method("conj", "(self)", "tf.math.conj({self})"),
    _method("conjugate", "(self)", "tf.math.conj({self})"),
    _method(
        "dot",
        "(self, b, out=None)",
        *by_rank("self", "b", f"{_TNP}.dot({{self}}, {{b}})"),
        carries=("self", "b"),
        strict=True,
    ),
    # running, ordered, indexed
    *(
        _method(
            name,
            "(self, axis=None, dtype=None, out=None)",
            form(f"tf.{function}(tf.cast({{self}}, {{dtype:dtype}}), axis={{axis}})", given("dtype"), given("axis")),
            form(f"tf.{function}({{self}}, axis={{axis}})", given("axis")),
            form(f"tf.{function}({{self}})", rank("self", 1)),
            form(f"tf.{function}(tf.reshape({{self}}, [-1]))"),
        )
        for name, function in (("cumsum", "cumsum"), ("cumprod", "math.cumprod"))
    ),
    *(
        _method(
            name,
            "(self, axis=None, out=None, keepdims=False)",
            form(f"tf.{name}({{self}}, axis={{axis}})", given("axis")),
            form(f"tf.{name}({{self}}, axis=0)", rank("self", 1)),
            form(f"tf.{name}(tf.reshape({{self}}, [-1]))"),
            effect=Effect.NO_GRADIENT,
            reason=_INDEX,
            gives="integer",
        )
        for name in ("argmax", "argmin")
    ),
    _method(
        "argsort",
        "(self, axis=-1, kind=None, order=None, *, stable=None)",
        "tf.argsort({self}, axis={axis|-1})",
        effect=Effect.NO_GRADIENT,
        reason=_INDEX,
        ignored=("kind", "stable"),
        gives="integer",
    ),
    _method(
        "searchsorted",
        "(self, v, side='left', sorter=None)",
        form("tf.searchsorted({self}, {v}, side={side})", rank("v", 1)),
        together=("self", "v"),
        strict=True,
        effect=Effect.NO_GRADIENT,
        reason=_INDEX,
        gives="integer",
    ),
    _method(
        "nonzero", "(self)", f"{_TNP}.nonzero({{self}})", effect=Effect.NO_GRADIENT, reason=_INDEX, gives="integer"
    ),
    _method("round", "(self, decimals=0, out=None)", "tf.round({self})", effect=Effect.NO_GRADIENT, reason=_ROUNDED),
    _method(
        "ptp", "(self, axis=None, out=None, keepdims=False)", f"{_TNP}.ptp({{self}}, {{axis|None}}, {{keepdims|False}})"
    ),
    _method(
        "take",
        "(self, indices, axis=None, out=None, mode='raise')",
        form("tf.gather({self}, {indices:indices}, axis={axis})", given("axis")),
        form("tf.gather({self}, {indices:indices})", rank("self", 1)),
        form("tf.gather(tf.reshape({self}, [-1]), {indices:indices})"),
    ),
    _method(
        "compress",
        "(self, condition, axis=None, out=None)",
        form("tf.boolean_mask({self}, {condition}, axis={axis})", given("axis")),
        form("tf.boolean_mask({self}, {condition})", rank("self", 1)),
        reason="without an axis the mask counts along all values in a row",
    ),
    _method(
        "diagonal",
        "(self, offset=0, axis1=0, axis2=1)",
        form("tf.linalg.diag_part({self}, k={offset})", rank("self", 2)),
        f"{_TNP}.diagonal({{self}}, offset={{offset}}, axis1={{axis1}}, axis2={{axis2}})",
    ),
    _method(
        "trace",
        "(self, offset=0, axis1=0, axis2=1, dtype=None, out=None)",
        form("tf.linalg.trace({self})", rank("self", 2)),
        f"{_TNP}.trace({{self}}, offset={{offset}}, axis1={{axis1}}, axis2={{axis2}})",
    ),
    # out of the array
    _method(
        "item",
        "(self, *args)",
        form("{self}", count("args", 0), rank("self", 0)),
        form("tf.reshape({self}, [])", count("args", 0)),
        form("tf.reshape({self}, [-1])[{args}]", count("args", 1)),
        reason=_PYTHON,
        widens=True,
    ),
    _method(
        "tolist",
        "(self)",
        form("{self}", rank("self", 0)),
        form("tf.unstack({self})", rank("self", 1)),
        reason=_PYTHON,
        widens=True,
        results=0,
    ),
    # attributes
    _attribute("T", "tf.transpose({self})"),
    _attribute("mT", "tf.linalg.matrix_transpose({self})"),
    _attribute("real", "tf.math.real({self})", gives="real"),
    _attribute("imag", "tf.math.imag({self})", gives="real"),
    _attribute("shape", effect=Effect.SHAPE),
    _attribute("dtype", effect=Effect.SHAPE),
    _attribute("ndim", "{self}.shape.rank", effect=Effect.SHAPE),
    _attribute("size", "{self}.shape.num_elements()", effect=Effect.SHAPE),
    _attribute("flat", effect=Effect.NO_COUNTERPART, reason="tf.reshape(x, [-1]) holds the values in a row"),
    *(
        _attribute(name, effect=Effect.NO_COUNTERPART, reason=_MEMORY)
        for name in ("base", "ctypes", "data", "device", "flags", "itemsize", "nbytes", "strides")
    ),
    # none
    *(
        _method(name, "(self, *args, **kwargs)", effect=Effect.NO_COUNTERPART, reason=_IN_PLACE)
        for name in ("fill", "itemset", "partition", "put", "resize", "setfield", "setflags", "sort")
    ),
    *(
        _method(name, "(self, *args, **kwargs)", effect=Effect.NO_COUNTERPART, reason=_MEMORY)
        for name in ("byteswap", "getfield", "newbyteorder", "to_device", "tobytes", "tostring", "view")
    ),
    *(
        _method(name, "(self, *args, **kwargs)", effect=Effect.NO_COUNTERPART, reason=_PYTHON)
        for name in ("dump", "dumps", "tofile")
    ),
    *(
        _method(name, "(self, *args, **kwargs)", effect=Effect.NO_COUNTERPART, reason=_INDEX)
        for name in ("argpartition", "choose")
    ),
)
