"""What is known of the size of a value: whether a logarithm, root or quotient of it is finite whatever the data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.nodes import source

if TYPE_CHECKING:
    from tfgradfix_codemods.sites import Site

#: Functions whose result is never negative. (sigmoid and exp may round to zero.)
NONNEGATIVE: Final = frozenset(
    {"square", "squared_difference", "abs", "absolute", "relu", "relu6", "sigmoid", "softplus", "exp", "sqrt"}
    | {"softmax", "one_hot", "norm", "size", "l2_loss"}
)

#: Functions whose result is never negative when their argument is not.
KEEP_SIGN: Final = frozenset(
    {"reduce_sum", "reduce_mean", "reduce_max", "reduce_min", "sum", "mean", "max", "min", "cast", "identity"}
)

#: Below this float32 rounds to zero.
SMALLEST: Final = 1e-37

CONSTANTS: Final = {"numpy.pi": math.pi, "math.pi": math.pi, "numpy.e": math.e, "math.e": math.e}


def constant(node: cst.BaseExpression, site: Site) -> float | None:
    """The number that ``node`` always is, or None."""
    if isinstance(node, (cst.Integer, cst.Float)):
        return float(node.evaluated_value)
    if isinstance(node, (cst.Name, cst.Attribute)):
        return constant_name(node, site)
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        value = constant(node.expression, site)
        return None if value is None else -value
    if isinstance(node, cst.BinaryOperation):
        return constant_result(node, site)
    return None


def constant_name(node: cst.Name | cst.Attribute, site: Site) -> float | None:
    """The number behind `math.pi`, or behind a name with one binding."""
    full = site.full_name(node)
    if full in CONSTANTS:
        return CONSTANTS[full]
    values = site.values(node.value) if isinstance(node, cst.Name) else ()
    if len(values) != 1 or values[0].parameter or values[0].value is None or site.is_far:
        return None
    return constant(values[0].value, site if source(node) in site.local else site.at(values[0].place))


def constant_result(node: cst.BinaryOperation, site: Site) -> float | None:
    """The sum, difference, product or quotient of constants."""
    left, right = constant(node.left, site), constant(node.right, site)
    if left is None or right is None:
        return None
    if isinstance(node.operator, cst.Add):
        return left + right
    if isinstance(node.operator, cst.Subtract):
        return left - right
    if isinstance(node.operator, cst.Multiply):
        return left * right
    if isinstance(node.operator, cst.Divide) and right != 0:
        return left / right
    return None


def is_positive(node: cst.BaseExpression, site: Site) -> bool:
    """Whether ``node`` is greater than zero whatever the data, rounding included."""
    value = constant(node, site)
    if value is not None:
        return value >= SMALLEST
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
        pairs = ((node.left, node.right), (node.right, node.left))
        return any(is_positive(one, site) and is_nonnegative(other, site) for one, other in pairs)
    if isinstance(node, cst.Call):
        known = site.operation(node.func)
        arguments = [argument.value for argument in node.args]
        if known is not None and known.name == "maximum" and len(arguments) == 2:
            return any(is_positive(argument, site) for argument in arguments)
        if known is not None and known.name in {"clip_by_value", "clip"} and len(arguments) == 3:
            return is_positive(arguments[1], site)
        return known is not None and known.name in KEEP_SIGN and len(arguments) > 0 and is_positive(arguments[0], site)
    return False


def is_nonnegative(node: cst.BaseExpression, site: Site) -> bool:
    """Whether ``node`` is never below zero."""
    value = constant(node, site)
    if value is not None:
        return value >= 0
    if isinstance(node, cst.BinaryOperation):
        if isinstance(node.operator, cst.Power):
            return constant(node.right, site) in {2.0, 4.0}
        if isinstance(node.operator, (cst.Add, cst.Multiply)):
            return is_nonnegative(node.left, site) and is_nonnegative(node.right, site)
        return False
    if isinstance(node, cst.Call):
        known = site.operation(node.func)
        if known is None:
            return False
        first = node.args[0].value if node.args else None
        return known.name in NONNEGATIVE or (
            known.name in KEEP_SIGN and first is not None and is_nonnegative(first, site)
        )
    return is_positive(node, site) if isinstance(node, cst.Call) else False


def is_nonpositive(node: cst.BaseExpression, site: Site) -> bool:
    """Whether ``node`` is never above zero: `-x`, `-0.5 * x` of something that is never below."""
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        return is_nonnegative(node.expression, site)
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, (cst.Multiply, cst.Divide)):
        if is_nonpositive(node.left, site):
            return is_nonnegative(node.right, site)
        value = constant(node.left, site)
        return value is not None and value <= 0 and is_nonnegative(node.right, site)
    return False
