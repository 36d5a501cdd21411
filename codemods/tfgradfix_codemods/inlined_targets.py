"""Puts the values of earlier assignments in place of the names they bind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.blocks import nodes_in
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.nodes import operand, source
from tfgradfix_codemods.reads_elsewhere import reads_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix_codemods.lifting import Setting

#: A longer expression is better left in statements of its own.
LONGEST: Final = 160


@dataclass(frozen=True)
class Inlined:
    """An expression that needs none of the statements ``used`` any more (their numbers in the block)."""

    value: cst.BaseExpression
    used: tuple[int, ...]


def inlined(value: cst.BaseExpression, before: Sequence[cst.CSTNode], setting: Setting) -> Inlined | Decline:
    """``value`` without the names that the statements ``before`` bind, nearest statement first."""
    used: list[int] = []
    bound: set[str] = set()
    for number in reversed(range(len(before))):
        effects = setting.effects(before[number])
        wanted = effects.binds & setting.effects(value).reads
        if wanted & bound:
            return Decline("a name that the target is made of is bound twice")
        bound |= effects.binds
        if not wanted:
            continue
        found = assignment(before[number])
        if found is None or not effects.pure:
            return Decline(f"{', '.join(sorted(wanted))} is not computed by a plain assignment")
        if len(list(reads_of(found[0], value))) > 1 and not isinstance(found[1], (cst.Name, cst.BaseNumber)):
            return Decline(f"{found[0]} is used more than once in the target")
        value = substituted(value, *found)
        used.append(number)
    if len(source(value)) > LONGEST:
        return Decline("the target would become a very long expression")
    return Inlined(value, tuple(used))


def assignment(statement: cst.CSTNode) -> tuple[str, cst.BaseExpression] | None:
    """The name and value of a statement that binds one name and does nothing else."""
    if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
        statement = statement.body[0]
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0].target
    return (target.value, statement.value) if isinstance(target, cst.Name) else None


def substituted(value: cst.BaseExpression, name: str, by: cst.BaseExpression) -> cst.BaseExpression:
    """``value`` with ``by`` wherever it reads ``name``."""
    if isinstance(value, cst.Name) and value.value == name:
        return by
    places = {id(place) for place in reads_of(name, value)}
    result = value.visit(_Substitution(places, operand(by)))
    return result if isinstance(result, cst.BaseExpression) else value


class _Substitution(cst.CSTTransformer):
    def __init__(self, places: set[int], by: cst.BaseExpression) -> None:
        super().__init__()
        self.places = places
        self.by = by

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        return self.by.deep_clone() if id(original_node) in self.places else updated_node


def comments_of(statement: cst.CSTNode) -> list[cst.EmptyLine]:
    """The comments that stand before and behind a statement, each as a line."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return []
    before = [line for line in statement.leading_lines if line.comment is not None]
    behind = statement.trailing_whitespace.comment
    return before if behind is None else [*before, cst.EmptyLine(comment=behind)]


def has_own_names(value: cst.BaseExpression) -> bool:
    """Whether ``value`` holds a comprehension or a lambda, whose names could be mistaken for others."""
    return any(isinstance(node, (cst.BaseComp, cst.Lambda)) for node in nodes_in(value))
