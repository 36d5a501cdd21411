"""NumPy's elementwise functions: arithmetic, exponentials, trigonometry, comparisons, rounding."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.facts.rows import Effect, Form, Row, dtype, equals, form, given, kind, operators

_REST: Final = "out=None, where=True, casting='same_kind', order='K', dtype=None, subok=True"
_ONE: Final = f"(x, {_REST})"
_TWO: Final = f"(x1, x2, {_REST})"

_NUMERIC: Final = ("float", "integer", "complex")
_MEMORY: Final = ("casting", "order", "subok")
_ROUNDED: Final = (
    "its derivative is zero almost everywhere; keep the value unrounded, or pass the gradient straight through"
)
_TRUTH: Final = (
    "a truth value has no derivative; a mask selects, it does not carry gradient (tf.sigmoid makes a soft one)"
)


def _one(name: str, write: str, *forms: Form, floats: bool = True, gives: str = "") -> Row:
    """A function of one operand; integers come out as floats unless told otherwise."""
    cast = form(write.replace("{x}", "tf.cast({x}, {dtype:dtype})"), given("dtype"))
    return Row(f"numpy.{name}", _ONE, (*forms, cast, form(write)), floats=floats, gives=gives, ignored=_MEMORY)


def _two(name: str, *forms: str | Form, commutes: bool = False, strict: bool = False) -> Row:
    """A function of two operands of one dtype."""
    made = tuple(entry if isinstance(entry, Form) else form(entry) for entry in forms)
    return Row(f"numpy.{name}", _TWO, made, carries=("x1", "x2"), commutes=commutes, strict=strict, ignored=_MEMORY)


def _operator(name: str, function: str, operator: str) -> Row:
    """An operator: its function where a tensor comes first, else the operator, which asks the tensor behind it."""
    named = form(f"tf.{function}({{x1}}, {{x2}})", kind("x1", "tensor", "variable"))
    return _two(name, named, operators(f"{{x1}} {operator} {{x2}}"))


def _rounded(name: str, write: str) -> Row:
    return Row(f"numpy.{name}", _ONE, (form(write),), Effect.NO_GRADIENT, _ROUNDED, floats=True)


def _truth(name: str, write: str) -> Row:
    return Row(f"numpy.{name}", _ONE, (form(write),), Effect.NO_GRADIENT, _TRUTH, gives="bool")


def _compared(name: str, *forms: Form) -> Row:
    return Row(f"numpy.{name}", _TWO, forms, Effect.NO_GRADIENT, _TRUTH, together=("x1", "x2"), gives="bool")


def _logical(name: str, function: str) -> Row:
    numbers = "tf.cast({x1}, tf.bool), tf.cast({x2}, tf.bool)"
    forms = (
        form(f"{function}({numbers})", dtype("x1", *_NUMERIC)),
        form(f"{function}({numbers})", dtype("x2", *_NUMERIC)),
        form(f"{function}({{x1}}, {{x2}})"),
    )
    return Row(f"numpy.{name}", _TWO, forms, Effect.NO_GRADIENT, _TRUTH, together=(), gives="bool")


def _comparison(name: str, operator: str) -> Row:
    named = form(f"tf.{name}({{x1}}, {{x2}})", kind("x1", "tensor", "variable"))
    return _compared(name, named, operators(f"{{x1}} {operator} {{x2}}"))


def _without(name: str, reason: str) -> Row:
    return Row(f"numpy.{name}", "(x, *others)", effect=Effect.NO_COUNTERPART, reason=reason)


ROWS: Final[tuple[Row, ...]] = (
    # exponentials and powers
    _one("exp", "tf.exp({x})"),
    _one("expm1", "tf.math.expm1({x})"),
    _one("exp2", "tf.experimental.numpy.exp2({x})"),
    _one("log", "tf.math.log({x})"),
    _one("log1p", "tf.math.log1p({x})"),
    _one("log2", "tf.experimental.numpy.log2({x})"),
    _one("log10", "tf.experimental.numpy.log10({x})"),
    _one("sqrt", "tf.sqrt({x})"),
    _one("cbrt", "tf.experimental.numpy.cbrt({x})"),
    _one("square", "tf.square({x})", floats=False),
    _one("reciprocal", "tf.math.reciprocal({x})", floats=False),
    Row("numpy.sinc", "(x)", (form("tf.experimental.numpy.sinc({x})"),), floats=True),
    # trigonometry
    *(_one(name, f"tf.{name}({{x}})") for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")),
    *(_one(f"arc{name}", f"tf.a{name}({{x}})") for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")),
    *(_one(name, f"tf.a{name[1:]}({{x}})") for name in ("asin", "acos", "atan", "asinh", "acosh", "atanh")),
    _two("arctan2", "tf.atan2({x1}, {x2})"),
    _two("atan2", "tf.atan2({x1}, {x2})"),
    _two("hypot", operators("tf.sqrt({x1} ** 2 + {x2} ** 2)")),
    *(_one(name, "tf.experimental.numpy.deg2rad({x})") for name in ("deg2rad", "radians")),
    *(_one(name, "tf.experimental.numpy.rad2deg({x})") for name in ("rad2deg", "degrees")),
    # arithmetic
    _operator("add", "add", "+"),
    _operator("subtract", "subtract", "-"),
    _operator("multiply", "multiply", "*"),
    _operator("divide", "divide", "/"),
    _operator("true_divide", "divide", "/"),
    _operator("power", "pow", "**"),
    _operator("pow", "pow", "**"),
    _two("float_power", "tf.pow(tf.cast({x1}, tf.float64), tf.cast({x2}, tf.float64))"),
    _two("maximum", "tf.maximum({x1}, {x2})", commutes=True),
    _two("minimum", "tf.minimum({x1}, {x2})", commutes=True),
    _two(
        "logaddexp",
        operators("{x2} + tf.math.softplus({x1} - {x2})"),
        "tf.experimental.numpy.logaddexp({x1}, {x2})",
        strict=True,
    ),
    _two("logaddexp2", "tf.experimental.numpy.logaddexp2({x1}, {x2})", strict=True),
    _one("negative", "tf.negative({x})", floats=False),
    _one("positive", "{x}", floats=False),
    _one("abs", "tf.abs({x})", floats=False, gives="real"),
    _one("absolute", "tf.abs({x})", floats=False, gives="real"),
    _one("fabs", "tf.abs({x})"),
    # complex numbers
    Row("numpy.real", "(val)", (form("tf.math.real({val})"),), gives="real"),
    Row("numpy.imag", "(val)", (form("tf.math.imag({val})"),), gives="real"),
    *(Row(f"numpy.{name}", _ONE, (form("tf.math.conj({x})"),)) for name in ("conj", "conjugate")),
    Row(
        "numpy.angle",
        "(z, deg=False)",
        (
            form("tf.math.angle({z})", equals("deg", False)),
            form("tf.math.angle({z}) * 57.29577951308232", equals("deg", True)),
        ),
        gives="real",
    ),
    # no gradient
    Row("numpy.sign", _ONE, (form("tf.sign({x})"),), Effect.NO_GRADIENT, _ROUNDED),
    _rounded("floor", "tf.floor({x})"),
    _rounded("ceil", "tf.math.ceil({x})"),
    _rounded("rint", "tf.math.rint({x})"),
    *(_truth(name, f"tf.math.is_{name[2:]}({{x}})") for name in ("isnan", "isinf", "isfinite")),
    Row(
        "numpy.logical_not",
        _ONE,
        (form("tf.logical_not(tf.cast({x}, tf.bool))", dtype("x", *_NUMERIC)), form("tf.logical_not({x})")),
        Effect.NO_GRADIENT,
        _TRUTH,
        gives="bool",
    ),
    _logical("logical_and", "tf.logical_and"),
    _logical("logical_or", "tf.logical_or"),
    _logical("logical_xor", "tf.math.logical_xor"),
    _comparison("greater", ">"),
    _comparison("greater_equal", ">="),
    _comparison("less", "<"),
    _comparison("less_equal", "<="),
    _comparison("equal", "=="),
    _comparison("not_equal", "!="),
    # rounding and remainders
    *(
        Row(f"numpy.{name}", "(a, decimals=0, out=None)", (form("tf.round({a})"),), Effect.NO_GRADIENT, _ROUNDED)
        for name in ("round", "around", "round_")
    ),
    _rounded("trunc", "tf.experimental.numpy.fix({x})"),
    Row("numpy.fix", "(x, out=None)", (form("tf.experimental.numpy.fix({x})"),), Effect.NO_GRADIENT, _ROUNDED),
    Row("numpy.floor_divide", _TWO, (operators("{x1} // {x2}"),), Effect.NO_GRADIENT, _ROUNDED, together=("x1", "x2")),
    _two("remainder", operators("{x1} % {x2}")),
    _two("mod", operators("{x1} % {x2}")),
    _without("fmod", "TensorFlow's remainder takes the sign of the divisor: use np.mod"),
    _without("divmod", _ROUNDED),
    _without("modf", _ROUNDED),
    _without("frexp", _ROUNDED),
    _without("ldexp", "multiply by a power of two"),
    _without("nextafter", "it steps through the floating point numbers themselves"),
    _without("spacing", "it tells of the floating point numbers themselves"),
    _without("unwrap", "it counts the turns one after another; write the differences and a cumulative sum"),
    _without("real_if_close", "whether the result is real depends on the values"),
    # steps, and what is not a number
    _two(
        "fmax",
        "tf.where(tf.math.is_nan({x1}), {x2}, tf.where(tf.math.is_nan({x2}), {x1}, tf.maximum({x1}, {x2})))",
        strict=True,
    ),
    _two(
        "fmin",
        "tf.where(tf.math.is_nan({x1}), {x2}, tf.where(tf.math.is_nan({x2}), {x1}, tf.minimum({x1}, {x2})))",
        strict=True,
    ),
    Row(
        "numpy.copysign",
        _TWO,
        (operators("tf.where({x2} < 0, -tf.abs({x1}), tf.abs({x1}))"),),
        carries=("x1",),
        together=("x1", "x2"),
        ignored=_MEMORY,
    ),
    Row(
        "numpy.heaviside",
        _TWO,
        (form("tf.experimental.numpy.heaviside({x1}, {x2})"),),
        Effect.NO_GRADIENT,
        "a step has no derivative; tf.sigmoid of a scaled distance is the usual soft choice",
        together=("x1", "x2"),
        strict=True,
    ),
    Row("numpy.i0", "(x)", (form("tf.math.bessel_i0({x})"),), floats=True),
    # whole numbers
    *(
        _without(name, "it works on whole numbers, which have no derivative")
        for name in (
            *("gcd", "lcm", "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not", "bitwise_invert"),
            *("bitwise_left_shift", "bitwise_right_shift", "left_shift", "right_shift", "invert"),
            *("bitwise_count", "packbits", "unpackbits"),
        )
    ),
)
