"""The list of weights is taken before the model has made them.

What breaks:
    Most Keras layers make their weights at their first call. `model.trainable_variables` before that is an empty list
    (or lacks the layers that are not built yet), and so it stays for whoever has kept it: the gradient is asked for
    with respect to nothing, or to some of the weights, and the rest is never trained.

Repair:
    The list is taken once more behind the tape's block, when the model has been called.

Left alone:
    Lists that are put together from names which the place of the gradient call does not have, tapes that are made in
    another function than the gradient is asked for in, and models that are built by `build`, `Input` or a first call.

Example:
    >>> weights = model.trainable_variables
    >>> for x, y in batches:
    >>>     with tf.GradientTape() as tape:
    >>>         loss = loss_of(model(x), y)
    >>>     grads = tape.gradient(loss, weights)
    <<< weights = model.trainable_variables
    <<< for x, y in batches:
    <<<     with tf.GradientTape() as tape:
    <<<         loss = loss_of(model(x), y)
    <<<     weights = model.trainable_variables
    <<<     grads = tape.gradient(loss, weights)
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from tfgradfix_codemods.base import GradientCommand, Level, Rule

RULE: Final = Rule(code="TGF209", name="weights-before-build", level=Level.SAFE)


class WeightsBeforeBuildCommand(GradientCommand):
    """Take the list of weights again when the model has them."""

    DESCRIPTION = "a list of weights that was taken before the model was built is taken again after its first call"
    RULE = RULE

    def leave_With(
        self, original_node: cst.With, updated_node: cst.With
    ) -> cst.With | cst.FlattenSentinel[cst.BaseStatement]:
        """Put the assignment behind the tape's block."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        statement = finding.fact("statement")
        if statement is None:
            self.decline(finding, "the list cannot be written there")
            return updated_node
        return cst.FlattenSentinel([updated_node, cst.parse_statement(statement)])
