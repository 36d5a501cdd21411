"""The codemods whose repair stands in the table of library functions."""

from __future__ import annotations

from abc import ABC
from functools import partial
from typing import TYPE_CHECKING

from tfgradfix.analyse.facts.rows import row
from tfgradfix_codemods.base import Decline
from tfgradfix_codemods.guarded_call import GuardedCommand
from tfgradfix_codemods.templates import write_call

if TYPE_CHECKING:
    import libcst as cst

    from tfgradfix.model import Finding


class TableCommand(GuardedCommand, ABC):
    """A codemod that writes what the table says of the finding's symbol."""

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        """Write the call as the table says."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        return self.settle(finding, updated_node, self.guarded(finding, updated_node))

    def rewritten(self, finding: Finding, node: cst.Call) -> cst.BaseExpression | Decline:
        """The call as the table says."""
        return self.from_table(finding, node)

    def from_table(self, finding: Finding, node: cst.Call | cst.Attribute) -> cst.BaseExpression | Decline:
        """The TensorFlow expression for ``node``, or why there is none."""
        known = row(finding.symbol)
        if known is None:
            return Decline(f"nothing is known of {finding.symbol}")
        return write_call(known, node, finding, partial(self.tensorflow, finding))
