"""Builds statements."""

from __future__ import annotations

import ast

import libcst as cst

from tfgradfix_codemods.nodes import parenthesise, source

Lines = list[cst.SimpleStatementLine]


def assignment(name: str, operator: cst.BaseAugOp | None, value: cst.BaseExpression) -> cst.SimpleStatementLine:
    """`name = value`, or `name += value`."""
    if operator is not None:
        return line(cst.AugAssign(cst.Name(name), operator, standing(value)))
    return line(cst.Assign([cst.AssignTarget(cst.Name(name))], standing(value)))


def standing(value: cst.BaseExpression) -> cst.BaseExpression:
    """``value`` fit to be the right side of a statement: in parentheses if its line breaks need them."""
    if value.lpar or "\n" not in source(value):
        return value
    try:
        ast.parse(source(value), mode="eval")
    except SyntaxError:
        return parenthesise(value)
    return value


def line(small: cst.BaseSmallStatement) -> cst.SimpleStatementLine:
    """A small statement as a line."""
    return cst.SimpleStatementLine([small])
