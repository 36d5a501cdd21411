"""Breaks a long line at the arguments of its outermost call."""

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
    if isinstance(statement, cst.SimpleStatementLine) and length(statement) > room:
        return broken(statement, tree.module.default_indent)
    return statement


def length(line: cst.SimpleStatementLine) -> int:
    """How long a line is without its comments."""
    return len(source(line.with_changes(leading_lines=[], trailing_whitespace=cst.TrailingWhitespace())).rstrip())


def broken(line: cst.SimpleStatementLine, step: str) -> cst.SimpleStatementLine:
    """``line``, each argument of its outermost call on a line of its own."""
    small = line.body[0]
    if isinstance(small, (cst.Assign, cst.AugAssign, cst.Return)) and isinstance(small.value, cst.Call):
        return line.with_changes(body=[small.with_changes(value=spread(small.value, step))])
    return line


def spread(call: cst.Call, step: str) -> cst.Call:
    """``call`` with a line for each argument."""
    inner, outer = new_line(step), new_line("")
    between = cst.Comma(whitespace_after=inner)
    arguments = [
        argument.with_changes(comma=between, whitespace_after_arg=cst.SimpleWhitespace("")) for argument in call.args
    ]
    arguments[-1] = arguments[-1].with_changes(comma=cst.Comma(whitespace_after=outer))
    return call.with_changes(args=arguments, whitespace_before_args=inner)


def new_line(step: str) -> cst.ParenthesizedWhitespace:
    """A line break, then the indentation of the block and ``step``."""
    return cst.ParenthesizedWhitespace(indent=True, last_line=cst.SimpleWhitespace(step))
