"""Filters of placeholders: ``{shape:list}``, ``{dtype:dtype}``, ``{x:float}``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import libcst as cst
import libcst.matchers as m

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.nodes import atom, call, dotted_text, source
from tfgradfix_codemods.template_arguments import is_simple, literal_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tfgradfix_codemods.template_arguments import Argument

    TensorFlow = Callable[[str], cst.BaseExpression]
    Filter = Callable[[tuple[Argument, ...], TensorFlow], cst.BaseExpression | Decline]

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


def as_list(arguments: tuple[Argument, ...], _tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
    """Sizes or axes as one list: several arguments, or a lone number, get brackets; a tuple or list stays."""
    if len(arguments) > 1:
        return _listed(*(argument.node for argument in arguments))
    node, kind = arguments[0].node, arguments[0].operand.kind
    if isinstance(node, (cst.List, cst.Tuple)) or kind in ("list", "tuple", "shape", "ndarray"):
        return node
    if kind == "number" or _is_integer(node):
        return _listed(node)
    return Decline(f"{source(node)} may be one number or several, which TensorFlow tells apart")


def _listed(*items: cst.BaseExpression) -> cst.List:
    return cst.List([cst.Element(item) for item in items])


def as_permutation(arguments: tuple[Argument, ...], tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
    """Axes as one list, counted from the front: the gradient of TensorFlow's transpose wants them so."""
    listed = as_list(arguments, tensorflow)
    if not isinstance(listed, (cst.List, cst.Tuple)):
        return listed
    items = [_from_front(item, len(listed.elements)) for item in listed.elements]
    return listed.with_changes(elements=items)


def _from_front(item: cst.BaseElement, size: int) -> cst.BaseElement:
    if isinstance(item.value, cst.UnaryOperation) and _is_integer(item.value):
        return item.with_changes(value=cst.Integer(str(int(source(item.value)) % size)))
    return item


def _is_integer(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.UnaryOperation):
        return _is_integer(node.expression)
    return isinstance(node, cst.Integer)


def as_float(arguments: tuple[Argument, ...], _tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
    """A whole number written with its decimal point, so that TensorFlow does not make an integer tensor of it."""
    node = arguments[0].node
    if isinstance(node, cst.Integer) and node.value.isdecimal():
        return cst.Float(f"{node.value}.0", lpar=node.lpar, rpar=node.rpar)
    if isinstance(node, cst.UnaryOperation) and isinstance(node.expression, cst.Integer):
        inner = cst.Float(f"{node.expression.value}.0")
        return node.with_changes(expression=inner)
    return node


def logarithm(arguments: tuple[Argument, ...], _tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
    """The natural logarithm of a number that is written out."""
    try:
        number = literal_of(arguments[0].node)
    except ValueError:
        number = None
    if not isinstance(number, (int, float)) or number <= 0:
        return Decline(f"{source(arguments[0].node)} is not a positive number")
    return cst.parse_expression(repr(math.log(number)))


def dtype_of(arguments: tuple[Argument, ...], tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
    """The dtype of the argument itself: its name when known, else `x.dtype`."""
    argument = arguments[0]
    name = argument.operand.dtype or ""
    if name in _DTYPES and argument.operand.kind in ("tensor", "variable"):
        return tensorflow(_DTYPES[name])
    if is_simple(argument.node) and argument.operand.kind in ("tensor", "variable", "unknown"):
        return cst.Attribute(atom(argument.node.deep_clone()), cst.Name("dtype"))
    return Decline(f"the dtype of {source(argument.node)} is not known")


def as_complex(arguments: tuple[Argument, ...], tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
    """The argument as a complex tensor, in a cast where it is real."""
    argument = arguments[0]
    if (argument.operand.dtype or "").startswith("complex"):
        return argument.node
    wide = {"float32": "complex64", "float64": "complex128"}.get(argument.operand.dtype or "")
    if wide is None:
        return Decline(f"whether {source(argument.node)} is complex is not known")
    return call(tensorflow("cast"), argument.node, tensorflow(wide))


def as_indices(arguments: tuple[Argument, ...], _tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
    """Indices; one written out as negative counts from the end, which TensorFlow does not know."""
    node = arguments[0].node
    if m.findall(node, m.UnaryOperation(operator=m.Minus())):
        return Decline("TensorFlow does not count negative indices from the end")
    return node


def as_items(arguments: tuple[Argument, ...], _tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
    """Something that can be stacked: the list of a generator, a list as it is."""
    node = arguments[0].node
    if isinstance(node, cst.GeneratorExp):
        return cst.ListComp(node.elt, node.for_in)
    return node


def _item(index: int) -> Filter:
    """The argument with this number among those of a parameter that takes the rest."""

    def item(arguments: tuple[Argument, ...], _tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
        return arguments[index].node

    return item


FILTERS: Final[Mapping[str, Filter]] = {
    "0": _item(0),
    "1": _item(1),
    "2": _item(2),
    "complex": as_complex,
    "indices": as_indices,
    "items": as_items,
    "dtype": tensorflow_dtype,
    "dtype_of": dtype_of,
    "list": as_list,
    "log": logarithm,
    "perm": as_permutation,
    "float": as_float,
}
