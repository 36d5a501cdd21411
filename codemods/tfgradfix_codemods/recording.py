"""Has statements recorded by a tape: in its block where they can be moved, else where they stand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tfgradfix_codemods.blocks import statements_of
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.placement import into_block
from tfgradfix_codemods.reopened_tape import recorded

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import libcst as cst

    from tfgradfix_codemods.lifted_lines import LiftedLine
    from tfgradfix_codemods.lifting import Setting


@dataclass(frozen=True)
class Work:
    """A block while it is edited: statements of it that shall move, and those that the tape is opened round.

    ``tapes`` are the names that the tape has where it is asked.
    """

    root: cst.IndentedBlock
    moving: tuple[cst.CSTNode, ...] = ()
    reopened: tuple[cst.CSTNode, ...] = ()
    tapes: frozenset[str | None] = frozenset()

    def with_line(self, lifted: LiftedLine) -> Work:
        """The same with a new statement, to be moved or recorded in its place."""
        if lifted.on_top:
            return replace(self, root=lifted.root, moving=(*self.moving, lifted.line))
        return replace(self, root=lifted.root, reopened=(*self.reopened, lifted.line))


def recorded_by(
    tape: str | None, work: Work, tape_at: Sequence[int] | None, setting: Setting, gradients: bool = False
) -> cst.IndentedBlock | Decline:
    """Make the moves of ``work``, or open the tape again where one could make a difference.

    With ``gradients`` the statements may ask other tapes for gradients.
    """
    tapes = work.tapes or frozenset({tape})
    if tape_at is not None and work.moving:
        only = tape if gradients else None
        moved = into_block(statements_of(work.root), tape_at, work.moving, setting.knowledge, only)
        if isinstance(moved, tuple):
            return reopen(work.root.with_changes(body=moved), work.reopened, tapes, setting)
    return reopen(work.root, (*work.reopened, *work.moving), tapes, setting)


def reopen(
    root: cst.IndentedBlock, lines: Sequence[cst.CSTNode], tapes: Collection[str | None], setting: Setting
) -> cst.IndentedBlock | Decline:
    """``root`` with ``lines`` recorded where they stand."""
    if not lines:
        return root
    tape = next(iter(tapes)) if len(tapes) == 1 else None
    if not tape:
        return Decline("the tape has no name by which it can be opened again")
    for line in lines:
        effects = setting.effects(line)
        if effects.trains or tape in effects.tapes:
            return Decline("the target is computed together with the gradients or the training step")
    return recorded(root, lines, tape)
