"""NumPy's Fourier transforms. TensorFlow's work along the last axes."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.facts.rows import Effect, Form, Row, absent, equals, form, given, rank

_LAST: Final = "TensorFlow transforms along the last axes: move the axis there first"
_DATA: Final = "it makes data, through which no gradient passes"
_ONE: Final = "(a, n=None, axis=-1, norm=None, out=None)"
_MANY: Final = "(a, s=None, axes=None, norm=None, out=None)"
_TWO: Final = "(a, s=None, axes=(-2, -1), norm=None, out=None)"


def _row(name: str, signature: str, *forms: Form, gives: str = "complex") -> Row:
    return Row(f"numpy.fft.{name}", signature, forms, reason=_LAST, gives=gives)


def _one(name: str, operand: str, gives: str) -> Row:
    """A transform along the last axis; ``operand`` is how the operand stands in it."""
    plain = f"tf.signal.{name}({operand})"
    forms = [form(plain, equals("axis", -1)), form(plain, equals("axis", 0), rank("a", 1))]
    if "r" in name:
        sized = f"tf.signal.{name}({operand}, fft_length=[{{n}}])"
        forms = [form(sized, given("n"), equals("axis", -1)), form(plain, absent("n"), equals("axis", -1)), forms[1]]
    return _row(name, _ONE, *forms, gives=gives)


def _several(name: str, operand: str) -> Row:
    """A transform along all axes."""
    return _row(
        name,
        _MANY,
        form(f"tf.signal.{name[:-1]}({operand})", rank("a", 1)),
        form(f"tf.signal.{name[:-1]}2d({operand})", rank("a", 2)),
        *((form(f"tf.signal.{name[:-1]}3d({operand})", rank("a", 3)),) if "r" not in name else ()),
    )


ROWS: Final[tuple[Row, ...]] = (
    _one("fft", "{a:complex}", "complex"),
    _one("ifft", "{a:complex}", "complex"),
    _one("rfft", "{a}", "complex"),
    _one("irfft", "{a:complex}", "real"),
    *(_row(f"{name}2", _TWO, form(f"tf.signal.{name}2d({{a:complex}})")) for name in ("fft", "ifft")),
    _row("rfft2", _TWO, form("tf.signal.rfft2d({a})")),
    _row("irfft2", _TWO, form("tf.signal.irfft2d({a:complex})"), gives="real"),
    _several("fftn", "{a:complex}"),
    _several("ifftn", "{a:complex}"),
    _several("rfftn", "{a}"),
    *(
        Row(f"numpy.fft.{name}", "(x, axes=None)", (form(f"tf.signal.{name}({{x}}, axes={{axes}})"),))
        for name in ("fftshift", "ifftshift")
    ),
    *(Row(f"numpy.fft.{name}", "(n, d=1.0)", effect=Effect.CONSTANT, reason=_DATA) for name in ("fftfreq", "rfftfreq")),
    *(
        Row(f"numpy.fft.{name}", _ONE, effect=Effect.NO_COUNTERPART, reason="TensorFlow has no such transform")
        for name in ("hfft", "ihfft", "irfftn")
    ),
)
