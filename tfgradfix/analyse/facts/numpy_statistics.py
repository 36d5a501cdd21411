"""NumPy's statistics and numerical calculus: orders, spreads, correlations, differences, interpolation."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.facts.rows import (
    Condition,
    Effect,
    Form,
    Row,
    absent,
    count,
    equals,
    form,
    given,
    kind,
    operators,
    rank,
)

_TNP: Final = "tf.experimental.numpy"
_QUANTILE: Final = (
    "(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, weights=None, "
    "interpolation='linear')"
)
_EXPRESSIBLE: Final = "TensorFlow has no function for it, and no short expression gives the same value and slope"
_NAN: Final = "replace the NaN by tf.where first, then use the plain function"
_COUNTS: Final = "counting has no derivative; a soft count (tf.sigmoid or a kernel round each edge) is the usual remedy"
_FIT: Final = "solve the least squares with tf.linalg.lstsq on the matrix of powers"


def _quantile(name: str, share: str) -> Row:
    """Linear interpolation between the order statistics, as a sum weighted by hats round the wanted place.

    ``share`` follows the argument and makes a part of one of it.
    """

    def hats(size: str, wanted: str) -> str:
        last = f"tf.cast({size} - 1, {{a:dtype_of}})"
        places = f"tf.cast(tf.range({size}), {{a:dtype_of}})"
        return f"tf.nn.relu(1 - tf.abs({places} - {wanted.replace('LAST', last)}))"

    def of(values: str, size: str, *conditions: Condition) -> tuple[Form, Form]:
        one = f"{{q}}{share} * LAST"
        several = f"tf.expand_dims(tf.convert_to_tensor({{q}}, {{a:dtype_of}}){share} * LAST, -1)"
        write = f"tf.reduce_sum(tf.sort({values}) * HATS, axis=-1)"
        return (
            form(write.replace("HATS", hats(size, one)), kind("q", "number"), *conditions),
            form(write.replace("HATS", hats(size, several)), *conditions),
        )

    along = of(f"{_TNP}.moveaxis({{a}}, {{axis}}, -1)", "tf.shape({a})[{axis}]", given("axis"), kind("axis", "number"))
    return Row(
        f"numpy.{name}",
        _QUANTILE,
        (
            *of("{a}", "tf.size({a})", absent("axis"), rank("a", 1)),
            *of("tf.reshape({a}, [-1])", "tf.size({a})", absent("axis")),
            along[0],
        ),
        reason="only one quantile along one axis, or any number of quantiles of all values, can be written out",
        ignored=("overwrite_input",),
        floats=True,
        widens=True,
    )


def _without(name: str, signature: str, reason: str = _EXPRESSIBLE, effect: Effect = Effect.NO_COUNTERPART) -> Row:
    return Row(f"numpy.{name}", signature, effect=effect, reason=reason)


def _extreme_of_numbers(name: str, function: str, infinity: str) -> Row:
    """The largest or smallest value that is not NaN."""
    numbers = f"tf.where(tf.math.is_nan({{a}}), tf.constant({infinity}, {{a:dtype_of}}), {{a}})"
    return Row(
        f"numpy.{name}",
        "(a, axis=None, out=None, keepdims=False, initial=None, where=True)",
        (form(f"tf.{function}({numbers}, axis={{axis}}, keepdims={{keepdims}})"),),
    )


def _gradient(axis: str, *where: str) -> str:
    """Central differences inside, one-sided ones at the ends, along one axis; ``where`` cuts that axis."""
    second, first, ahead, behind, last, before = (f"{{f}}[{text}]" for text in where)
    return f"tf.concat([{second} - {first}, ({ahead} - {behind}) / 2, {last} - {before}], axis={axis})"


_CUTS: Final = ("1:2", ":1", "2:", ":-2", "-1:", "-2:-1")
_FIRST_AXIS: Final = _gradient("0", *_CUTS)
_LAST_AXIS: Final = _gradient("-1", *(f"..., {cut}" for cut in _CUTS))


def _slopes(write: str, *conditions: object) -> tuple[Form, ...]:
    """With the spacing divided out, and with spacing one."""
    return (
        Form(f"{write} / {{varargs}}", (count("varargs", 1), kind("varargs", "number"), *conditions)),  # type: ignore[arg-type]
        Form(f"{write} / {{varargs}}", (count("varargs", 1), rank("varargs", 0), *conditions)),  # type: ignore[arg-type]
        Form(write, (count("varargs", 0), *conditions)),  # type: ignore[arg-type]
    )


_ROWS_CENTRED: Final = "({m} - tf.reduce_mean({m}, axis=1, keepdims=True))"
_COLUMNS_CENTRED: Final = "({m} - tf.reduce_mean({m}, axis=0, keepdims=True))"
_UNIT_ROWS: Final = "tf.math.l2_normalize({x} - tf.reduce_mean({x}, axis=1, keepdims=True), axis=1)"
_UNIT_COLUMNS: Final = "tf.math.l2_normalize({x} - tf.reduce_mean({x}, axis=0, keepdims=True), axis=0)"
_UNIT_X: Final = "tf.math.l2_normalize({x} - tf.reduce_mean({x}), axis=0)"
_UNIT_Y: Final = "tf.math.l2_normalize({y} - tf.reduce_mean({y}), axis=0)"


def _convolved(kernel: str, before: str, after: str) -> str:
    """A one-dimensional convolution of ``{a}``, with so many zeros before and after it."""
    padded = f"tf.pad({{a}}, [[{before}, {after}]])" if before else "{a}"
    signal = f"{padded}[tf.newaxis, :, tf.newaxis]"
    return f"tf.nn.conv1d({signal}, {kernel}[:, tf.newaxis, tf.newaxis], 1, 'VALID')[0, :, 0]"


def _slid(name: str, mode: str, kernel: str) -> Row:
    last = "tf.size({v}) - 1"
    return Row(
        f"numpy.{name}",
        f"(a, v, mode='{mode}')",
        (
            form(_convolved(kernel, last, last), equals("mode", "full")),
            form(_convolved(kernel, "tf.size({v}) // 2", "(tf.size({v}) - 1) // 2"), equals("mode", "same")),
            form(_convolved(kernel, "", ""), equals("mode", "valid")),
        ),
        carries=("a", "v"),
        strict=True,
    )


ROWS: Final[tuple[Row, ...]] = (
    # order statistics
    Row(
        "numpy.median",
        "(a, axis=None, out=None, overwrite_input=False, keepdims=False)",
        (
            form(
                "tf.reduce_mean(tf.sort(tf.reshape({a}, [-1]))[(tf.size({a}) - 1) // 2 : tf.size({a}) // 2 + 1])",
                absent("axis"),
            ),
            form(
                "tf.reduce_mean(tf.gather(tf.sort({a}, axis={axis}), "
                "[(tf.shape({a})[{axis}] - 1) // 2, tf.shape({a})[{axis}] // 2], axis={axis}), "
                "axis={axis}, keepdims={keepdims})",
                given("axis"),
                kind("axis", "number"),
            ),
        ),
        ignored=("overwrite_input",),
        floats=True,
    ),
    _quantile("percentile", " / 100"),
    _quantile("quantile", ""),
    Row(
        "numpy.ptp",
        "(a, axis=None, out=None, keepdims=False)",
        (form(f"{_TNP}.ptp({{a}}, {{axis|None}}, {{keepdims|False}})"),),
    ),
    # averages and spreads
    Row(
        "numpy.average",
        "(a, axis=None, weights=None, returned=False, keepdims=False)",
        (
            form("tf.reduce_mean({a}, axis={axis}, keepdims={keepdims})", absent("weights")),
            form(f"{_TNP}.average({{a}}, axis={{axis}}, weights={{weights}})"),
        ),
        carries=("a", "weights"),
        strict=True,
        floats=True,
    ),
    Row(
        "numpy.cov",
        "(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, dtype=None)",
        (
            form(f"{_TNP}.var({{m}}, dtype={{m:dtype_of}}, ddof={{ddof|1}})", rank("m", 1)),
            form(
                f"tf.matmul({_ROWS_CENTRED}, {_ROWS_CENTRED}, transpose_b=True) / "
                "tf.cast(tf.shape({m})[1] - {ddof|1}, {m:dtype_of})",
                rank("m", 2),
                equals("rowvar", True),
            ),
            form(
                f"tf.matmul({_COLUMNS_CENTRED}, {_COLUMNS_CENTRED}, transpose_a=True) / "
                "tf.cast(tf.shape({m})[0] - {ddof|1}, {m:dtype_of})",
                rank("m", 2),
                equals("rowvar", False),
            ),
        ),
        reason="the rank decides between one variable and several, and it is not known",
        widens=True,
    ),
    Row(
        "numpy.corrcoef",
        "(x, y=None, rowvar=True, bias=None, ddof=None, dtype=None)",
        (
            form(
                f"tf.linalg.set_diag(tf.fill([2, 2], tf.reduce_sum({_UNIT_X} * {_UNIT_Y})), "
                "tf.ones([2], {x:dtype_of}))",
                rank("x", 1),
                rank("y", 1),
            ),
            form(
                f"tf.matmul({_UNIT_ROWS}, {_UNIT_ROWS}, transpose_b=True)",
                rank("x", 2),
                absent("y"),
                equals("rowvar", True),
            ),
            form(
                f"tf.matmul({_UNIT_COLUMNS}, {_UNIT_COLUMNS}, transpose_a=True)",
                rank("x", 2),
                absent("y"),
                equals("rowvar", False),
            ),
        ),
        reason="the rank decides between one variable and several, and it is not known",
        widens=True,
        carries=("x", "y"),
        strict=True,
    ),
    # what is not a number
    *(
        Row(
            f"numpy.{name}",
            "(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True)",
            (form(f"{_TNP}.{name}({{a}}, axis={{axis}}, keepdims={{keepdims}})"),),
        )
        for name in ("nansum", "nanprod")
    ),
    Row(
        "numpy.nanmean",
        "(a, axis=None, dtype=None, out=None, keepdims=False, where=True)",
        (form(f"{_TNP}.nanmean({{a}}, axis={{axis}}, keepdims={{keepdims}})"),),
        floats=True,
    ),
    _extreme_of_numbers("nanmax", "reduce_max", "float('-inf')"),
    _extreme_of_numbers("nanmin", "reduce_min", "float('inf')"),
    Row(
        "numpy.nan_to_num",
        "(x, copy=True, nan=0.0, posinf=None, neginf=None)",
        (
            form(
                "tf.clip_by_value(tf.where(tf.math.is_nan({x}), tf.constant({nan|0.0}, {x:dtype_of}), {x}), "
                "{x:dtype_of}.min, {x:dtype_of}.max)"
            ),
        ),
        ignored=("copy",),
    ),
    *(
        _without(name, "(a, axis=None)", _NAN)
        for name in ("nanvar", "nanstd", "nanmedian", "nanpercentile", "nanquantile", "nancumsum", "nancumprod")
    ),
    # running sums and differences
    *(
        Row(
            f"numpy.{name}",
            "(a, axis=None, dtype=None, out=None)",
            (
                form(f"tf.{function}(tf.cast({{a}}, {{dtype:dtype}}), axis={{axis}})", given("dtype"), given("axis")),
                form(f"tf.{function}({{a}}, axis={{axis}})", given("axis")),
                form(f"tf.{function}({{a}})", rank("a", 1)),
                form(f"tf.{function}(tf.reshape({{a}}, [-1]))"),
            ),
        )
        for name, function in (
            ("cumsum", "cumsum"),
            ("cumprod", "math.cumprod"),
            ("cumproduct", "math.cumprod"),
        )
    ),
    *(
        Row(
            f"numpy.{name}",
            "(x, axis=None, dtype=None, out=None, include_initial=False)",
            (form(f"tf.{function}({{x}}, axis={{axis}})"),),
        )
        for name, function in (("cumulative_sum", "cumsum"), ("cumulative_prod", "math.cumprod"))
    ),
    Row(
        "numpy.diff",
        "(a, n=1, axis=-1, prepend=None, append=None)",
        (form(f"{_TNP}.diff({{a}}, n={{n}}, axis={{axis}})"),),
    ),
    Row(
        "numpy.ediff1d",
        "(ary, to_end=None, to_begin=None)",
        (form(f"{_TNP}.diff({{ary}})", rank("ary", 1)), form(f"{_TNP}.diff(tf.reshape({{ary}}, [-1]))")),
    ),
    Row(
        "numpy.gradient",
        "(f, *varargs, axis=None, edge_order=1)",
        (
            *_slopes(_FIRST_AXIS, rank("f", 1)),
            *_slopes(_FIRST_AXIS, equals("axis", 0)),
            *_slopes(_LAST_AXIS, equals("axis", -1)),
            *_slopes(_LAST_AXIS, equals("axis", 1), rank("f", 2)),
            form(f"({_FIRST_AXIS}, {_LAST_AXIS})", absent("axis"), rank("f", 2), count("varargs", 0)),
        ),
        reason="only even spacing along one known axis can be written out",
    ),
    *(
        Row(
            f"numpy.{name}",
            "(y, x=None, dx=1.0, axis=-1)",
            (
                operators("tf.reduce_sum({y}[..., 1:] + {y}[..., :-1], axis=-1) * ({dx|1.0} / 2)", absent("x")),
                operators(
                    "tf.reduce_sum(({y}[..., 1:] + {y}[..., :-1]) * ({x}[1:] - {x}[:-1]), axis=-1) / 2",
                    rank("x", 1),
                ),
            ),
            reason="the places have to be one array of rank one, along the last axis",
            carries=("y", "x"),
        )
        for name in ("trapezoid", "trapz")
    ),
    Row(
        "numpy.interp",
        "(x, xp, fp, left=None, right=None, period=None)",
        (
            form(
                "{fp}[0] + tf.reduce_sum(({fp}[1:] - {fp}[:-1]) * tf.clip_by_value("
                "(tf.expand_dims({x}, -1) - {xp}[:-1]) / ({xp}[1:] - {xp}[:-1]), 0.0, 1.0), axis=-1)"
            ),
        ),
        carries=("x", "fp"),
        strict=True,
        widens=True,
    ),
    _slid("convolve", "full", "{v}[::-1]"),
    _slid("correlate", "valid", "{v}"),
    # polynomials
    Row("numpy.polyval", "(p, x)", (form(f"{_TNP}.polyval({{p}}, {{x}})"),), carries=("p", "x"), strict=True),
    _without("polyfit", "(x, y, deg)", _FIT),
    *(
        _without(name, "(a, *others)", "it works on coefficients as Python and NumPy data; write the arithmetic out")
        for name in ("poly", "polyadd", "polysub", "polymul", "polydiv", "polyder", "polyint", "roots")
    ),
    # counts
    *(
        _without(name, "(a, *others)", _COUNTS, Effect.NO_GRADIENT)
        for name in ("histogram", "histogram2d", "histogramdd", "histogram_bin_edges", "digitize")
    ),
    Row(
        "numpy.bincount",
        "(x, weights=None, minlength=0)",
        (
            form("tf.math.bincount({x}, minlength={minlength})", absent("weights")),
            form("tf.math.unsorted_segment_sum({weights}, {x}, tf.maximum(tf.reduce_max({x}) + 1, {minlength|0}))"),
        ),
        carries=("weights",),
        widens=True,
    ),
    Row(
        "numpy.count_nonzero",
        "(a, axis=None, *, keepdims=False)",
        (form("tf.math.count_nonzero({a}, axis={axis}, keepdims={keepdims})"),),
        Effect.NO_GRADIENT,
        _COUNTS,
        gives="integer",
    ),
)
