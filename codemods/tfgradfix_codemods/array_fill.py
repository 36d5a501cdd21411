"""Tensors are written into an array, item by item.

What breaks:
    `path[k] = state` copies the numbers of the tensor `state` into a NumPy array: the array knows nothing of the
    tape, and every gradient through it is None. In `tf.function` it fails.

Repair:
    The array becomes a tensor that is replaced at each assignment: `path = tf.zeros(...)` where it is made, then
    `path = tf.tensor_scatter_nd_update(path, [[k]], [state])`; slices are put together by `tf.concat`, `+=` on an item
    becomes `tf.tensor_scatter_nd_add`. Reading items stays as it is. An array that one loop fills from the first row
    to the last becomes a list, and a tensor by `tf.stack` behind the loop. What a helper does that only assigns an
    item is written where it is called; a function that fills what its caller has made gives it back, and the caller
    takes it: `fill(out, w)` becomes `out = fill(out, w)`. The tensor has the dtype of what is written into it: NumPy
    makes float64 of everything, and TensorFlow does not mix dtypes.

Left alone:
    Arrays that have a second name which shows the assignments, that are made in one function and filled in another
    which returns something else or serves data too, that library calls may fill, that hold integers, or that are
    filled at places chosen by an array.

Example:
    >>> path[k + 1, 0] = path[k, 0] + step
    <<< path = tf.tensor_scatter_nd_update(path, [[k + 1, 0]], [path[k, 0] + step])
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.array_makers import tensor_for
from tfgradfix_codemods.base import Decline, Level, Rule
from tfgradfix_codemods.filled_arrays import FILL, HANDED
from tfgradfix_codemods.handed_arrays import HandedArrays
from tfgradfix_codemods.listed_rows import filling_loop
from tfgradfix_codemods.new_lines import assignment
from tfgradfix_codemods.nodes import call, method_call
from tfgradfix_codemods.tensor_items import bare

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tfgradfix.model import Finding
    from tfgradfix_codemods.filled_arrays import Filled
    from tfgradfix_codemods.item_statements import Statement

RULE: Final = Rule(
    code="TGF108",
    name="array-fill",
    level=Level.SAFE,
    after=(
        "numpy-call",
        "ndarray-method",
        "numpy-detach",
        "python-conversion",
        "conditional-expression",
        "target-outside-tape",
        "forward-outside-tape",
    ),
)


class ArrayFillCommand(HandedArrays):
    """Make a tensor of an array that tensors are written into."""

    DESCRIPTION = "array[i] = tensor becomes array = tf.tensor_scatter_nd_update(array, [[i]], [tensor])"
    RULE = RULE

    @cached_property
    def lists(self) -> Mapping[Filled, cst.For]:
        """The arrays that become lists, each with the loop that fills it."""
        tree = self.places.tree
        able = [filled for filled, refusal in self.refusals.items() if refusal is None]
        loops = {filled: filling_loop(filled, tree, filled.function(tree) or self.module) for filled in able}
        return {filled: loop for filled, loop in loops.items() if loop is not None}

    def rewrite(
        self, original: Statement | cst.Expr, updated: Statement, finding: Finding
    ) -> list[cst.BaseSmallStatement] | Decline:
        """The statements that take the place of one: an item is appended where the array becomes a list."""
        listed = next((filled for filled in self.lists if filled.stores[0].statement is original), None)
        if listed is None:
            return super().rewrite(original, updated, finding)
        return [cst.Expr(method_call(cst.Name(listed.name), "append", bare(updated.value)))]

    def leave_For(
        self, original_node: cst.For, updated_node: cst.For
    ) -> cst.For | cst.FlattenSentinel[cst.BaseStatement]:
        """Stack the lists that a loop has filled."""
        filled = [one for one, loop in self.lists.items() if loop is original_node] if self.done else []
        if not filled:
            return updated_node
        stacked = (call(self.tensorflow(one.makers[0].finding, "stack"), cst.Name(one.name)) for one in filled)
        lines = [assignment(one.name, None, value) for one, value in zip(filled, stacked, strict=True)]
        return cst.FlattenSentinel([updated_node, *lines])

    def made(self, original: cst.BaseExpression, updated: cst.BaseExpression) -> cst.BaseExpression:
        """What takes the place of the expression that makes an array."""
        finding = self.finding(original)
        if finding is None or finding.symbol in (FILL, HANDED):
            return updated
        filled = next(one for one in self.arrays if any(maker.node is original for maker in one.makers))
        refusal = self.refusals[filled]
        if refusal is not None:
            return self.settle(finding, updated, Decline(refusal))
        if filled in self.lists:
            return self.settle(finding, updated, cst.List([]))
        return self.settle(finding, updated, tensor_for(updated, finding, partial(self.tensorflow, finding)))

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
