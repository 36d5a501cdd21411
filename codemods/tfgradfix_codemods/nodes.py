"""Small pure builders of LibCST nodes, and questions about nodes, shared by the codemods."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Sequence

Expression = TypeVar("Expression", bound=cst.BaseExpression)

#: Expressions that can stand before `.name`, `(...)` or `[...]` as they are.
ATOMS = (
    cst.Name,
    cst.Attribute,
    cst.Call,
    cst.Subscript,
    cst.List,
    cst.Set,
    cst.Dict,
    cst.ListComp,
    cst.SetComp,
    cst.DictComp,
    cst.SimpleString,
    cst.FormattedString,
)

_EMPTY_MODULE = cst.Module([])


def source(node: cst.CSTNode) -> str:
    """The text of ``node``."""
    return _EMPTY_MODULE.code_for_node(node)


def dotted(name: str) -> cst.Name | cst.Attribute:
    """The node for a dotted name such as ``tf.math.reduce_mean``."""
    first, *rest = name.split(".")
    node: cst.Name | cst.Attribute = cst.Name(first)
    for part in rest:
        node = cst.Attribute(node, cst.Name(part))
    return node


def dotted_text(node: cst.BaseExpression) -> str | None:
    """``"tf.math.exp"`` for such a chain of names, None for anything else."""
    if isinstance(node, cst.Name):
        return node.value
    if isinstance(node, cst.Attribute):
        before = dotted_text(node.value)
        return None if before is None else f"{before}.{node.attr.value}"
    return None


def call(function: cst.BaseExpression, *arguments: cst.BaseExpression, **keywords: cst.BaseExpression) -> cst.Call:
    """``function(arguments, keyword=value)`` in the usual spacing."""
    positional = [cst.Arg(bare(value)) for value in arguments]
    return cst.Call(function, [*positional, *(keyword_argument(name, value) for name, value in keywords.items())])


def keyword_argument(name: str, value: cst.BaseExpression) -> cst.Arg:
    """``name=value`` without blanks round the equals sign."""
    no_blank = cst.SimpleWhitespace("")
    equal = cst.AssignEqual(whitespace_before=no_blank, whitespace_after=no_blank)
    return cst.Arg(bare(value), keyword=cst.Name(name), equal=equal)


def bare(value: cst.BaseExpression) -> cst.BaseExpression:
    """``value`` fit to be an argument: a walrus, `yield` or generator there needs parentheses of its own."""
    needs = isinstance(value, (cst.NamedExpr, cst.Yield, cst.GeneratorExp, cst.Tuple))
    return parenthesise(value) if needs and not value.lpar else value


def parenthesise(value: Expression) -> Expression:
    """``(value)``, whether or not it has parentheses already."""
    return value.with_changes(lpar=[cst.LeftParen(), *value.lpar], rpar=[*value.rpar, cst.RightParen()])


def atom(value: cst.BaseExpression) -> cst.BaseExpression:
    """``value`` fit to stand before `.name`, `(...)` or `[...]`: in parentheses unless it binds tightly enough."""
    return value if value.lpar or isinstance(value, ATOMS) else parenthesise(value)


def operand(value: cst.BaseExpression) -> cst.BaseExpression:
    """``value`` fit to be an operand of any operator; a number or an expression in parentheses stays as it is."""
    plain = isinstance(value, (*ATOMS, cst.BaseNumber))
    return value if value.lpar or plain else parenthesise(value)


def in_place_of(
    old: cst.BaseExpression, new: cst.BaseExpression, parent: cst.CSTNode | None = None
) -> cst.BaseExpression:
    """``new`` where the call or name ``old`` stood: in its parentheses, and in some of its own where it needs them.

    ``parent``, the node above ``old``, spares an expression its parentheses where nothing stands beside it.
    """
    inner = new if old.lpar or (parent is not None and can_stand_in(parent, new)) else operand(new)
    return inner.with_changes(lpar=[*old.lpar, *inner.lpar], rpar=[*inner.rpar, *old.rpar])


def can_stand_in(parent: cst.CSTNode, value: cst.BaseExpression) -> bool:
    """Whether ``value`` can be all of an assignment, an argument or a `return` without parentheses of its own."""
    if isinstance(value, (cst.NamedExpr, cst.Yield, cst.GeneratorExp, cst.Tuple, cst.Lambda)):
        return False
    alone = isinstance(parent, (cst.Assign, cst.AnnAssign, cst.AugAssign, cst.Return, cst.Index))
    alone = alone or (isinstance(parent, cst.Arg) and not parent.star)
    return alone and "\n" not in source(value)


def method_call(receiver: cst.BaseExpression, name: str, *arguments: cst.BaseExpression) -> cst.Call:
    """``receiver.name(arguments)``, the receiver in parentheses where it needs them."""
    return call(cst.Attribute(atom(receiver), cst.Name(name)), *arguments)


def keyword_of(argument: cst.Arg) -> str | None:
    """The keyword of an argument, or None for a positional one."""
    return None if argument.keyword is None else argument.keyword.value


def argument(arguments: Sequence[cst.Arg], position: int, keyword: str) -> cst.Arg | None:
    """The argument given at ``position`` or as ``keyword``; unpacked ones must be refused before."""
    for index, candidate in enumerate(arguments):
        if keyword_of(candidate) == keyword or (index == position and candidate.keyword is None):
            return candidate
    return None


def unpacks(arguments: Sequence[cst.Arg]) -> bool:
    """Whether some arguments are given by `*` or `**`, so that not all of them can be read."""
    return any(argument.star for argument in arguments)


def without_argument(node: cst.Call, unwanted: cst.Arg) -> cst.Call:
    """``node`` less one argument, comments and line breaks of the others kept."""
    kept = [argument for argument in node.args if argument is not unwanted]
    if kept and node.args[-1] is unwanted and isinstance(kept[-1].comma, cst.Comma):
        kept[-1] = kept[-1].with_changes(comma=unwanted.comma)
    return node.with_changes(args=kept)


def with_argument(node: cst.Call, extra: cst.Arg) -> cst.Call:
    """``node`` with one argument more, at the end; a trailing comma stays one."""
    if not node.args:
        return node.with_changes(args=[extra])
    *before, last = node.args
    between = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    return node.with_changes(args=[*before, last.with_changes(comma=between), extra.with_changes(comma=last.comma)])


def has_comment(node: cst.CSTNode) -> bool:
    """Whether some comment stands inside ``node``."""
    return comment_count(node) > 0


def comment_count(node: cst.CSTNode) -> int:
    """How many comments stand inside ``node``."""
    return int(isinstance(node, cst.Comment)) + sum(comment_count(child) for child in node.children)


def loses_comment(before: object, after: object) -> bool:
    """Whether ``after`` has fewer comments than ``before``; what is not one node is not asked."""
    if not isinstance(before, cst.CSTNode) or not isinstance(after, cst.CSTNode):
        return False
    return comment_count(after) < comment_count(before)


def statement(text: str) -> cst.SimpleStatementLine:
    """The node for one simple statement."""
    return cst.ensure_type(cst.parse_statement(text), cst.SimpleStatementLine)


def prepend(block: cst.BaseSuite, first: cst.BaseSmallStatement) -> cst.BaseSuite:
    """``block`` with ``first`` before the others; the block of `with x: y`, on one line, stays on one line."""
    if isinstance(block, cst.SimpleStatementSuite):
        semicolon = cst.Semicolon(whitespace_after=cst.SimpleWhitespace(" "))
        return block.with_changes(body=[first.with_changes(semicolon=semicolon), *block.body])
    return block.with_changes(body=[cst.SimpleStatementLine([first]), *block.body])
