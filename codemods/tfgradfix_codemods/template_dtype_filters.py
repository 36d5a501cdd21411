"""Filters that have to do with dtypes: ``{dtype:dtype}``, ``{x:dtype_of}``, ``{x:complex}``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.nodes import atom, call, dotted_text, source
from tfgradfix_codemods.template_arguments import NeedsName, is_simple, literal_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tfgradfix_codemods.template_arguments import Argument

    TensorFlow = Callable[[str], cst.BaseExpression]

#: TensorFlow's name for what NumPy understands as a dtype. `float` is float64 to NumPy and float32 to TensorFlow.
_DTYPES: Final[Mapping[str, str]] = {
    **{name: name for name in ("float16", "float32", "float64", "complex64", "complex128", "bool")},
    **{f"{sign}int{bits}": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    "float": "float64",
    "double": "float64",
    "single": "float32",
    "half": "float16",
    "int": "int64",
    "complex": "complex128",
    "bool_": "bool",
    "float_": "float64",
    "int_": "int64",
    "complex_": "complex128",
    "f2": "float16",
    "f4": "float32",
    "f8": "float64",
    "i4": "int32",
    "i8": "int64",
    "c8": "complex64",
    "c16": "complex128",
    "f": "float32",
    "d": "float64",
    "?": "bool",
    "cdouble": "complex128",
    "csingle": "complex64",
    "i": "int32",
    "u1": "uint8",
    "longlong": "int64",
}

#: What means a dtype when it stands alone; `f` or `d` would be somebody's variable.
_DTYPE_NAMES: Final = frozenset({"float", "int", "complex", "bool", "float32", "float64", "complex64", "complex128"})

#: The modules in whose namespace a dtype's name means that dtype, by the names they usually have.
_DTYPE_MODULES: Final = frozenset({"np", "numpy", "onp", "tf", "tensorflow", "jnp"})


def tensorflow_dtype(arguments: tuple[Argument, ...], tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
    """The dtype as TensorFlow names it; an expression that is not a name of a dtype (`y.dtype`) stays as it is."""
    argument = arguments[0]
    name = argument.operand.dtype if argument.operand.kind == "dtype" else _dtype_name(argument.node)
    if name is not None and name in _DTYPES:
        return tensorflow(_DTYPES[name])
    if isinstance(argument.node, cst.SimpleString) or source(argument.node) in ("object", "str", "bytes"):
        return Decline(f"TensorFlow has no dtype {source(argument.node)}")
    return argument.node


def _dtype_name(node: cst.BaseExpression) -> str | None:
    """The dtype that an expression names: `np.float32`, `"f4"`, `np.dtype("float32")`, `float`."""
    if isinstance(node, cst.SimpleString):
        text = str(literal_of(node)).lstrip("<=|")
        return text if text in _DTYPES else None
    if isinstance(node, cst.Name):
        return node.value if node.value in _DTYPE_NAMES else None
    if isinstance(node, cst.Call) and (dotted_text(node.func) or "").endswith(".dtype") and len(node.args) == 1:
        return _dtype_name(node.args[0].value)
    text = dotted_text(node) or ""
    module, _, name = text.rpartition(".")
    return name if module in _DTYPE_MODULES else None


def dtype_of(arguments: tuple[Argument, ...], tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
    """The dtype of the argument itself: its name when known, else `x.dtype`."""
    argument = arguments[0]
    name = argument.operand.dtype or ""
    if name in _DTYPES and argument.operand.kind in ("tensor", "variable", "list", "tuple"):
        return tensorflow(_DTYPES[name])
    named = is_simple(argument.node) and not isinstance(argument.node, (cst.List, cst.Tuple))
    if named and argument.operand.kind in ("tensor", "variable", "unknown"):
        return cst.Attribute(atom(argument.node.deep_clone()), cst.Name("dtype"))
    return NeedsName(f"the dtype of {source(argument.node)} is not known")


def as_complex(arguments: tuple[Argument, ...], tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
    """The argument as a complex tensor, in a cast where it is real."""
    argument = arguments[0]
    if (argument.operand.dtype or "").startswith("complex"):
        return argument.node
    wide = {"float32": "complex64", "float64": "complex128"}.get(argument.operand.dtype or "")
    if wide is None:
        return Decline(f"whether {source(argument.node)} is complex is not known")
    return call(tensorflow("cast"), argument.node, tensorflow(wide))
