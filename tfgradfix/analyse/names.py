"""Canonical names of library things, whatever way they were imported, and what a bare name of a library is."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.objects import LibraryName
from tfgradfix.analyse.values import MISSING, Kind, Value

#: Longest prefix first: another way to reach the same thing → its canonical way.
_ALIASES: Final = (
    ("tensorflow.compat.v2", "tensorflow"),
    ("tensorflow.python.keras", "keras"),
    ("tensorflow.keras", "keras"),
    ("tensorflow._api.v2", "tensorflow"),
    ("keras.api", "keras"),
    ("keras.src", "keras"),
    ("tf_keras", "keras"),
    ("tensorflow.numpy", "tensorflow.experimental.numpy"),
    ("numpy.core.numeric", "numpy"),
    ("numpy.lib.scimath", "numpy"),
    ("keras.models.Sequential", "keras.Sequential"),
    ("keras.models.Model", "keras.Model"),
    ("keras.engine.training.Model", "keras.Model"),
    ("keras.layers.Layer", "keras.Layer"),
    ("keras.losses.Loss", "keras.Loss"),
    ("keras.layers.Input", "keras.Input"),
    ("keras.callbacks.Callback", "keras.Callback"),
)
_DTYPES: Final = frozenset(
    "float16 float32 float64 bfloat16 complex64 complex128 int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
)
_ODD_DTYPES: Final = {
    "numpy.bool_": "bool",
    "numpy.bool": "bool",
    "tensorflow.bool": "bool",
    "numpy.double": "float64",
    "numpy.single": "float32",
    "numpy.float_": "float64",
    "numpy.cfloat": "complex128",
    "numpy.half": "float16",
    "numpy.intp": "int64",
    "tensorflow.double": "float64",
    "tensorflow.half": "float16",
}
_NUMBERS: Final = frozenset("pi e euler_gamma inf nan Inf NaN Infinity NINF PINF tau".split())


def canonical_name(name: str) -> str:
    """The one dotted name that facts are listed under."""
    for alias, canonical in _ALIASES:
        if name == alias or name.startswith(alias + "."):
            return canonical_name(canonical + name[len(alias) :])
    return name


def dtype_name(name: str) -> str | None:
    """The NumPy dtype name of ``numpy.float32``, ``tensorflow.float32`` and the like, else None."""
    root, _, last = name.rpartition(".")
    if root in ("numpy", "tensorflow", "tensorflow.dtypes") and last in _DTYPES:
        return last
    return _ODD_DTYPES.get(name)


def library_value(ref: LibraryName) -> Value:
    """What a bare name of a library is, when it is only read."""
    refs = frozenset({ref})
    dtype = dtype_name(ref.label)
    if dtype is not None:
        return Value(Kind.DTYPE | Kind.FUNCTION, refs=refs, const=dtype)
    root, _, last = ref.label.rpartition(".")
    if root in ("numpy", "math", "scipy.constants") and last in _NUMBERS:
        return Value(Kind.NUMBER, dtype="float", shape=())
    if ref.label == "numpy.newaxis":
        return Value(Kind.NONE, const=None)
    return Value(Kind.MODULE | Kind.FUNCTION, refs=refs, const=MISSING)
