"""NumPy's scalar types, called as conversions, and its other classes."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.facts.rows import Effect, Row, form

_WHOLE: Final = "a whole number has no derivative; keep the float, and convert where an index is needed"
_TRUTH: Final = "a truth value has no derivative; it can select, not carry gradient"
_WIDER: Final = "TensorFlow has no such precision"
_NOT_NUMBERS: Final = "it does not hold numbers that TensorFlow computes with"
_LOOPS: Final = "it walks over an array in Python: write the computation on whole tensors"

#: TensorFlow's name of each type, and NumPy's names.
_FLOATS: Final = {
    "float16": ("float16", "half"),
    "float32": ("float32", "single"),
    "float64": ("float64", "double", "float_"),
    "complex64": ("complex64", "csingle"),
    "complex128": ("complex128", "cdouble", "complex_"),
}
_INTEGERS: Final = {
    "int8": ("int8", "byte"),
    "int16": ("int16", "short"),
    "int32": ("int32", "intc"),
    "int64": ("int64", "int_", "long", "longlong", "intp"),
    "uint8": ("uint8", "ubyte"),
    "uint16": ("uint16", "ushort"),
    "uint32": ("uint32", "uintc"),
    "uint64": ("uint64", "uint", "uintp", "ulong", "ulonglong"),
}

ROWS: Final[tuple[Row, ...]] = (
    *(
        Row(f"numpy.{name}", "(x=0)", (form(f"tf.cast({{x}}, tf.{own})"),), gives=own)
        for own, names in _FLOATS.items()
        for name in names
    ),
    *(
        Row(f"numpy.{name}", "(x=0)", (form(f"tf.cast({{x}}, tf.{own})"),), Effect.NO_GRADIENT, _WHOLE, gives=own)
        for own, names in _INTEGERS.items()
        for name in names
    ),
    *(
        Row(f"numpy.{name}", "(x=False)", (form("tf.cast({x}, tf.bool)"),), Effect.NO_GRADIENT, _TRUTH, gives="bool")
        for name in ("bool", "bool_")
    ),
    *(
        Row(f"numpy.{name}", "(x=0)", effect=Effect.NO_COUNTERPART, reason=_WIDER)
        for name in ("longdouble", "clongdouble", "float128", "complex256", "float96", "complex192")
    ),
    *(
        Row(f"numpy.{name}", "(*args, **kwargs)", effect=Effect.NO_COUNTERPART, reason=_NOT_NUMBERS)
        for name in (
            *("bytes_", "str_", "object_", "void", "datetime64", "timedelta64", "character", "flexible", "generic"),
            *("number", "integer", "signedinteger", "unsignedinteger", "inexact", "floating", "complexfloating"),
            *("record", "recarray", "memmap", "matrix", "ndarray", "busdaycalendar", "poly1d", "ufunc"),
        )
    ),
    *(
        Row(f"numpy.{name}", "(*args, **kwargs)", effect=Effect.NO_COUNTERPART, reason=_LOOPS)
        for name in ("broadcast", "flatiter", "ndenumerate", "ndindex", "nditer", "nested_iters", "vectorize")
    ),
    *(
        Row(f"numpy.{name}", "(*args, **kwargs)", effect=Effect.SHAPE)
        for name in ("dtype", "finfo", "iinfo", "errstate")
    ),
)
