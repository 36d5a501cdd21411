"""Tensors of two dtypes meet in an operator where NumPy used to find a common one.

What breaks:
    NumPy computes `float32 * complex64` in complex64. TensorFlow does not promote: the operator raises
    InvalidArgumentError, and a complex Python number beside a real tensor raises TypeError.

Repair:
    `tf.cast` on the operand of the narrower dtype, to the dtype that NumPy would have taken.

Left alone:
    Operators whose operands' dtypes are not both known, and arrays beside a tensor, which TensorFlow converts itself.

Example:
    >>> psi = amplitude * np.exp(1j * phase)
    <<< psi = tf.cast(amplitude, tf.complex64) * tf.exp(1j * tf.cast(phase, tf.complex64))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tfgradfix_codemods.base import Decline, GradientCommand, Level, Rule
from tfgradfix_codemods.nodes import argument, bare, call, unpacks

if TYPE_CHECKING:
    import libcst as cst

RULE: Final = Rule(code="TGF114", name="dtype-meeting", level=Level.SAFE)


class DtypeMeetingCommand(GradientCommand):
    """Cast the narrower of two tensors that meet in an operator."""

    DESCRIPTION = "tensors of two dtypes in one operator get the dtype that NumPy would take"
    RULE = RULE

    def leave_BinaryOperation(
        self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation
    ) -> cst.BinaryOperation:
        """Cast the side that the finding names."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        dtype = self.tensorflow(finding, finding.fact("dtype") or "float32")
        cast = self.tensorflow(finding, "cast")
        return self.settle(finding, updated_node, with_cast(updated_node, finding.fact("side") or "right", cast, dtype))

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        """Cast what is no array to convert any more."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        return self.settle(finding, updated_node, as_cast(updated_node, self.tensorflow(finding, "cast")))


def as_cast(conversion: cst.Call, cast: cst.BaseExpression) -> cst.Call | Decline:
    """`tf.cast(x, dtype)` for `tf.convert_to_tensor(x, dtype)`."""
    value, dtype = argument(conversion.args, 0, "value"), argument(conversion.args, 1, "dtype")
    if unpacks(conversion.args) or value is None or dtype is None or len(conversion.args) > 2:
        return Decline("it is given more than a value and a dtype")
    return call(cast, bare(value.value), bare(dtype.value))


def with_cast(
    operation: cst.BinaryOperation, side: str, cast: cst.BaseExpression, dtype: cst.BaseExpression
) -> cst.BinaryOperation:
    """The operation with its left or right operand inside a cast."""
    if side == "left":
        return operation.with_changes(left=call(cast, bare(operation.left), dtype))
    return operation.with_changes(right=call(cast, bare(operation.right), dtype))
