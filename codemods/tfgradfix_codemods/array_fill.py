"""Tensors are written into an array, item by item.

What breaks:
    `path[k] = state` copies the numbers of the tensor `state` into a NumPy array: the array knows nothing of the
    tape, and every gradient through it is None. In `tf.function` it fails.

Repair:
    The array becomes a tensor that is replaced at each assignment: `path = tf.zeros(...)` where it is made, then
    `path = tf.tensor_scatter_nd_update(path, [[k]], [state])`; slices are put together by `tf.concat`, `+=` on an item
    becomes `tf.tensor_scatter_nd_add`. Reading items stays as it is. The tensor has the dtype of what is written into
    it: NumPy makes float64 of everything, and TensorFlow does not mix dtypes.

Left alone:
    Arrays that have a second name which shows the assignments, that are made in one function and filled in another,
    that calls may fill, that hold integers, or that are filled at places chosen by an array.

Example:
    >>> path[k + 1, 0] = path[k, 0] + step
    <<< path = tf.tensor_scatter_nd_update(path, [[k + 1, 0]], [path[k, 0] + step])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tfgradfix_codemods.base import Level, Rule
from tfgradfix_codemods.item_commands import ItemCommand

if TYPE_CHECKING:
    import libcst as cst

RULE: Final = Rule(
    code="TGF108",
    name="array-fill",
    level=Level.SAFE,
    after=("numpy-call", "ndarray-method", "numpy-detach", "python-conversion", "conditional-expression"),
)


class ArrayFillCommand(ItemCommand):
    """Make a tensor of an array that tensors are written into."""

    DESCRIPTION = "array[i] = tensor becomes array = tf.tensor_scatter_nd_update(array, [[i]], [tensor])"
    RULE = RULE

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        """Make a tensor where an array is made by a call."""
        return self.made(original_node, updated_node)

    def leave_BinaryOperation(
        self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation
    ) -> cst.BaseExpression:
        """Make a tensor where an array is made by an operator."""
        return self.made(original_node, updated_node)

    def leave_UnaryOperation(
        self, original_node: cst.UnaryOperation, updated_node: cst.UnaryOperation
    ) -> cst.BaseExpression:
        """Make a tensor where an array is made by a sign."""
        return self.made(original_node, updated_node)

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        """Make a tensor where an array is an attribute of another."""
        return self.made(original_node, updated_node)

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:
        """Make a tensor where an array is picked out of another."""
        return self.made(original_node, updated_node)
