"""NumPy's functions that sort, search and compare: most give positions or truth values, which carry no gradient."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.facts.rows import Effect, Form, Row, absent, equals, form, given, rank

_TNP: Final = "tf.experimental.numpy"
_INDEX: Final = "a position has no derivative; tf.nn.softmax over the values is the usual soft choice"
_TRUTH: Final = "a truth value has no derivative; it can select, not carry gradient"
_SET: Final = "a set of values has no derivative; keep the values, and use the set as data"
_UNSORTED: Final = "TensorFlow has no partial sort: use tf.sort, or tf.math.top_k for the largest"


def _position(
    name: str,
    *forms: Form,
    signature: str = "(a, axis=None, out=None, keepdims=False)",
    together: tuple[str, ...] = (),
) -> Row:
    return Row(
        f"numpy.{name}",
        signature,
        forms,
        Effect.NO_GRADIENT,
        _INDEX,
        ignored=tuple(known for known in ("kind", "order", "stable") if f" {known}=" in signature),
        gives="integer",
        together=together,
        strict=True,
    )


def _truth(name: str, signature: str, *forms: Form, together: tuple[str, ...] = ()) -> Row:
    return Row(
        f"numpy.{name}",
        signature,
        forms,
        Effect.NO_GRADIENT,
        _TRUTH,
        together=together,
        strict=True,
        gives="bool",
        ignored=("order", "casting", "subok") if "subok" in signature else (),
    )


_ONE: Final = "(x, out=None, where=True, casting='same_kind', order='K', dtype=None, subok=True)"
_CLOSE: Final = "(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)"

ROWS: Final[tuple[Row, ...]] = (
    Row(
        "numpy.sort",
        "(a, axis=-1, kind=None, order=None, *, stable=None)",
        (form("tf.sort(tf.reshape({a}, [-1]))", equals("axis", None)), form("tf.sort({a}, axis={axis|-1})")),
        ignored=("kind", "stable"),
    ),
    Row("numpy.msort", "(a)", (form("tf.sort({a}, axis=0)"),)),
    *(
        Row(f"numpy.{name}", "(a, *others)", effect=Effect.NO_COUNTERPART, reason=_UNSORTED)
        for name in ("partition", "sort_complex")
    ),
    # positions
    *(
        _position(
            name,
            form(f"tf.{name}({{a}}, axis={{axis}})", given("axis"), absent("keepdims")),
            form(f"tf.{name}({{a}}, axis=0)", rank("a", 1), absent("keepdims")),
            form(f"tf.{name}(tf.reshape({{a}}, [-1]))", absent("axis"), absent("keepdims")),
            form(f"tf.expand_dims(tf.{name}({{a}}, axis={{axis}}), axis={{axis}})", equals("keepdims", True)),
        )
        for name in ("argmax", "argmin")
    ),
    _position(
        "argsort",
        form("tf.argsort(tf.reshape({a}, [-1]))", equals("axis", None)),
        form("tf.argsort({a}, axis={axis|-1})"),
        signature="(a, axis=-1, kind=None, order=None, *, stable=None)",
    ),
    _position(
        "searchsorted",
        form("tf.searchsorted({a}, {v}, side={side})", rank("v", 1)),
        signature="(a, v, side='left', sorter=None)",
        together=("a", "v"),
    ),
    _position("argwhere", form("tf.where({a})"), signature="(a)"),
    _position("nonzero", form(f"{_TNP}.nonzero({{a}})"), signature="(a)"),
    _position("flatnonzero", form("tf.where(tf.reshape({a}, [-1]))[:, 0]"), signature="(a)"),
    *(_position(name, signature="(a, *others)") for name in ("argpartition", "nanargmax", "nanargmin", "lexsort")),
    # sets
    Row(
        "numpy.unique",
        "(ar, return_index=False, return_inverse=False, return_counts=False, axis=None, equal_nan=True, sorted=True)",
        (form("tf.stop_gradient(tf.sort(tf.unique(tf.reshape({ar}, [-1]))[0]))"),),
        Effect.NO_GRADIENT,
        _SET,
        ignored=("equal_nan", "sorted"),
    ),
    *(
        Row(f"numpy.{name}", "(x, *others)", effect=Effect.NO_GRADIENT, reason=_SET)
        for name in (
            *("unique_all", "unique_counts", "unique_inverse", "unique_values", "in1d", "isin", "union1d"),
            *("intersect1d", "setdiff1d", "setxor1d"),
        )
    ),
    # truth values
    _truth(
        "isclose",
        _CLOSE,
        form(f"{_TNP}.isclose({{a}}, {{b}}, rtol={{rtol}}, atol={{atol}}, equal_nan={{equal_nan}})"),
        together=("a", "b"),
    ),
    _truth(
        "allclose",
        _CLOSE,
        form(f"{_TNP}.allclose({{a}}, {{b}}, rtol={{rtol}}, atol={{atol}}, equal_nan={{equal_nan}})"),
        together=("a", "b"),
    ),
    _truth(
        "array_equal", "(a1, a2, equal_nan=False)", form(f"{_TNP}.array_equal({{a1}}, {{a2}})"), together=("a1", "a2")
    ),
    _truth("array_equiv", "(a1, a2)"),
    _truth("isposinf", "(x, out=None)", form(f"{_TNP}.isposinf({{x}})")),
    _truth("isneginf", "(x, out=None)", form(f"{_TNP}.isneginf({{x}})")),
    _truth("signbit", _ONE, form(f"{_TNP}.signbit({{x}})")),
    _truth("isreal", "(x)", form(f"{_TNP}.isreal({{x}})")),
    _truth("iscomplex", "(x)", form(f"{_TNP}.iscomplex({{x}})")),
    _truth("isnat", _ONE),
)
