"""Moves statements that stand after a tape's block to the end of the block.

A statement that has to come before a moved one moves with it, so that everything still runs in an order that makes no
difference. What must stay outside (another gradient, an optimizer step, a jump) is an obstacle when it is in the way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.blocks import (
    below_blank_lines,
    blank_lines,
    indented,
    statements_of,
    with_more_at_end,
    without_blank_lines,
)
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.effects_of_statements import effects_of
from tfgradfix_codemods.nodes import source

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tfgradfix_codemods.blocks import Statement
    from tfgradfix_codemods.effects import Effects, Knowledge

#: Managers under which a statement would not do the same, or would not be recorded.
DIFFERENT_INSIDE: Final = frozenset({"suppress", "raises", "stop_recording", "init_scope", "control_dependencies"})


def into_block(
    body: Sequence[Statement],
    tape: Sequence[int],
    wanted: Collection[cst.CSTNode],
    knowledge: Knowledge,
    only: str | None = None,
) -> tuple[Statement, ...] | Decline:
    """``body`` with the statements ``wanted`` at the end of the tape's block.

    ``tape`` is the way to the block: the number of the `with` statement in ``body``, then in that one's block, and so
    on. With ``only`` the gradients of other tapes than that one may move too.
    """
    first, *inner = tape
    outer = cst.ensure_type(body[first], cst.With)
    manager = next((name for item in outer.items for name in [manager_name(item)] if name in DIFFERENT_INSIDE), None)
    if manager is not None:
        return Decline(f"the block also stands under {manager}")
    own = knowledge.owning(effects_of(outer.body, knowledge.surroundings).binds)
    numbers = [number for number in range(first + 1, len(body)) if any(body[number] is one for one in wanted)]
    moved = with_dependencies(body, first, numbers, own, only)
    if isinstance(moved, Decline):
        return moved
    added, rest = parted(body[first + 1 :], {number - first - 1 for number in moved})
    if inner:
        block = indented(outer.body)
        within = into_block([*statements_of(block), *added], inner, added, knowledge, only)
        if isinstance(within, Decline):
            return within
        return (*body[:first], outer.with_changes(body=block.with_changes(body=within)), *rest)
    return (*body[:first], with_more_at_end(outer, added), *rest)


def manager_name(item: cst.WithItem) -> str:
    """The last name of the function that gives the manager of a `with` statement."""
    function = item.item.func if isinstance(item.item, cst.Call) else item.item
    return source(function).rpartition(".")[2]


def with_dependencies(
    body: Sequence[Statement], first: int, numbers: Sequence[int], knowledge: Knowledge, only: str | None
) -> set[int] | Decline:
    """The statements to be moved: ``numbers``, and those that have to stay before one of them."""
    moved = set(numbers)
    behind: list[Effects] = []
    for number in range(max(numbers), first, -1):
        effects = effects_of(body[number], knowledge.surroundings)
        if number not in moved and not any(knowledge.conflict(effects, later) for later in behind):
            continue
        if effects.stays or (effects.tapes and (only is None or only in effects.tapes)):
            return Decline(f"`{head_of(body[number])}` would have to move too, and {effects.stays or 'asks a tape'}")
        moved.add(number)
        behind.append(effects)
    return moved


def head_of(statement: Statement) -> str:
    """The first line of ``statement``."""
    bare = statement.with_changes(leading_lines=())
    return source(bare).strip().splitlines()[0]


def parted(statements: Sequence[Statement], moved: Collection[int]) -> tuple[list[Statement], list[Statement]]:
    """The statements that move and those that stay; blank lines stay where they are."""
    leaving: list[Statement] = []
    staying: list[Statement] = []
    blanks: Sequence[cst.EmptyLine] = ()
    for number, statement in enumerate(statements):
        if number not in moved:
            staying.append(below_blank_lines(blanks, statement))
            blanks = ()
        elif number - 1 in moved:
            leaving.append(statement)
        else:
            blanks = blanks or blank_lines(statement)
            leaving.append(without_blank_lines(statement))
    return leaving, staying
