"""Filters of placeholders: ``{shape:list}``, ``{dtype:dtype}``, ``{x:float}``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import libcst as cst
import libcst.matchers as m

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.nodes import source
from tfgradfix_codemods.template_arguments import literal_of
from tfgradfix_codemods.template_dtype_filters import as_complex, dtype_of, tensorflow_dtype

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tfgradfix_codemods.template_arguments import Argument

    TensorFlow = Callable[[str], cst.BaseExpression]
    Filter = Callable[[tuple[Argument, ...], TensorFlow], cst.BaseExpression | Decline]


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
