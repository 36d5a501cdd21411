"""A NumPy function is handed on as a value and called on tensors under another name.

What breaks:
    `ACTIVATIONS["tanh"](x)`, `partial(np.maximum, 0.0)(x)` and `map(np.exp, parts)` call NumPy as `np.tanh(x)` does:
    the tape sees a constant, and every gradient through it is None.

Repair:
    TensorFlow's function in its place, where the function is named.

Left alone:
    Functions that are also given data under such a name; functions that TensorFlow has under no name with the same
    positional arguments; functions that nothing on a gradient path calls.

Example:
    >>> ACTIVATIONS = {"tanh": np.tanh}
    <<< ACTIVATIONS = {"tanh": tf.tanh}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tfgradfix_codemods.base import GradientCommand, Level, Rule

if TYPE_CHECKING:
    import libcst as cst

RULE: Final = Rule(code="TGF116", name="numpy-function-value", level=Level.SAFE)


class NumpyFunctionValueCommand(GradientCommand):
    """Name TensorFlow's function where NumPy's is handed on."""

    DESCRIPTION = "np.tanh handed on as a function to be called on tensors becomes tf.tanh"
    RULE = RULE

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        """Replace `np.tanh`."""
        return self.renamed(original_node, updated_node)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        """Replace `tanh`, which `from numpy import tanh` has bound."""
        return self.renamed(original_node, updated_node)

    def renamed(self, original_node: cst.BaseExpression, updated_node: cst.BaseExpression) -> cst.BaseExpression:
        """TensorFlow's function, if a finding names the place."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        return self.settle(finding, updated_node, self.tensorflow(finding, finding.fact("function") or ""))
