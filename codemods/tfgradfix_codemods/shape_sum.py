"""The shape of what becomes a tensor is added to a tuple.

What breaks:
    An array's shape is a tuple; a tensor's is a TensorShape, which takes no -1: `x.shape[:-1] + (4, -1)` raises
    ValueError as soon as x is a tensor.

Repair:
    `tuple(...)` round the shape. Run eagerly, every size is a number.

Left alone:
    Code that is traced, where sizes may be unknown.

Example:
    >>> y = np.reshape(x, x.shape[:-1] + (4, -1))
    <<< y = tf.reshape(x, tuple(x.shape[:-1]) + (4, -1))
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from tfgradfix_codemods.base import GradientCommand, Level, Rule
from tfgradfix_codemods.nodes import bare, call

RULE: Final = Rule(code="TGF115", name="shape-sum", level=Level.SAFE)


class ShapeSumCommand(GradientCommand):
    """Make a tuple of a tensor's shape before a tuple is added to it."""

    DESCRIPTION = "a tensor's shape becomes a tuple where a tuple is added to it"
    RULE = RULE

    def leave_BinaryOperation(
        self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation
    ) -> cst.BinaryOperation:
        """Write `tuple(...)` round the left operand."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        shape = call(cst.Name("tuple"), bare(updated_node.left))
        return self.settle(finding, updated_node, updated_node.with_changes(left=shape))
