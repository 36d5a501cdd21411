"""Places of an axis as sums: `k + 1` is one behind `k`, whatever `k` is."""

from __future__ import annotations

import libcst as cst

from tfgradfix_codemods.nodes import operand, source


def following(place: cst.BaseExpression) -> cst.BaseExpression | None:
    """The place behind ``place``; None where that is the end of the axis, behind -1."""
    base, offset = split(place)
    if base is None:
        return None if offset == -1 else number(offset + 1)
    return shifted(base, offset + 1)


def split(place: cst.BaseExpression) -> tuple[cst.BaseExpression | None, int]:
    """``place`` as something and a number that is added to it; ``(None, 3)`` for the number 3 itself."""
    value = integer(place)
    if value is not None:
        return None, value
    if isinstance(place, cst.BinaryOperation) and isinstance(place.operator, (cst.Add, cst.Subtract)):
        right = integer(place.right)
        if right is not None:
            base, offset = split(place.left)
            return base, offset + (right if isinstance(place.operator, cst.Add) else -right)
    return place, 0


def integer(node: cst.BaseExpression) -> int | None:
    """The integer that is written there, or None."""
    if isinstance(node, cst.Integer):
        return node.evaluated_value
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        inner = integer(node.expression)
        return None if inner is None else -inner
    return None


def number(value: int) -> cst.BaseExpression:
    """The node for an integer."""
    if value < 0:
        return cst.UnaryOperation(cst.Minus(), cst.Integer(str(-value)))
    return cst.Integer(str(value))


def shifted(base: cst.BaseExpression, offset: int) -> cst.BaseExpression:
    """``base + offset``."""
    if offset == 0:
        return base.deep_clone()
    sign = cst.Add() if offset > 0 else cst.Subtract()
    left = base if isinstance(base, cst.BinaryOperation) and is_sum(base) else operand(base)
    return cst.BinaryOperation(left.deep_clone(), sign, cst.Integer(str(abs(offset))))


def is_sum(node: cst.BinaryOperation) -> bool:
    """Whether more may be added to an operation without parentheses."""
    return isinstance(node.operator, (cst.Add, cst.Subtract, cst.Multiply, cst.Divide, cst.FloorDivide, cst.Modulo))


def are_apart(one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
    """Whether two places are different ones: `k` and `k + 1`, 0 and 2, but not 0 and -1."""
    (left, first), (right, second) = split(one), split(other)
    if (left is None) != (right is None) or (left is not None and right is not None and source(left) != source(right)):
        return False
    return first != second and (left is not None or (first < 0) == (second < 0))
