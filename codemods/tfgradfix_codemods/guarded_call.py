"""A call that serves tensors and data alike: TensorFlow's form for tensors, the old one for everything else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.base import Decline, GradientCommand
from tfgradfix_codemods.nodes import call, parenthesise

if TYPE_CHECKING:
    from tfgradfix.model import Finding


class GuardedCommand(GradientCommand, ABC):
    """A codemod whose rewrite of a call may have to be chosen where the program runs."""

    @abstractmethod
    def rewritten(self, finding: Finding, node: cst.Call) -> cst.BaseExpression | Decline:
        """The TensorFlow expression for a call, or why there is none."""

    def guarded(self, finding: Finding, node: cst.Call) -> cst.BaseExpression | Decline:
        """The call for both kinds of values, if the finding asks for that; else its rewrite."""
        name = finding.fact("guard")
        if name is None:
            return self.rewritten(finding, node)
        asked = node.with_changes(args=[node.args[0].with_changes(value=cst.Name(name)), *node.args[1:]])
        result = self.rewritten(finding, asked)
        if isinstance(result, Decline):
            return result
        test = call(self.tensorflow(finding, "is_tensor"), cst.Name(name))
        chosen = cst.IfExp(test=test, body=result, orelse=asked)
        return chosen if takes_argument_first(node) else parenthesise(chosen)

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.BaseStatement]:
        """Give the argument of a guarded call its name in a line of its own."""
        small = original_node.body[0]
        value = small.value if isinstance(small, cst.Assign) else None
        finding = self.finding(value) if isinstance(value, cst.Call) and takes_argument_first(value) else None
        if finding is None or finding.fact("guard") is None or not isinstance(value, cst.Call):
            return updated_node
        if len(original_node.body) > 1:
            self.decline(finding, "the call shares its line with other statements")
            return original_node
        named = cst.ensure_type(updated_node.body[0], cst.Assign).with_changes(value=value.args[0].value)
        first = cst.SimpleStatementLine([named], leading_lines=updated_node.leading_lines)
        return cst.FlattenSentinel([first, updated_node.with_changes(leading_lines=[])])


def takes_argument_first(node: cst.Call) -> bool:
    """Whether the argument has no name that can be asked what it is."""
    return bool(node.args) and not isinstance(node.args[0].value, cst.Name)
