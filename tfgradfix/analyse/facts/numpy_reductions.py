"""NumPy's functions that bring an array down to fewer numbers, or run along an axis: sums, means, orders."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.facts.rows import Effect, Form, Row, dtype, form, given

_SUMMED: Final = "(a, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True)"
_ORDERED: Final = "(a, axis=None, out=None, keepdims=False, initial=None, where=True)"
_AVERAGED: Final = "(a, axis=None, dtype=None, out=None, keepdims=False, where=True)"
_SPREAD: Final = "(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None, correction=0)"
_TRUTH: Final = "(a, axis=None, out=None, keepdims=False, where=True)"
_PLACE: Final = "(a, axis=None, out=None, keepdims=False)"

_INDEX: Final = "a position has no derivative; tf.nn.softmax over the values is the usual soft choice"
_CHOICE: Final = "a truth value has no derivative; it can select, not carry gradient"


def _reduced(function: str) -> tuple[Form, ...]:
    """The forms of a reduction: with a dtype, which NumPy gives the operand first, and without."""
    tail = "axis={axis}, keepdims={keepdims})"
    return (
        form(f"{function}(tf.cast({{a}}, {{dtype:dtype}}), {tail}", given("dtype")),
        form(f"{function}({{a}}, {tail}"),
    )


def _spread(name: str, function: str, unbiased: str) -> Row:
    """Variance or deviation; TensorFlow's divides by n, so `ddof` needs another form."""
    divided = "tf.experimental.numpy.var({a}, axis={axis}, dtype={a:dtype_of}, ddof={ddof}, keepdims={keepdims})"
    return Row(
        f"numpy.{name}",
        _SPREAD,
        (form(unbiased.format(divided), given("ddof")), *_reduced(function)),
        floats=True,
        gives="real",
    )


ROWS: Final[tuple[Row, ...]] = (
    Row(
        "numpy.sum",
        _SUMMED,
        (
            form("tf.math.count_nonzero({a}, axis={axis}, keepdims={keepdims})", dtype("a", "bool")),
            *_reduced("tf.reduce_sum"),
        ),
    ),
    Row("numpy.prod", _SUMMED.replace("initial=0", "initial=1"), _reduced("tf.reduce_prod")),
    Row("numpy.mean", _AVERAGED, _reduced("tf.reduce_mean"), floats=True),
    _spread("var", "tf.math.reduce_variance", "{}"),
    _spread("std", "tf.math.reduce_std", "tf.sqrt({})"),
    *(Row(f"numpy.{name}", _ORDERED, _reduced("tf.reduce_max")[1:]) for name in ("max", "amax")),
    *(Row(f"numpy.{name}", _ORDERED, _reduced("tf.reduce_min")[1:]) for name in ("min", "amin")),
    Row("numpy.any", _TRUTH, _reduced("tf.reduce_any")[1:], Effect.NO_GRADIENT, _CHOICE, gives="bool"),
    Row("numpy.all", _TRUTH, _reduced("tf.reduce_all")[1:], Effect.NO_GRADIENT, _CHOICE, gives="bool"),
)
