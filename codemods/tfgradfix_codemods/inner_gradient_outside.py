"""A gradient is to be differentiated once more, but it was asked for outside of the outer tape's block.

What breaks:
    A second derivative needs the first one to be recorded: `inner.gradient(...)` has to run while the outer tape
    records. One indentation too little, and the first derivative is a constant to the outer tape; the second is None.

Repair:
    The statement that asks the inner tape moves to the end of the outer block, with every statement between that must
    stay before it, other gradients of inner tapes among them; their order is kept. Where a move could make a
    difference, the outer tape is opened once more round the statement.

Left alone:
    Statements that ask the outer tape too, or that take an optimizer step.

Example:
    >>> with tf.GradientTape() as outer:
    >>>     with tf.GradientTape() as inner:
    >>>         y = model(x)
    >>> dy = inner.gradient(y, x)
    <<< with tf.GradientTape() as outer:
    <<<     with tf.GradientTape() as inner:
    <<<         y = model(x)
    <<<     dy = inner.gradient(y, x)
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.asked_targets import Asked, gradient_calls, lines_behind
from tfgradfix_codemods.base import Decline, Level, Rule
from tfgradfix_codemods.blocks import path_to, statements_of
from tfgradfix_codemods.lifted_lines import lift_line
from tfgradfix_codemods.nodes import argument, dotted_text
from tfgradfix_codemods.own_lines import on_own_lines
from tfgradfix_codemods.recording import Work, recorded_by
from tfgradfix_codemods.tape_blocks import BlockCommand, Mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix_codemods.blocks import Statement
    from tfgradfix_codemods.lifting import Setting

RULE: Final = Rule(code="TGF206", name="inner-gradient-outside", level=Level.SAFE, after=("source-not-watched",))


class InnerGradientOutsideCommand(BlockCommand):
    """Ask an inner tape for its gradient while the outer tape records."""

    DESCRIPTION = "an inner gradient that is differentiated again moves into the outer tape's block"
    RULE = RULE

    def repair(
        self, root: cst.IndentedBlock, tape_at: Sequence[int] | None, marks: Sequence[Mark]
    ) -> cst.IndentedBlock | Decline:
        """Move the statements that ask the inner tape, or open the outer tape again round them."""
        return record_gradients(root, tape_at, marks[0].finding.fact("tape"), self.setting(root, tape_at, marks))


def record_gradients(
    root: cst.IndentedBlock, tape_at: Sequence[int] | None, tape: str | None, setting: Setting
) -> cst.IndentedBlock | Decline:
    """``root`` with the inner gradients that findings name recorded by the outer ``tape``."""
    root, named = on_own_lines(root, setting.named)
    work = Work(root)
    for number, statement in enumerate(statements_of(root)):
        inside = [node for node in named if path_to(statement, node) is not None]
        if inside and tape_at is not None and number <= tape_at[0]:
            return Decline("it does not stand behind the outer tape's block")
        if inside:
            result = plan(work, statement, tape, setting)
            if isinstance(result, Decline):
                return result
            work = result
    return recorded_by(tape, work, tape_at, setting, gradients=True)


def plan(work: Work, statement: Statement, tape: str | None, setting: Setting) -> Work | Decline:
    """Say what becomes of a statement that asks an inner tape."""
    if tape not in setting.effects(statement).tapes:
        return replace(work, moving=(*work.moving, statement))
    for outer in gradient_calls(statement, setting):
        given = argument(outer.args, 0, "target")
        if given is None or dotted_text(cst.ensure_type(outer.func, cst.Attribute).value) != tape:
            continue
        lines = lines_behind(statement, given.value, tape, setting)
        work = replace(work, reopened=tuple(dict.fromkeys((*work.reopened, *lines))))
        for inner in gradient_calls(given.value, setting):
            result = lift_line(work.root, Asked((inner,), tape, name="inner_gradient"), False, setting)
            if isinstance(result, Decline):
                return result
            work = work.with_line(result)
    if not (work.moving or work.reopened):
        return Decline("it cannot be seen which inner gradient the outer tape needs")
    return work
