"""NumPy's functions that bring an array down to fewer numbers, or run along an axis: sums, means, orders."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.facts.rows import Effect, Form, Row, absent, dtype, equals, form, given, operators, rank

_SUMMED: Final = "(a, axis=None, dtype=None, out=None, keepdims=False, initial=0, where=True)"
_ORDERED: Final = "(a, axis=None, out=None, keepdims=False, initial=None, where=True)"
_AVERAGED: Final = "(a, axis=None, dtype=None, out=None, keepdims=False, where=True)"
_SPREAD: Final = "(a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None, correction=0)"
_TRUTH: Final = "(a, axis=None, out=None, keepdims=False, where=True)"
_BY_AXIS: Final = "(array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True)"
_RUNNING: Final = "(array, axis=0, dtype=None, out=None)"

_TAIL: Final = "axis={axis}, keepdims={keepdims})"

_CHOICE: Final = "a truth value has no derivative; it can select, not carry gradient"


def _reduced(function: str) -> tuple[Form, ...]:
    """The forms of a reduction: with a dtype, which NumPy gives the operand first, and without."""
    tail = "axis={axis}, keepdims={keepdims})"
    return (
        form(f"{function}(tf.cast({{a}}, {{dtype:dtype}}), {tail}", given("dtype")),
        form(f"{function}({{a}}, {tail}"),
    )


def _chosen(function: str, neutral: str) -> tuple[Form, ...]:
    """The form of a sum or product over a part of the items: the others are made neutral."""
    return (form(f"{function}(tf.where({{where}}, {{a}}, {neutral}({{a}})), {_TAIL}", given("where"), absent("dtype")),)


def _ordered(order: str) -> tuple[Form, ...]:
    """The forms of a largest or smallest item: over all, with a bound, or over a part, which NumPy wants bounded."""
    function, both = f"tf.reduce_{order[:3]}", f"tf.{order}"
    part = f"{function}(tf.where({{where}}, {{a}}, {{initial}}), {_TAIL}"
    return (
        form(f"{both}({part}, {{initial}})", given("where"), given("initial")),
        form(f"{both}({function}({{a}}, {_TAIL}, {{initial}})", given("initial"), absent("where")),
        form(f"{function}({{a}}, {_TAIL}"),
    )


def _decided(function: str, operand: str = "a", axis: str = "{axis}") -> tuple[Form, ...]:
    """The forms of `any` and `all`, where TensorFlow takes nothing but truth values."""
    tail = f"axis={axis}, keepdims={{keepdims}})"
    return (
        form(f"{function}(tf.cast({{{operand}}}, tf.bool), {tail}", dtype(operand, "float", "integer", "complex")),
        form(f"{function}({{{operand}}}, {tail}"),
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
            *_chosen("tf.reduce_sum", "tf.zeros_like"),
            *_reduced("tf.reduce_sum"),
        ),
    ),
    *(
        Row(
            f"numpy.{name}",
            _SUMMED.replace("initial=0", "initial=1"),
            (*_chosen("tf.reduce_prod", "tf.ones_like"), *_reduced("tf.reduce_prod")),
        )
        for name in ("prod", "product")
    ),
    Row(
        "numpy.mean",
        _AVERAGED,
        (
            form(
                f"tf.reduce_sum(tf.where({{where}}, {{a}}, tf.zeros_like({{a}})), {_TAIL} / "
                f"tf.reduce_sum(tf.where({{where}}, tf.ones_like({{a}}), tf.zeros_like({{a}})), {_TAIL}",
                given("where"),
                absent("dtype"),
                dtype("a", "float"),
            ),
            *_reduced("tf.reduce_mean"),
        ),
        floats=True,
    ),
    _spread("var", "tf.math.reduce_variance", "{}"),
    _spread("std", "tf.math.reduce_std", "tf.sqrt({})"),
    *(Row(f"numpy.{name}", _ORDERED, _ordered("maximum")) for name in ("max", "amax")),
    *(Row(f"numpy.{name}", _ORDERED, _ordered("minimum")) for name in ("min", "amin")),
    Row("numpy.any", _TRUTH, _decided("tf.reduce_any"), Effect.NO_GRADIENT, _CHOICE, gives="bool"),
    Row("numpy.sometrue", _TRUTH, _decided("tf.reduce_any"), Effect.NO_GRADIENT, _CHOICE, gives="bool"),
    Row("numpy.all", _TRUTH, _decided("tf.reduce_all"), Effect.NO_GRADIENT, _CHOICE, gives="bool"),
    Row("numpy.alltrue", _TRUTH, _decided("tf.reduce_all"), Effect.NO_GRADIENT, _CHOICE, gives="bool"),
    # reductions and running values of elementwise functions
    *(
        Row(f"numpy.{name}.reduce", _BY_AXIS, (form(f"{function}({{array}}, axis={{axis|0}}, keepdims={{keepdims}})"),))
        for name, function in (
            ("add", "tf.reduce_sum"),
            ("multiply", "tf.reduce_prod"),
            ("maximum", "tf.reduce_max"),
            ("minimum", "tf.reduce_min"),
        )
    ),
    *(
        Row(
            f"numpy.{name}.reduce",
            _BY_AXIS,
            _decided(function, "array", "{axis|0}"),
            Effect.NO_GRADIENT,
            _CHOICE,
            gives="bool",
        )
        for name, function in (("logical_and", "tf.reduce_all"), ("logical_or", "tf.reduce_any"))
    ),
    *(
        Row(f"numpy.{name}.accumulate", _RUNNING, (form(f"{function}({{array}}, axis={{axis}})"),))
        for name, function in (("add", "tf.cumsum"), ("multiply", "tf.math.cumprod"))
    ),
    *(
        Row(
            f"numpy.{name}.accumulate",
            _RUNNING,
            (
                form(f"tf.scan(tf.{name}, {{array}})", equals("axis", 0)),
                form(f"tf.scan(tf.{name}, {{array}})", equals("axis", -1), rank("array", 1)),
                form(
                    f"tf.transpose(tf.scan(tf.{name}, tf.transpose({{array}})))",
                    equals("axis", 1, -1),
                    rank("array", 2),
                ),
            ),
            reason="TensorFlow's scan runs along the first axis: move the axis there first",
        )
        for name in ("maximum", "minimum")
    ),
    *(
        Row(
            f"numpy.{name}.outer",
            "(A, B)",
            (operators(f"tf.expand_dims({{A}}, -1) {sign} {{B}}", rank("B", 1)),),
            carries=("A", "B"),
        )
        for name, sign in (("add", "+"), ("subtract", "-"), ("multiply", "*"), ("divide", "/"))
    ),
)
