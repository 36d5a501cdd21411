"""Python's math module: the functions of one number, for what has become a tensor."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.facts.rows import Effect, Form, Row, absent, count, equals, form, kind, operators

_ROUNDED: Final = "its derivative is zero almost everywhere; keep the value unrounded, or pass the gradient through"
_WHOLE: Final = "it is defined for whole numbers, which have no derivative"
_TRUTH: Final = "a truth value has no derivative; it can select, not carry gradient"


def _one(name: str, write: str) -> Row:
    return Row(f"math.{name}", "(x)", (form(write),))


def _two(name: str, *forms: Form) -> Row:
    return Row(f"math.{name}", "(x, y)", forms, carries=("x", "y"))


def _rounded(name: str, *write: str) -> Row:
    return Row(f"math.{name}", "(x)", tuple(map(form, write)), Effect.NO_GRADIENT, _ROUNDED)


def _truth(name: str, *write: str) -> Row:
    return Row(f"math.{name}", "(x)", tuple(map(form, write)), Effect.NO_GRADIENT, _TRUTH, gives="bool")


def _whole(name: str, signature: str) -> Row:
    return Row(f"math.{name}", signature, effect=Effect.NO_COUNTERPART, reason=_WHOLE)


ROWS: Final[tuple[Row, ...]] = (
    _one("exp", "tf.exp({x})"),
    _one("exp2", "tf.experimental.numpy.exp2({x})"),
    _one("expm1", "tf.math.expm1({x})"),
    Row(
        "math.log",
        "(x, base=2.718281828459045)",
        (
            form("tf.math.log({x})", absent("base")),
            form("tf.experimental.numpy.log2({x})", equals("base", 2)),
            form("tf.experimental.numpy.log10({x})", equals("base", 10)),
        ),
        reason="TensorFlow has the natural logarithm only: divide by the logarithm of the base",
    ),
    _one("log1p", "tf.math.log1p({x})"),
    _one("log2", "tf.experimental.numpy.log2({x})"),
    _one("log10", "tf.experimental.numpy.log10({x})"),
    _one("sqrt", "tf.sqrt({x})"),
    _one("cbrt", "tf.experimental.numpy.cbrt({x})"),
    *(_one(name, f"tf.{name}({{x}})") for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")),
    *(_one(name, f"tf.{name}({{x}})") for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh")),
    _one("radians", "tf.experimental.numpy.deg2rad({x})"),
    _one("degrees", "tf.experimental.numpy.rad2deg({x})"),
    _one("fabs", "tf.abs({x})"),
    _one("erf", "tf.math.erf({x})"),
    _one("erfc", "tf.math.erfc({x})"),
    _one("lgamma", "tf.math.lgamma({x})"),
    Row("math.atan2", "(y, x)", (form("tf.atan2({y}, {x})"),), carries=("y", "x")),
    _two("pow", operators("{x} ** {y}")),
    Row(
        "math.hypot",
        "(*coordinates)",
        (operators("tf.sqrt({coordinates:0} ** 2 + {coordinates:1} ** 2)", count("coordinates", 2)),),
        reason="more than two coordinates: use tf.norm of their tf.stack",
        carries=("coordinates",),
    ),
    Row(
        "math.dist",
        "(p, q)",
        (operators("tf.norm({p} - {q})", kind("p", "tensor", "variable")),),
        carries=("p", "q"),
        reason="the points have to be tensors",
    ),
    Row(
        "math.copysign",
        "(x, y)",
        (operators("tf.where({y} < 0, -tf.abs({x}), tf.abs({x}))"),),
        carries=("x",),
        together=("x", "y"),
    ),
    Row("math.fsum", "(seq)", (form("tf.reduce_sum(tf.stack({seq:items}), axis=0)"),)),
    Row("math.prod", "(iterable, *, start=1)", (form("tf.reduce_prod(tf.stack({iterable:items}), axis=0)"),)),
    _rounded("floor", "tf.floor({x})"),
    _rounded("ceil", "tf.math.ceil({x})"),
    _rounded("trunc"),
    _truth("isnan", "tf.math.is_nan({x})"),
    _truth("isinf", "tf.math.is_inf({x})"),
    _truth("isfinite", "tf.math.is_finite({x})"),
    _rounded("modf"),
    _rounded("frexp"),
    *(
        Row(f"math.{name}", "(x, *others)", effect=Effect.NO_COUNTERPART, reason=reason)
        for name, reason in (
            ("fmod", "TensorFlow's remainder takes the sign of the divisor: use the operator %"),
            ("remainder", "TensorFlow's remainder takes the sign of the divisor: use the operator %"),
            ("gamma", "TensorFlow has the logarithm of the absolute value, tf.math.lgamma"),
            ("ldexp", "multiply by a power of two"),
            ("nextafter", "it steps through the floating point numbers themselves"),
            ("ulp", "it tells of the floating point numbers themselves"),
            ("fma", "write the product and the sum"),
            ("sumprod", "use tf.reduce_sum of the product"),
        )
    ),
    Row("math.isclose", "(a, b, *, rel_tol=1e-09, abs_tol=0.0)", effect=Effect.NO_GRADIENT, reason=_TRUTH),
    *(_whole(name, "(n, *others)") for name in ("comb", "perm", "factorial", "gcd", "lcm", "isqrt")),
)
