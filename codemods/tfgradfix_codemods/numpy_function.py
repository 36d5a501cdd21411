"""`tf.numpy_function` stands on the gradient path.

What breaks:
    TensorFlow cannot differentiate what happens inside `tf.numpy_function`; its gradient is None.

Repair:
    The function is called directly, and its body is rewritten in TensorFlow like any other code on the path.

Left alone:
    Functions that are not in the program, arguments that are not written as a list, and functions whose body cannot
    be rewritten. `tf.py_function` around a NumPy body would only silence the error: its gradients are zero.

Example:
    >>> return tf.numpy_function(kernel, [counts, mean], tf.float32)
    <<< return kernel(counts, mean)
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from tfgradfix_codemods.base import Decline, GradientCommand, Level, Rule
from tfgradfix_codemods.nodes import argument, bare, unpacks

RULE: Final = Rule(code="TGF110", name="numpy-function", level=Level.SAFE)


class NumpyFunctionCommand(GradientCommand):
    """Call a function directly that was wrapped in tf.numpy_function."""

    DESCRIPTION = "tf.numpy_function(f, [x], dtype) on a gradient path becomes f(x)"
    RULE = RULE

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        """Take the wrapper off."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        return self.settle(finding, updated_node, unwrapped(updated_node))


def unwrapped(wrapper: cst.Call) -> cst.Call | Decline:
    """The inner call, its arguments in order."""
    if unpacks(wrapper.args):
        return Decline("its arguments are unpacked")
    function, inputs = argument(wrapper.args, 0, "func"), argument(wrapper.args, 1, "inp")
    if function is None or not isinstance(function.value, (cst.Name, cst.Attribute)):
        return Decline("its function has no name")
    if inputs is None or not isinstance(inputs.value, (cst.List, cst.Tuple)):
        return Decline("its arguments are not written as a list")
    if any(isinstance(item, cst.StarredElement) for item in inputs.value.elements):
        return Decline("its arguments are unpacked")
    arguments = [cst.Arg(bare(item.value)) for item in inputs.value.elements]
    return wrapper.with_changes(func=function.value, args=arguments)
