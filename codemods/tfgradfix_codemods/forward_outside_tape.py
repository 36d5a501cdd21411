"""The forward pass runs before the tape's block begins.

What breaks:
    A tape records what runs in its `with` block. A model that was called before it has left nothing in the tape: the
    block starts from constants, and every gradient to the model's variables is None.

Repair:
    The statements from the forward pass down to the `with` line move to the head of the block, all of them and in the
    same order, so that nothing but the recording changes; put the other way round, the `with` line moves up. A
    `tape.watch(x)` at the head of the block comes before them, or right behind the statement that makes `x`.

Left alone:
    A forward pass that is not in the same list of statements as the `with`; statements between that leave the function
    or the loop, define a function or class, ask a tape that was made before, or take an optimizer step; a `with` that
    has other managers beside the tape, or needs what would move.

Example:
    >>> y = model(x)
    >>> with tf.GradientTape() as tape:
    >>>     loss = tf.reduce_mean(y)
    <<< with tf.GradientTape() as tape:
    <<<     y = model(x)
    <<<     loss = tf.reduce_mean(y)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.base import Decline, Level, Rule
from tfgradfix_codemods.blocks import (
    below_blank_lines,
    blank_lines,
    fit_inside,
    indented,
    nodes_in,
    path_to,
    statements_of,
    without_blank_lines,
)
from tfgradfix_codemods.effects import overlap
from tfgradfix_codemods.effects_of_statements import effects_of
from tfgradfix_codemods.known_calls import CallKind
from tfgradfix_codemods.nodes import dotted_text
from tfgradfix_codemods.placement import head_of
from tfgradfix_codemods.tape_blocks import BlockCommand, Mark
from tfgradfix_codemods.tape_places import makes_tape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tfgradfix_codemods.blocks import Statement
    from tfgradfix_codemods.surroundings import Surroundings

RULE: Final = Rule(code="TGF202", name="forward-outside-tape", level=Level.SAFE, after=("source-not-watched",))

#: What makes a tape is the one thing that may not stay where it is and yet may move into another tape's block.
MAKES_TAPE: Final = f"it {CallKind.TAPE.value}"


class ForwardOutsideTapeCommand(BlockCommand):
    """Run the forward pass inside the tape's block."""

    DESCRIPTION = "a forward pass that runs before the tape's block moves to its head"
    RULE = RULE

    def repair(
        self, root: cst.IndentedBlock, tape_at: Sequence[int] | None, marks: Sequence[Mark]
    ) -> cst.IndentedBlock | Decline:
        """Move the statements between the first marked one and the `with` line into the block."""
        if tape_at is None or len(tape_at) != 1:
            return Decline("the forward pass is not beside the tape's block")
        body = statements_of(root)
        nodes = [mark.node for mark in marks]
        first = min(number for number, one in enumerate(body) if any(path_to(one, node) is not None for node in nodes))
        result = into_head(body, first, tape_at[0], self.surroundings)
        return result if isinstance(result, Decline) else root.with_changes(body=result)


def into_head(
    body: Sequence[Statement], first: int, tape_at: int, surroundings: Surroundings
) -> tuple[Statement, ...] | Decline:
    """``body`` with the statements from ``first`` on at the head of the block of the `with` statement ``tape_at``."""
    if first >= tape_at:
        return Decline("it does not stand before the tape's block")
    moved = body[first:tape_at]
    statement = cst.ensure_type(body[tape_at], cst.With)
    obstacle = obstacle_in(moved, surroundings) or obstacle_of(statement, moved, surroundings)
    if obstacle is not None:
        return Decline(obstacle)
    return (*body[:first], with_more_at_head(statement, moved, surroundings), *body[tape_at + 1 :])


def obstacle_in(moved: Sequence[Statement], surroundings: Surroundings) -> str | None:
    """Why one of ``moved`` must not be recorded, or must not move."""
    own = {name for statement in moved for name in tapes_made(statement, surroundings)}
    for statement in moved:
        effects = effects_of(statement, surroundings)
        if effects.trains or not effects.tapes <= own:
            return f"`{head_of(statement)}` trains, or asks another tape"
        if effects.stays not in (None, MAKES_TAPE):
            return f"`{head_of(statement)}` must stay where it is: {effects.stays}"
    return None


def tapes_made(statement: Statement, surroundings: Surroundings) -> Iterator[str]:
    """The names of the tapes that `with` statements in ``statement`` make."""
    for node in nodes_in(statement):
        if isinstance(node, cst.WithItem) and node.asname is not None and makes_tape(node, surroundings):
            yield dotted_text(node.asname.name) or ""


def obstacle_of(statement: cst.With, moved: Sequence[Statement], surroundings: Surroundings) -> str | None:
    """Why the `with` line of ``statement`` cannot stand above ``moved``."""
    if not all(makes_tape(item, surroundings) for item in statement.items):
        return "the block stands under another manager beside the tape"
    needed = effects_of(statement.items, surroundings).reads
    if overlap(effects_of(moved, surroundings).binds, needed):
        return "the tape is made with what would move into its block"
    return None


def with_more_at_head(statement: cst.With, moved: Sequence[Statement], surroundings: Surroundings) -> cst.With:
    """``statement`` with ``moved`` at the head of its block. Blank lines stay where they are, above or inside."""
    block = indented(statement.body)
    body = statements_of(block)
    watches = next((number for number, line in enumerate(body) if not is_watch(line)), len(body))
    above, between = blank_lines(moved[0]), blank_lines(statement)
    head = [without_blank_lines(moved[0]), *moved[1:]]
    for watch in reversed(body[:watches]):
        head.insert(place_of_watch(watch, head, surroundings), watch)
    rest = body[watches:]
    if rest:
        rest = (below_blank_lines(between, rest[0]), *rest[1:])
    lines = [*above, *statement.leading_lines[len(between) :]]
    inside = [fit_inside(line) for line in (*head, *rest)]
    return statement.with_changes(leading_lines=lines, body=block.with_changes(body=inside))


def is_watch(line: Statement) -> bool:
    """Whether ``line`` only tells a tape to watch something."""
    small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
    call = small.value if isinstance(small, cst.Expr) else None
    return isinstance(call, cst.Call) and isinstance(call.func, cst.Attribute) and call.func.attr.value == "watch"


def place_of_watch(watch: Statement, head: Sequence[Statement], surroundings: Surroundings) -> int:
    """Where a `watch` belongs: behind the last statement that makes what is watched."""
    watched = effects_of(watch, surroundings).reads
    making = [number for number, one in enumerate(head) if overlap(effects_of(one, surroundings).binds, watched)]
    return max(making, default=-1) + 1
