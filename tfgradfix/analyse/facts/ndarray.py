"""The methods and attributes of NumPy's arrays, for what has become a tensor."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.facts.rows import Effect, Form, Row, absent, count, dtype, form, given

_TNP: Final = "tf.experimental.numpy"
_ORDERED: Final = "(self, axis=None, out=None, keepdims=False, initial=None, where=True)"
_AVERAGED: Final = "(self, axis=None, dtype=None, out=None, keepdims=False, where=True)"
_SPREAD: Final = "(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None, correction=0)"

_INDEX: Final = "a position has no derivative; tf.nn.softmax over the values is the usual soft choice"
_CHOICE: Final = "a truth value has no derivative; it can select, not carry gradient"
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
    _method("any", _ORDERED, _reduced("tf.reduce_any")[1], effect=Effect.NO_GRADIENT, reason=_CHOICE, gives="bool"),
    _method("all", _ORDERED, _reduced("tf.reduce_all")[1], effect=Effect.NO_GRADIENT, reason=_CHOICE, gives="bool"),
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
    # attributes
    _attribute("T", "tf.transpose({self})"),
    _attribute("real", "tf.math.real({self})", gives="real"),
    _attribute("imag", "tf.math.imag({self})", gives="real"),
    _attribute("shape", effect=Effect.SHAPE),
    _attribute("dtype", effect=Effect.SHAPE),
    _attribute("ndim", effect=Effect.SHAPE),
)
