"""The maps that a gradient is asked for come from one forward pass, the score from another.

What breaks:
    Grad-CAM asks for the gradient of a class score with respect to the maps of a layer. When a model made of the first
    layers gives the maps and the whole model, called on the same image, gives the score, the maps are computed twice:
    the score hangs on those of its own pass, and the gradient with respect to the others is None.

Repair:
    One model with both outputs is called once, where the maps were computed.

Left alone:
    Calls that are no statements of their own, calls on different inputs, and parts that are no functional model.

Example:
    >>> maps = extractor(batch)
    >>> scores = model(batch)
    <<< maps, scores = keras.Model(model.inputs, [extractor.output, model.output])(batch)
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from tfgradfix_codemods.base import GradientCommand, Level, Rule

RULE: Final = Rule(code="TGF210", name="two-forward-passes", level=Level.SAFE)


class TwoForwardPassesCommand(GradientCommand):
    """Make one forward pass of two."""

    DESCRIPTION = "maps and score of Grad-CAM are taken from one call of a model with both outputs"
    RULE = RULE

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.RemovalSentinel:
        """Write the one call, or remove the second."""
        finding = self.finding(original_node.body[0])
        if finding is None:
            return updated_node
        if len(original_node.body) > 1:
            self.decline(finding, "the call shares its line with other statements")
            return updated_node
        statement = finding.fact("statement")
        if not statement:
            return cst.RemoveFromParent()
        written = cst.ensure_type(cst.parse_statement(statement), cst.SimpleStatementLine)
        return updated_node.with_changes(body=written.body)
