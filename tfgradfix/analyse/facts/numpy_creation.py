"""NumPy's functions that make arrays of their own: constants, ranges, windows, index grids and random numbers."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.facts.rows import (
    Condition,
    Effect,
    Form,
    Row,
    absent,
    form,
    given,
    kind,
    operators,
    rank,
    same_rank,
)

_TNP: Final = "tf.experimental.numpy"
_DATA: Final = "it makes data, through which no gradient passes"
_DRAWN: Final = "a draw has no derivative with respect to its parameters; scale and shift a standard draw instead"
_SHUFFLED: Final = "it moves the values in place: take them in a random order with tf.gather"
_LIKE: Final = "(a, dtype=None, order='K', subok=True, shape=None, device=None)"
_SPACED: Final = "(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None)"

_CONSTANT: Final = (
    *("arange", "bartlett", "blackman", "hamming", "hanning", "kaiser", "empty", "empty_like"),
    *("eye", "identity", "zeros", "ones", "tri", "indices", "fromfunction", "fromiter", "frombuffer", "fromstring"),
    *("diag_indices", "diag_indices_from", "tril_indices", "tril_indices_from", "triu_indices", "triu_indices_from"),
    *("mask_indices", "unravel_index", "ravel_multi_index", "ix_", "from_dlpack"),
)

_DRAWS: Final = (
    *("beta", "binomial", "bytes", "chisquare", "dirichlet", "f", "geometric", "hypergeometric"),
    *("integers", "logseries", "multinomial", "multivariate_hypergeometric", "multivariate_normal"),
    *(
        "negative_binomial",
        "noncentral_chisquare",
        "noncentral_f",
        "pareto",
        "poisson",
        "power",
    ),
    *("rand", "randint", "randn", "random", "random_integers", "random_sample", "ranf", "sample"),
    *("standard_cauchy", "standard_exponential", "standard_gamma", "standard_normal", "standard_t", "triangular"),
    *("vonmises", "wald", "weibull", "zipf"),
)


def _like(name: str) -> Row:
    return Row(
        f"numpy.{name}",
        _LIKE,
        (form(f"tf.{name}({{a}}, dtype={{dtype:dtype}})"),),
        Effect.CONSTANT,
        ignored=("order", "subok", "device"),
    )


def _between(write: str) -> tuple[Form, ...]:
    """The forms of a range between two ends, of which one at least is known to be a tensor."""
    return tuple(form(write, kind(end, "tensor", "variable")) for end in ("start", "stop"))


def _drawn(name: str, first: str, second: str, standard: str, forms: tuple[str, str, str]) -> tuple[Row, ...]:
    """A draw that is a standard draw, shifted and scaled: the same numbers in the same order, with gradient.

    ``forms`` are the texts when both parameters are given, the first alone, the second alone; DRAW stands for the
    ``standard`` draw in them, in which SIZE stands for its size: the size given, or that of the parameters together.
    """

    def draw(write: str, size: str, *conditions: Condition) -> Form:
        return operators(write.replace("DRAW", standard.replace("SIZE", size)), *conditions)

    def of(parameter: str) -> Condition:
        return kind(parameter, "tensor", "variable")

    both, only_first, only_second = forms
    found = [
        draw(both, "{size}", given(first), given(second), given("size")),
        draw(only_first, "{size}", given(first), absent(second), given("size")),
        draw(only_second, "{size}", absent(first), given(second), given("size")),
        draw(both, f"({{{first}}} + {{{second}}}).shape", of(first), of(second)),
        # An expression can only be written once; of equal rank, the parameters are taken to have one shape.
        draw(both, f"{{{first}}}.shape", of(first), of(second), same_rank(first, second)),
        draw(both, f"{{{first}}}.shape", of(first), kind(second, "number")),
        draw(both, f"{{{second}}}.shape", kind(first, "number"), of(second)),
        draw(only_first, f"{{{first}}}.shape", of(first), absent(second)),
        draw(only_second, f"{{{second}}}.shape", absent(first), of(second)),
    ]
    if both.count(first) == 1:
        found.append(draw(both, f"{{{second}}}.shape", of(first), of(second), same_rank(first, second)))
    signature = f"({first}={_DEFAULTS[first]}, {second}={_DEFAULTS[second]}, size=None)"
    return _owned(name, signature, tuple(found), (first, second))


def _scaled(name: str, standard: str) -> tuple[Row, ...]:
    """A draw that is a standard draw, scaled."""
    forms = (
        operators(f"{{scale}} * {standard}".replace("SIZE", "{size}"), given("scale"), given("size")),
        operators(f"{{scale}} * {standard}".replace("SIZE", "{scale}.shape"), kind("scale", "tensor", "variable")),
    )
    return _owned(name, "(scale=1.0, size=None)", forms, ("scale",))


def _owned(
    name: str, signature: str, forms: tuple[Form, ...], carries: tuple[str, ...], reason: str = _DRAWN
) -> tuple[Row, ...]:
    """The row of a draw under `numpy.random` and under its generators."""
    return tuple(
        Row(f"numpy.random.{owner}{name}", signature, forms, reason=reason, carries=carries, widens=True)
        for owner in _OWNERS
    )


_DEFAULTS: Final = {"loc": 0.0, "low": 0.0, "mean": 0.0, "scale": 1.0, "high": 1.0, "sigma": 1.0}
#: The module itself, and generators by what makes them.
_OWNERS: Final = ("", "default_rng.", "RandomState.")
_SHIFTED: Final = ("{loc} + {scale} * DRAW", "{loc} + DRAW", "{scale} * DRAW")


ROWS: Final[tuple[Row, ...]] = (
    *(Row(f"numpy.{name}", "(*args, **kwargs)", effect=Effect.CONSTANT, reason=_DATA) for name in _CONSTANT),
    _like("zeros_like"),
    _like("ones_like"),
    Row(
        "numpy.full_like",
        "(a, fill_value, dtype=None, order='K', subok=True, shape=None, device=None)",
        (
            form("tf.fill(tf.shape({a}), tf.cast({fill_value}, {dtype:dtype}))", given("dtype")),
            form("tf.fill(tf.shape({a}), tf.constant({fill_value}, {a:dtype_of}))", kind("fill_value", "number")),
            form("tf.fill(tf.shape({a}), tf.cast({fill_value}, {a:dtype_of}))", rank("fill_value", 0)),
        ),
        reason="the fill value has to be one number",
        carries=("fill_value",),
        ignored=("order", "subok", "device"),
    ),
    Row(
        "numpy.full",
        "(shape, fill_value, dtype=None, order='C', *, device=None, like=None)",
        (
            form("tf.cast(tf.fill({shape:list}, {fill_value}), {dtype:dtype})", given("dtype"), rank("fill_value", 0)),
            form("tf.fill({shape:list}, {fill_value})", rank("fill_value", 0)),
            form("tf.broadcast_to({fill_value}, {shape:list})", kind("fill_value", "tensor", "variable")),
        ),
        reason="the shape has to be a list or one number, and the fill value a tensor",
        carries=("fill_value",),
        ignored=("order", "device", "like"),
    ),
    Row(
        "numpy.linspace",
        _SPACED,
        _between("tf.linspace({start}, {stop}, {num|50}, axis={axis})"),
        reason="neither end is known to be a tensor",
        carries=("start", "stop"),
        strict=True,
        ignored=("device",),
    ),
    Row(
        "numpy.logspace",
        "(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0)",
        _between("{base:float|10.0} ** tf.linspace({start}, {stop}, {num|50}, axis={axis})"),
        reason="neither end is known to be a tensor",
        carries=("start", "stop"),
        strict=True,
    ),
    Row(
        "numpy.geomspace",
        "(start, stop, num=50, endpoint=True, dtype=None, axis=0)",
        (
            form(
                "tf.exp(tf.linspace(tf.math.log({start}), tf.math.log({stop}), {num|50}, axis={axis}))",
                kind("start", "tensor", "variable"),
                kind("stop", "tensor", "variable"),
            ),
        ),
        reason="both ends have to be tensors",
        carries=("start", "stop"),
        strict=True,
        widens=True,
    ),
    # draws
    *_drawn("normal", "loc", "scale", "{scope}.standard_normal(SIZE)", _SHIFTED),
    *_drawn("laplace", "loc", "scale", "{scope}.laplace(size=SIZE)", _SHIFTED),
    *_drawn("gumbel", "loc", "scale", "{scope}.gumbel(size=SIZE)", _SHIFTED),
    *_drawn("logistic", "loc", "scale", "{scope}.logistic(size=SIZE)", _SHIFTED),
    *_drawn(
        "uniform",
        "low",
        "high",
        "{scope}.random(SIZE)",
        ("{low} + ({high} - {low}) * DRAW", "{low} + (1.0 - {low}) * DRAW", "{high} * DRAW"),
    ),
    *_drawn(
        "lognormal",
        "mean",
        "sigma",
        "{scope}.standard_normal(SIZE)",
        ("tf.exp({mean} + {sigma} * DRAW)", "tf.exp({mean} + DRAW)", "tf.exp({sigma} * DRAW)"),
    ),
    *_owned(
        "permutation",
        "(x, axis=0)",
        (form("tf.gather({x}, {scope}.permutation({x}.shape[0]))", kind("x", "tensor", "variable")),),
        ("x",),
        "",
    ),
    *_owned(
        "choice",
        "(a, size=None, replace=True, p=None)",
        (
            form(
                "tf.gather({a}, {scope}.choice({a}.shape[0], size={size}, replace={replace}, p={p}))",
                kind("a", "tensor", "variable"),
                rank("a", 1),
            ),
        ),
        ("a",),
        "what is drawn from has to be a tensor of rank one",
    ),
    *_scaled("exponential", "{scope}.standard_exponential(SIZE)"),
    *_scaled("rayleigh", "{scope}.rayleigh(size=SIZE)"),
    *(
        Row(f"numpy.random.{owner}{name}", "(*args, **kwargs)", effect=Effect.CONSTANT, reason=_DRAWN)
        for owner in _OWNERS
        for name in (*_DRAWS, "gamma")
    ),
    *(
        Row(f"numpy.random.{owner}{name}", "(x, axis=0)", effect=Effect.NO_COUNTERPART, reason=_SHUFFLED)
        for owner in _OWNERS
        for name in ("shuffle", "permuted")
    ),
)
