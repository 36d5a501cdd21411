"""A gradient is asked for with respect to an integer.

What breaks:
    Gradients exist for float and complex tensors only. For `x = tf.constant(3)` or `tf.Variable([1, 2])`, whose dtype
    is int32, TensorFlow warns and gives None.

Repair:
    A float dtype where the source is made of Python integers and everything that uses it casts it to that dtype. Where
    it goes into plain arithmetic instead, the dtype of the result changes with it: that edit is unsafe.

Left alone:
    Sources that are an index, a size or a count somewhere, sources made of arrays or with a dtype of their own, and
    those that meet other tensors before they are cast.

Example:
    >>> lift = tf.Variable([5, 5, 5])
    <<< lift = tf.Variable([5, 5, 5], dtype=tf.float32)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tfgradfix_codemods.base import GradientCommand, Level, Rule
from tfgradfix_codemods.nodes import keyword_argument, with_argument

if TYPE_CHECKING:
    import libcst as cst

RULE: Final = Rule(code="TGF207", name="source-not-float", level=Level.SAFE)


class SourceNotFloatCommand(GradientCommand):
    """Give a source a float dtype where it is made."""

    DESCRIPTION = "tf.Variable([1, 2]) whose gradient is asked for gets a float dtype"
    RULE = RULE

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        """Add the dtype."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        dtype = self.tensorflow(finding, finding.fact("dtype") or "float32")
        return self.settle(finding, updated_node, with_argument(updated_node, keyword_argument("dtype", dtype)))
