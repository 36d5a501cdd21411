"""A method or attribute that only arrays have is asked of what is a tensor on the gradient path.

What breaks:
    `x.mean()`, `x.T` or `x.reshape(...)` work while `x` is a NumPy array. As soon as the gradient is to pass, `x` is
    a tensor, and tensors have no such methods.

Repair:
    The TensorFlow expression of the same meaning, as the table of array methods gives it. It is made in one go with
    the repair that makes `x` a tensor.

Left alone:
    The same methods on arrays that stay arrays; methods that change the array in place.

Example:
    >>> loss = errors.mean(axis=0)
    <<< loss = tf.reduce_mean(errors, axis=0)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tfgradfix_codemods.base import Level, Rule
from tfgradfix_codemods.table_command import TableCommand

if TYPE_CHECKING:
    import libcst as cst

RULE: Final = Rule(code="TGF102", name="ndarray-method", level=Level.SAFE)


class NdarrayMethodCommand(TableCommand):
    """Replace methods and attributes of arrays on a gradient path with TensorFlow functions."""

    DESCRIPTION = "x.mean(), x.T … on a gradient path become tf.*"
    RULE = RULE

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        """Write the attribute as the table says."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        return self.settle(finding, updated_node, self.from_table(finding, updated_node))
