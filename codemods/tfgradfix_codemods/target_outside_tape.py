"""The target of a gradient is computed after the tape's block has ended.

What breaks:
    A tape records what runs in its `with` block. `loss[i]`, `loss * scale` or `tf.gather(losses, i)` after it, also
    when written as the argument of `tape.gradient(...)` itself, makes a tensor that the tape has never seen: every
    gradient of it is None. The loss still prints the right number.

Repair:
    What computes the target moves to the end of the block, the statements it needs along with it, in the same order.
    A target in the argument of `gradient` gets a name there. Where a loop asks for one target a turn, all of them are
    computed in a list inside the block, once, and the loop runs over the list; the gradients are asked for outside as
    before, since the tape would record the backward pass too. A loop over `tf.range` becomes one over `range`: a tensor
    cannot index a list inside `tf.function`. Where a move could make a difference (something between may change what
    the target reads, the target is not always computed), the tape is opened once more round the computation instead.

Left alone:
    Targets made of a gradient that was itself computed outside, targets computed inside of a lambda, in a condition or
    with `:=`, and statements that leave the block (`return`, `yield`).

Example:
    >>> with tf.GradientTape(persistent=True) as tape:
    >>>     losses = per_task(model(x), y)
    >>> for i in range(3):
    >>>     grads.append(tape.gradient(losses[i], variables))
    <<< with tf.GradientTape(persistent=True) as tape:
    <<<     losses = per_task(model(x), y)
    <<<     targets = [losses[i] for i in range(3)]
    <<< for target in targets:
    <<<     grads.append(tape.gradient(target, variables))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tfgradfix_codemods.base import Decline, Level, Rule
from tfgradfix_codemods.recorded_targets import record_targets
from tfgradfix_codemods.tape_blocks import BlockCommand, Mark

if TYPE_CHECKING:
    from collections.abc import Sequence

    import libcst as cst

RULE: Final = Rule(
    code="TGF201", name="target-outside-tape", level=Level.SAFE, after=("source-not-watched", "inner-gradient-outside")
)


class TargetOutsideTapeCommand(BlockCommand):
    """Compute the target of a gradient inside the tape's block."""

    DESCRIPTION = "what is computed after a tape's block and then asked of the tape moves into the block"
    RULE = RULE

    def repair(
        self, root: cst.IndentedBlock, tape_at: Sequence[int] | None, marks: Sequence[Mark]
    ) -> cst.IndentedBlock | Decline:
        """Move the statements and expressions that are marked, or open the tape again round them."""
        return record_targets(root, tape_at, marks[0].finding.fact("tape"), self.setting(root, tape_at, marks))
