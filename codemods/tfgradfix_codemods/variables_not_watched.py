"""A tape is told not to watch variables, and the variables that the gradient is asked for are not watched by hand.

What breaks:
    With `watch_accessed_variables=False` a tape records only what `tape.watch` names. A gradient with respect to
    anything else is None.

Repair:
    The tape watches variables again, as it does by default. A `tape.watch(...)` of a model's weights goes: it says
    nothing any more, and Keras 3 refuses its variables there.

Left alone:
    Tapes whose sources are all watched by hand.

Example:
    >>> with tf.GradientTape(watch_accessed_variables=False) as tape:
    <<< with tf.GradientTape() as tape:
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from tfgradfix_codemods.base import Decline, GradientCommand, Level, Rule
from tfgradfix_codemods.nodes import argument, unpacks, without_argument

RULE: Final = Rule(code="TGF204", name="variables-not-watched", level=Level.SAFE)


class VariablesNotWatchedCommand(GradientCommand):
    """Let a tape watch variables again."""

    DESCRIPTION = "watch_accessed_variables=False is dropped where its tape misses the sources"
    RULE = RULE

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        """Drop the argument."""
        finding = self.finding(original_node)
        if finding is None or finding.fact("form") == "watch":
            return updated_node
        return self.settle(finding, updated_node, watching(updated_node))

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        """Remove a `tape.watch(...)` that has become needless."""
        watch = original_node.body[0]
        finding = self.finding(watch.value) if isinstance(watch, cst.Expr) else None
        if finding is None or finding.fact("form") != "watch":
            return updated_node
        if len(original_node.body) > 1:
            self.decline(finding, "`watch` shares its line with other statements")
            return updated_node
        return cst.RemoveFromParent()


def watching(tape: cst.Call) -> cst.Call | Decline:
    """The tape without `watch_accessed_variables`."""
    if unpacks(tape.args):
        return Decline("its arguments are unpacked and may say watch_accessed_variables= themselves")
    given = argument(tape.args, 1, "watch_accessed_variables")
    if given is None:
        return Decline("it is not plain where watch_accessed_variables is set")
    return without_argument(tape, given)
