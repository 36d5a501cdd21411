"""Breaks a long line at the arguments of its outermost call, and a list that is computed before its `for`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.nodes import source

if TYPE_CHECKING:
    from tfgradfix_codemods.trees import Tree

#: The width that is kept in any case, and the width up to which the file's own longest line is followed.
NARROW: Final = 88
WIDE: Final = 120


def fitted(statement: cst.BaseStatement, place: cst.CSTNode, tree: Tree) -> cst.BaseStatement:
    """``statement``, which takes the place of ``place``, broken if it is long; a block stays as it is."""
    depth = sum(isinstance(node, cst.IndentedBlock) for node in tree.path(place))
    room = min(max(NARROW, tree.longest_line), WIDE) - depth * len(tree.module.default_indent)
    if not isinstance(statement, cst.SimpleStatementLine) or length(statement) <= room:
        return statement
    small = statement.body[0]
    if isinstance(small, (cst.Assign, cst.AugAssign, cst.Return)) and small.value is not None:
        value = broken(small.value, tree.module.default_indent, room, level=1)
        return statement.with_changes(body=[small.with_changes(value=value)])
    return statement


def length(line: cst.SimpleStatementLine) -> int:
    """How long a line is without its comments."""
    return len(source(line.with_changes(leading_lines=[], trailing_whitespace=cst.TrailingWhitespace())).rstrip())


def broken(value: cst.BaseExpression, step: str, room: int, level: int) -> cst.BaseExpression:
    """``value`` with its outermost call spread, the longest one if it is an operation on several."""
    if isinstance(value, cst.Call) and value.args:
        return spread(value, step, room, level)
    if isinstance(value, cst.ListComp):
        return listed(value, step, level)
    if isinstance(value, cst.UnaryOperation):
        return value.with_changes(expression=broken(value.expression, step, room, level))
    if isinstance(value, cst.BinaryOperation):
        side = "left" if longest_call(value.left) > longest_call(value.right) else "right"
        return value.with_changes(**{side: broken(getattr(value, side), step, room, level)})
    return value


def longest_call(value: cst.BaseExpression) -> int:
    """The length of the longest call that is an operand of ``value``, or all of it."""
    if isinstance(value, cst.BinaryOperation):
        return max(longest_call(value.left), longest_call(value.right))
    return len(source(value)) if isinstance(value, cst.Call) else 0


def spread(call: cst.Call, step: str, room: int, level: int) -> cst.Call:
    """``call`` with a line for each argument, and arguments that are too long for a line broken likewise.

    Args:
        call: a call with arguments.
        step: one step of indentation.
        room: the columns from the block's indentation to the end of the line.
        level: how many steps the arguments are indented.
    """
    inner, outer = new_line(step * level), new_line(step * (level - 1))
    arguments = []
    for argument in call.args:
        value = argument.value
        # An operation is easier to read on one line, even a long one.
        width = room if isinstance(value, (cst.Call, cst.ListComp)) else WIDE
        if len(source(argument)) > width - len(step) * level:
            value = broken(value, step, room, level + 1)
        after = cst.SimpleWhitespace("")
        arguments.append(argument.with_changes(value=value, comma=comma(inner), whitespace_after_arg=after))
    arguments[-1] = arguments[-1].with_changes(comma=comma(outer))
    return call.with_changes(args=arguments, whitespace_before_args=inner)


def listed(value: cst.ListComp, step: str, level: int) -> cst.ListComp:
    """A list that is computed, with a line for the element and one for where it comes from."""
    inner, outer = new_line(step * level), new_line(step * (level - 1))
    return value.with_changes(
        lbracket=cst.LeftSquareBracket(whitespace_after=inner),
        for_in=value.for_in.with_changes(whitespace_before=inner),
        rbracket=cst.RightSquareBracket(whitespace_before=outer),
    )


def comma(after: cst.BaseParenthesizableWhitespace) -> cst.Comma:
    """A comma and what follows it."""
    return cst.Comma(whitespace_after=after)


def new_line(indentation: str) -> cst.ParenthesizedWhitespace:
    """A line break, then the indentation of the block and some more."""
    return cst.ParenthesizedWhitespace(indent=True, last_line=cst.SimpleWhitespace(indentation))
