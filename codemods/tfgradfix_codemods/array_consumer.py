"""What becomes a tensor is used as an array where no gradient has to pass.

What breaks:
    Nothing yet: this goes with another repair. When `np.sqrt(x)` becomes `tf.sqrt(x)`, its value is a tensor, and
    code beside the gradient path that calls `.copy()` on it, assigns to its items or hands it to a plot would fail.
    A loss that is no `float` any more cannot be written as JSON or rounded.

Repair:
    `.numpy()` at the place that wants the array, `float(...)` at the one that wants a number; `json.dumps` gets
    `default=float`, which reaches every depth of what is written.

Left alone:
    Uses that take tensors as they are: arithmetic, NumPy functions, printing, `float()`, indexing. A `json.dumps` that
    has a `default` or `cls` of its own (the repair that would need it is declined).

Example:
    >>> history.append(distance.copy())
    >>> file.write(json.dumps({"loss": loss}))
    <<< history.append(distance.numpy().copy())
    <<< file.write(json.dumps({"loss": loss}, default=float))
"""

from __future__ import annotations

from typing import Final, TypeVar

import libcst as cst

from tfgradfix_codemods.base import GradientCommand, Level, Rule
from tfgradfix_codemods.nodes import atom, call, method_call

RULE: Final = Rule(
    code="TGF120",
    name="array-consumer",
    level=Level.SAFE,
    after=("numpy-call", "ndarray-method", "numpy-detach", "python-conversion", "python-builtin", "math-call"),
)

Expression = TypeVar("Expression", bound=cst.BaseExpression)


class ArrayConsumerCommand(GradientCommand):
    """Give an array to what needs one, where another repair makes a tensor."""

    DESCRIPTION = "a value that a repair turns into a tensor, used as an array elsewhere, gets .numpy()"
    RULE = RULE

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        """Append `.numpy()` to a call."""
        return self.as_array(original_node, updated_node)

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        """Append `.numpy()` to a name."""
        return self.as_array(original_node, updated_node)

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        """Append `.numpy()` to an attribute."""
        return self.as_array(original_node, updated_node)

    def leave_Subscript(self, original_node: cst.Subscript, updated_node: cst.Subscript) -> cst.BaseExpression:
        """Append `.numpy()` to an item or slice."""
        return self.as_array(original_node, updated_node)

    def leave_BinaryOperation(
        self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation
    ) -> cst.BaseExpression:
        """Append `.numpy()` to an operation, in parentheses."""
        return self.as_array(original_node, updated_node)

    def leave_UnaryOperation(
        self, original_node: cst.UnaryOperation, updated_node: cst.UnaryOperation
    ) -> cst.BaseExpression:
        """Append `.numpy()` to an operation, in parentheses."""
        return self.as_array(original_node, updated_node)

    def leave_Comparison(self, original_node: cst.Comparison, updated_node: cst.Comparison) -> cst.BaseExpression:
        """Append `.numpy()` to a comparison, in parentheses."""
        return self.as_array(original_node, updated_node)

    def leave_IfExp(self, original_node: cst.IfExp, updated_node: cst.IfExp) -> cst.BaseExpression:
        """Append `.numpy()` to a conditional expression, in parentheses."""
        return self.as_array(original_node, updated_node)

    def as_array(self, original_node: cst.BaseExpression, updated_node: cst.BaseExpression) -> cst.BaseExpression:
        """``updated_node`` as an array or number, if the analysis asks for it."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        form = finding.fact("form")
        if form == "json":
            return self.settle(finding, updated_node, with_default(cst.ensure_type(updated_node, cst.Call)))
        if form == "number":
            return self.settle(finding, updated_node, call(cst.Name("float"), updated_node))
        return self.settle(finding, updated_node, method_call(atom(updated_node), "numpy"))


def with_default(node: cst.Call) -> cst.Call:
    """`json.dumps(...)` with `default=float`: what is no JSON value becomes a number."""
    default = cst.Arg(
        cst.Name("float"),
        keyword=cst.Name("default"),
        equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")),
    )
    return node.with_changes(args=[*node.args, default])
