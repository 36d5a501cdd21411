"""Gets the statements and expressions that make up a gradient's target recorded by the tape it is asked of.

Each is moved to the end of the tape's block. Where that could make a difference, the tape is opened once more round it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.asked_targets import asked_in
from tfgradfix_codemods.blocks import nodes_in, path_to, statements_of
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.lifted_lines import LiftedLine, lift_line
from tfgradfix_codemods.own_lines import on_own_lines
from tfgradfix_codemods.placement import into_block
from tfgradfix_codemods.reopened_tape import recorded
from tfgradfix_codemods.targets_of_loops import roots

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tfgradfix_codemods.blocks import Statement
    from tfgradfix_codemods.lifting import Setting


@dataclass(frozen=True)
class Work:
    """A block while it is edited: statements of it that shall move, and those that the tape is opened round."""

    root: cst.IndentedBlock
    moving: tuple[cst.CSTNode, ...] = ()
    reopened: tuple[cst.CSTNode, ...] = ()
    tapes: frozenset[str | None] = frozenset()


def record_targets(
    root: cst.IndentedBlock, tape_at: Sequence[int] | None, tape: str | None, setting: Setting
) -> cst.IndentedBlock | Decline:
    """``root`` with all that findings name (``setting.named``) recorded by ``tape``.

    ``tape_at`` is the way from ``root`` to the tape's `with` statement, or None when nothing can be moved there.
    """
    root, named = on_own_lines(root, setting.named)
    setting = replace(setting, named=named)
    work = Work(root)
    for number, statement in enumerate(statements_of(root)):
        inside = [node for node in named if path_to(statement, node) is not None]
        if inside and tape_at is not None and number <= tape_at[0]:
            return Decline("it does not stand behind the tape's block")
        result = plan(work, statement, inside, setting) if inside else work
        if isinstance(result, Decline):
            return result
        work = result
    return finish(work, tape_at, tape, setting)


def plan(work: Work, statement: Statement, inside: Sequence[cst.CSTNode], setting: Setting) -> Work | Decline:
    """Say what becomes of one statement of the block, which holds the named nodes ``inside``."""
    if not setting.effects(statement).tapes:
        return replace(work, moving=(*work.moving, statement))
    asked = asked_in(statement, setting)
    widest = len(asked) == 1 or isinstance(statement, cst.SimpleStatementLine)
    passed: list[cst.CSTNode] = []
    for one in asked:
        result = lift_line(work.root, one, widest, setting)
        if isinstance(result, LiftedLine):
            passed.append(result.statement)
            work = with_line(work, result, one.tape)
        elif not one.is_name or any(isinstance(node, cst.For) for node in inside):
            return result
        else:
            work = replace(work, tapes=work.tapes | {one.tape})
    return with_standing(work, [node for node in inside if not in_any(passed, node)], setting)


def with_line(work: Work, lifted: LiftedLine, tape: str | None) -> Work:
    """``work`` with a new statement, to be moved or recorded in its place."""
    work = replace(work, root=lifted.root, tapes=work.tapes | {tape})
    if lifted.on_top:
        return replace(work, moving=(*work.moving, lifted.line))
    return replace(work, reopened=(*work.reopened, lifted.line))


def in_any(statements: Collection[cst.CSTNode], node: cst.CSTNode) -> bool:
    """Whether ``node`` is in one of ``statements``."""
    return any(path_to(statement, node) is not None for statement in statements)


def with_standing(work: Work, nodes: Sequence[cst.CSTNode], setting: Setting) -> Work | Decline:
    """``work`` with the statements ``nodes`` recorded where they stand."""
    for node in nodes:
        line = line_of(work.root, node)
        effects = setting.effects(node)
        if isinstance(node, cst.BaseExpression) or line is None or effects.tapes or effects.stays:
            return Decline("the target is computed in a place that cannot be recorded")
        work = replace(work, reopened=(*work.reopened, line))
    return work


def line_of(root: cst.IndentedBlock, node: cst.CSTNode) -> cst.CSTNode | None:
    """The statement of an indented block, in ``root``, that holds ``node``."""
    path = path_to(root, node) or ()
    lines = [step for above, step in pairwise(path) if isinstance(above, cst.IndentedBlock)]
    return lines[-1] if lines else None


def finish(
    work: Work, tape_at: Sequence[int] | None, tape: str | None, setting: Setting
) -> cst.IndentedBlock | Decline:
    """Make the moves, or open the tape again where one could make a difference."""
    behind = statements_of(work.root)[0 if tape_at is None else tape_at[0] + 1 :]
    tied = made_of_gradients(behind, setting)
    if any(tied & roots(setting.effects(one).reads) for one in (*work.moving, *work.reopened)):
        return Decline("the target is made of a gradient that is asked for outside of the block")
    root, reopened = work.root, work.reopened
    moved = None
    if tape_at is not None and work.moving:
        moved = into_block(statements_of(root), tape_at, work.moving, setting.knowledge)
    if isinstance(moved, tuple):
        root = root.with_changes(body=moved)
    else:
        reopened = (*reopened, *work.moving)
    known = work.tapes or frozenset({tape})
    name = next(iter(known)) if len(known) == 1 else None
    if reopened and name is None:
        return moved if isinstance(moved, Decline) else Decline("the tape has no name by which it can be opened again")
    return recorded(root, reopened, name) if reopened and name is not None else root


def made_of_gradients(statements: Sequence[Statement], setting: Setting) -> frozenset[str]:
    """The names that hold gradients, or what is computed from them."""
    lines = [node for one in statements for node in nodes_in(one) if isinstance(node, cst.SimpleStatementLine)]
    tied: frozenset[str] = frozenset()
    for _ in lines:
        before = tied
        for line in lines:
            effects = setting.effects(line)
            if effects.tapes or tied & roots(effects.reads):
                tied |= {place for place in effects.binds | effects.touches if "." not in place}
        if tied == before:
            break
    return tied
