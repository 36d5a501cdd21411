"""What a model gave is remembered as numbers, and the gradient is asked of the numbers.

What breaks:
    REINFORCE plays an episode first and keeps the log probability of each move in a list. When it learns, the list is
    all that the tape sees: numbers, or tensors that were computed before the tape began. Every gradient is None.

Repair:
    Inside the tape the values are computed again, from what is kept beside them: the list of log probabilities becomes
    a comprehension over the lists of observations and moves. What is kept, and what is drawn, stays as it is.

Left alone:
    Values computed from something that is not kept, drawn numbers, calls in training mode (dropout would draw anew),
    lists that grow at several places or never begin anew, and sources that have another path to the target: an old
    probability in a ratio (PPO) is a constant on purpose.

Example:
    >>> loss = -tf.reduce_mean(tf.stack(self.log_probs) * weight)
    <<< loss = -tf.reduce_mean(tf.stack([tf.math.log(self.policy(x[None])[0]) for x in self.seen]) * weight)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.base import GradientCommand, Level, Rule
from tfgradfix_codemods.blocks import nodes_in
from tfgradfix_codemods.long_lines import fitted
from tfgradfix_codemods.nodes import comment_count, operand
from tfgradfix_codemods.trees import Tree

if TYPE_CHECKING:
    from libcst.codemod import CodemodContext

RULE: Final = Rule(code="TGF211", name="remembered-values", level=Level.SAFE)


class RememberedValuesCommand(GradientCommand):
    """Compute remembered values again."""

    DESCRIPTION = "a list of remembered results becomes a comprehension that computes them inside the tape"
    RULE = RULE

    def __init__(self, context: CodemodContext, unsafe_fixes: bool = False) -> None:
        """Begin with nothing computed."""
        super().__init__(context, unsafe_fixes)
        self.computed: set[cst.CSTNode] = set()

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        """Compute what a list that is an attribute remembers."""
        return self.again(original_node, updated_node)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        """Compute what a list with a name remembers, or one value of it."""
        return self.again(original_node, updated_node)

    def again(self, original_node: cst.BaseExpression, updated_node: cst.BaseExpression) -> cst.BaseExpression:
        """The values as they are computed from what is kept beside them."""
        finding = self.finding(original_node)
        written = finding.fact("written") if finding is not None else None
        if finding is None or written is None:
            return updated_node
        if comment_count(updated_node):
            self.decline(finding, "a comment inside it would be lost")
            return updated_node
        self.computed.add(original_node)
        return operand(cst.parse_expression(written))

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.BaseStatement:
        """Break a line that became too long."""
        changed = any(node in self.computed for node in nodes_in(original_node)) if self.computed else False
        return fitted(updated_node, original_node, Tree(self.module)) if changed else updated_node
