"""Gives the masks of an `if` their names, or puts them where they are used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.new_lines import Lines, assignment
from tfgradfix_codemods.substitution import Substitution

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix_codemods.conditions import Condition
    from tfgradfix_codemods.fresh_names import FreshNames


def with_masks(conditions: Sequence[Condition], lines: Lines, fresh: FreshNames) -> Lines:
    """``lines`` behind the assignments of the masks; a mask used once, that may move, is put there instead."""
    named: Lines = []
    moved: dict[str, cst.BaseExpression] = {}
    for condition in conditions:
        name = condition.name.value
        uses = sum(count(name, each) for each in lines)
        if isinstance(condition.mask, cst.Name) or (condition.movable and uses <= 1):
            moved[name] = condition.mask
        else:
            given = fresh.name(condition.wanted)
            moved[name] = given
            named.append(assignment(given.value, None, condition.mask))
    return [*named, *(replaced(each, moved) for each in lines)]


def replaced(statement: cst.SimpleStatementLine, values: dict[str, cst.BaseExpression]) -> cst.SimpleStatementLine:
    """``statement`` with names replaced; a mask stands as an argument, so that it needs no parentheses."""
    return cst.ensure_type(statement.visit(Substitution(values, parentheses=False)), cst.SimpleStatementLine)


def count(name: str, node: cst.CSTNode) -> int:
    """How often ``name`` stands in ``node``."""
    own = isinstance(node, cst.Name) and node.value == name
    return int(own) + sum(count(name, child) for child in node.children)
