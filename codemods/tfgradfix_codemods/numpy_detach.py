"""A tensor is turned into a NumPy array on its way from a variable to the loss.

What breaks:
    `x.numpy()` gives the numbers of `x` without how they came about: the tape sees a constant, and every gradient
    through it is None. Inside `tf.function` it fails outright.

Repair:
    `x` itself. In traced code, where the value comes from weights that have another path to the loss (a teacher, a
    baseline), `tf.stop_gradient(x)`: that it is a constant is on purpose, only `.numpy()` fails there.

Left alone:
    `.numpy()` on values that are printed, plotted, stored or used as an index: no gradient has to pass there.

Example:
    >>> loss = tf.reduce_mean(model(x).numpy() - y)
    <<< loss = tf.reduce_mean(model(x) - y)
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from tfgradfix_codemods.base import Decline, GradientCommand, Level, Rule
from tfgradfix_codemods.nodes import call, in_place_of

RULE: Final = Rule(code="TGF103", name="numpy-detach", level=Level.SAFE)


class NumpyDetachCommand(GradientCommand):
    """Take `.numpy()` off a tensor on a gradient path."""

    DESCRIPTION = "x.numpy() on a gradient path becomes x"
    RULE = RULE

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        """Replace the call by its receiver."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        inner = receiver(updated_node)
        if finding.fact("form") == "stopped" and not isinstance(inner, Decline):
            inner = call(self.tensorflow(finding, "stop_gradient"), inner)
        return self.settle(finding, updated_node, inner)


def receiver(call: cst.Call) -> cst.BaseExpression | Decline:
    """What a method without arguments is called on, with the parentheses of the call."""
    if not isinstance(call.func, cst.Attribute) or call.args:
        return Decline("this is not a plain .numpy() call")
    return in_place_of(call, call.func.value)
