"""A conditional expression as a choice: inside another expression, or as the `if` statement that it stands for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.choices import candidate, choose
from tfgradfix_codemods.conditions import PLACEHOLDER, Condition, unanswerable
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.guarded_outcomes import guard_of, safe, taken
from tfgradfix_codemods.lookups import Memory
from tfgradfix_codemods.masks import mask
from tfgradfix_codemods.names_read import compared, names_read
from tfgradfix_codemods.nodes import in_place_of, source
from tfgradfix_codemods.side_effects import side_effect
from tfgradfix_codemods.straight_lines import compared_tensors, refusal_of
from tfgradfix_codemods.substitution import Substitution

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfgradfix_codemods.sites import Site
    from tfgradfix_codemods.trees import Tree


def chosen(node: cst.IfExp, site: Site) -> cst.BaseExpression | Decline:
    """`tf.where(test, a, b)` for `a if test else b`, in the parentheses of ``node``."""
    condition = mask(node.test, site)
    refusal = unanswerable(node.test, site)
    if isinstance(condition, Decline) or refusal is not None:
        return condition if isinstance(condition, Decline) else refusal or node
    site = replace(
        site, one_element=compared([node.test]), tensors=compared_tensors([node.test], site), memory=Memory()
    )
    hidden = side_effect(node.test, site)
    known = Condition(node.test, condition, cst.Name(f"{PLACEHOLDER}0"), python=False, movable=hidden is None)
    values = safe_values(node, known, site)
    if isinstance(values, Decline):
        return values
    if hidden is not None and any(source(new) != source(old) for new, old in zip(values, sides(node), strict=True)):
        # The guards would evaluate the test again.
        return hidden
    refusal = refusal_of(values, site)
    if refusal is not None:
        return refusal
    options = [candidate(value, site) for value in values]
    result = choose(known.name, options[0], options[1], site).value
    written = result.visit(Substitution({known.name.value: condition}, parentheses=False))
    return in_place_of(node, written if isinstance(written, cst.BaseExpression) else result)


def sides(node: cst.IfExp) -> tuple[cst.BaseExpression, cst.BaseExpression]:
    """The two values of a conditional expression."""
    return node.body, node.orelse


def safe_values(node: cst.IfExp, known: Condition, site: Site) -> list[cst.BaseExpression] | Decline:
    """Both values, each with everything finite where it is not chosen; ``known`` stands for the test."""
    shared = names_read(node.body) & names_read(node.orelse)
    values = []
    for position, old in enumerate(sides(node)):
        used = taken(position, [known], site) or known
        value = safe(old, guard_of(position, used, [known], site), site, None, shared)
        if isinstance(value, Decline):
            return value
        written = value.visit(Substitution({used.name.value: used.mask}, parentheses=False))
        values.append(written if isinstance(written, cst.BaseExpression) else value)
    return values


def statement_of(node: cst.IfExp, tree: Tree) -> cst.SimpleStatementLine | None:
    """The statement that does nothing but return or assign the chain of conditionals that ends in ``node``."""
    current: cst.CSTNode = node
    above = tree.parents[current]
    while isinstance(above, cst.IfExp) and above.orelse is current:
        current, above = above, tree.parents[above]
    line = tree.parents.get(above)
    whole = isinstance(above, (cst.Return, cst.Assign)) and above.value is current
    if not whole or not isinstance(line, cst.SimpleStatementLine) or len(line.body) > 1:
        return None
    if isinstance(above, cst.Assign) and not is_plain(above):
        return None
    return line


def is_plain(node: cst.Assign) -> bool:
    """Whether an assignment gives one name its value."""
    return len(node.targets) == 1 and isinstance(node.targets[0].target, cst.Name)


def as_if(line: cst.SimpleStatementLine) -> tuple[cst.If, frozenset[str]]:
    """The `if` statement that means the same as ``line``, with its comments, and the names that it assigns."""
    small = line.body[0]
    if isinstance(small, cst.Assign):
        names = frozenset({cst.ensure_type(small.targets[0].target, cst.Name).value})
        value = cst.ensure_type(small.value, cst.IfExp)
    else:
        names = frozenset()
        value = cst.ensure_type(cst.ensure_type(small, cst.Return).value, cst.IfExp)
    behind = line.trailing_whitespace.comment
    comments = [*line.leading_lines, *([cst.EmptyLine(comment=behind)] if behind is not None else [])]
    return branches_of(small, value).with_changes(leading_lines=comments), names


def branches_of(small: cst.BaseSmallStatement, value: cst.IfExp) -> cst.If:
    """`if test: small with one value`, and so on for the rest of the chain."""
    rest = value.orelse
    orelse = branches_of(small, rest) if isinstance(rest, cst.IfExp) else cst.Else(block(small, rest))
    return cst.If(test=value.test, body=block(small, value.body), orelse=orelse)


def block(small: cst.BaseSmallStatement, value: cst.BaseExpression) -> cst.IndentedBlock:
    """``small`` with another value, as a block."""
    plain = value.with_changes(lpar=[], rpar=[]) if isinstance(value, cst.Tuple) else value
    return cst.IndentedBlock([cst.SimpleStatementLine([small.with_changes(value=plain)])])


def last_of_chain(line: cst.SimpleStatementLine) -> Iterator[cst.IfExp]:
    """The conditional expressions of a statement from the first test to the last."""
    value = getattr(line.body[0], "value", None)
    while isinstance(value, cst.IfExp):
        yield value
        value = value.orelse
