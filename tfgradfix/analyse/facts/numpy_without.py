"""NumPy's functions that no gradient can pass through, by the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tfgradfix.analyse.facts.rows import Effect, Row

if TYPE_CHECKING:
    from collections.abc import Mapping

_NO_COUNTERPART: Final[Mapping[str, tuple[str, ...]]] = {
    "a tensor cannot be changed in place; build the new value instead": (
        *("copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask", "resize"),
    ),
    "it is about a file or a text, which is outside the gradient": (
        *("array2string", "array_repr", "array_str", "base_repr", "binary_repr", "format_float_positional"),
        *("format_float_scientific", "fromfile", "fromregex", "genfromtxt", "load", "loadtxt", "save", "savetxt"),
        *("savez", "savez_compressed", "datetime_as_string", "datetime_data", "typename", "mintypecode"),
    ),
    "it calls a Python function on parts of an array: write the computation on whole tensors, or use tf.map_fn": (
        *("apply_along_axis", "apply_over_axes", "frompyfunc", "piecewise"),
    ),
    "the size of its result depends on the values or is built up in Python: use tf.concat and slices": (
        *("block", "bmat", "delete", "insert", "trim_zeros", "choose"),
    ),
    "TensorFlow has no such order of axes: use tf.transpose with the whole list of axes": ("rollaxis",),
    "it is about dates": ("busday_count", "busday_offset", "is_busday"),
    "it makes a kind of array that TensorFlow does not have": ("asmatrix",),
    "it is about the memory of an array, which a tensor does not show": ("asfortranarray", "require"),
    "it stops on NaN; tf.debugging.check_numerics does so for a tensor": ("asarray_chkfinite",),
}

#: Tell of types, sizes and settings: Python values on both sides.
_TELLING: Final = (
    *("broadcast_shapes", "can_cast", "common_type", "get_include", "get_printoptions", "getbufsize", "geterr"),
    *("geterrcall", "info", "iscomplexobj", "isdtype", "isfortran", "isrealobj", "isscalar", "issubdtype", "iterable"),
    *("may_share_memory", "min_scalar_type", "printoptions", "promote_types", "result_type", "set_printoptions"),
    *("setbufsize", "seterr", "seterrcall", "shares_memory", "show_config", "show_runtime", "test", "linalg.test"),
    *(
        "fft.test",
        "random.test",
        "linalg.LinAlgError",
        "testing.assert_allclose",
        "testing.assert_equal",
        "testing.assert_array_equal",
    ),
    *("testing.assert_almost_equal", "testing.assert_array_almost_equal", "testing.assert_array_less"),
)

ROWS: Final[tuple[Row, ...]] = (
    *(
        Row(f"numpy.{name}", "(*args, **kwargs)", effect=Effect.NO_COUNTERPART, reason=reason)
        for reason, names in _NO_COUNTERPART.items()
        for name in names
    ),
    *(Row(f"numpy.{name}", "(*args, **kwargs)", effect=Effect.SHAPE) for name in _TELLING),
)
