"""A gradient is asked for with respect to a tensor that the tape does not watch.

What breaks:
    A tape watches variables by itself, but not tensors. The gradient with respect to a tensor that was never watched,
    or only after it was used, is None.

Repair:
    `tape.watch(x)` as the first statement of the tape's block; one that comes too late goes.

Left alone:
    Sources that are made inside the block, or that have another value there than where the gradient is asked for.

Example:
    >>> with tf.GradientTape() as tape:
    >>>     y = model(x)
    <<< with tf.GradientTape() as tape:
    <<<     tape.watch(x)
    <<<     y = model(x)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.base import Decline, GradientCommand, Level, Rule
from tfgradfix_codemods.nodes import prepend

if TYPE_CHECKING:
    from tfgradfix.model import Finding

RULE: Final = Rule(code="TGF205", name="source-not-watched", level=Level.SAFE)


class SourceNotWatchedCommand(GradientCommand):
    """Let a tape watch the tensors that it is asked about."""

    DESCRIPTION = "tape.watch(x) is added for a source that is a tensor"
    RULE = RULE

    def leave_With(self, original_node: cst.With, updated_node: cst.With) -> cst.With:
        """Put `tape.watch(...)` at the head of the block."""
        finding = self.finding(original_node)
        if finding is None or finding.fact("form") == "late":
            return updated_node
        watch = watch_statement(finding)
        if isinstance(watch, Decline):
            return self.settle(finding, updated_node, watch)
        return self.settle(finding, updated_node, updated_node.with_changes(body=prepend(updated_node.body, watch)))

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        """Remove a `tape.watch(...)` that comes too late."""
        watch = original_node.body[0]
        finding = self.finding(watch.value) if isinstance(watch, cst.Expr) else None
        if finding is None or finding.fact("form") != "late":
            return updated_node
        if len(original_node.body) > 1:
            self.decline(finding, "`watch` shares its line with other statements")
            return updated_node
        return cst.RemoveFromParent()


def watch_statement(finding: Finding) -> cst.Expr | Decline:
    """`tape.watch(x)`, or `tape.watch([x, y])` for several sources."""
    tape, sources = finding.fact("tape"), finding.fact("source")
    if not tape or not sources:
        return Decline("the tape or the source has no name that can be written there")
    listed = cst.parse_expression(f"[{sources}]")
    several = isinstance(listed, cst.List) and len(listed.elements) > 1
    return cst.Expr(cst.parse_expression(f"{tape}.watch([{sources}])" if several else f"{tape}.watch({sources})"))
