"""A tensor on the gradient path is wrapped anew, as if it were data.

What breaks:
    `tf.Variable(x)` and `tf.constant(x)` copy the numbers of `x` into something that has no history: the gradient
    ends there.

Repair:
    `x` itself, cast where the call asks for a dtype; a list of tensors is packed with `tf.stack`, which carries the
    gradient.

Left alone:
    Variables and constants made of data; a variable with options (`constraint=`, `shape=` …), since it is meant to be
    a variable; one whose `trainable` is not plainly False; `tf.constant(x)` of an eager tensor and
    `tf.convert_to_tensor(x)`, which carry the gradient.

Example:
    >>> loss = tf.reduce_mean(tf.Variable(model(x)) - y)
    <<< loss = tf.reduce_mean(model(x) - y)
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import libcst as cst
from libcst.metadata import ParentNodeProvider

from tfgradfix.model import Operand
from tfgradfix_codemods.base import Decline, GradientCommand, Level, Rule
from tfgradfix_codemods.nodes import argument, in_place_of, keyword_of, unpacks
from tfgradfix_codemods.packing import packed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tfgradfix.model import Finding

    TensorFlow = Callable[[str], cst.BaseExpression]

RULE: Final = Rule(code="TGF112", name="tensor-rewrapped", level=Level.SAFE)

#: Where each function takes its dtype, and what else may be given without a difference for the gradient.
DTYPE_POSITION: Final[Mapping[str, int]] = {"constant": 1, "convert_to_tensor": 1}
HARMLESS: Final = frozenset({"value", "initial_value", "dtype", "name", "dtype_hint"})


class TensorRewrappedCommand(GradientCommand):
    """Take tf.constant and tf.Variable off a tensor on a gradient path."""

    DESCRIPTION = "tf.constant(x), tf.Variable(x) of a tensor on a gradient path become x"
    METADATA_DEPENDENCIES = (ParentNodeProvider,)
    RULE = RULE

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        """Replace the call by the tensor that it wraps."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        result = unwrapped(updated_node, finding, partial(self.tensorflow, finding))
        if not isinstance(result, Decline):
            result = in_place_of(updated_node, result, self.get_metadata(ParentNodeProvider, original_node))
        return self.settle(finding, updated_node, result)


def unwrapped(wrapping: cst.Call, finding: Finding, tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
    """The tensor in ``wrapping``, with the dtype that the call asks for."""
    function = finding.symbol.rpartition(".")[2]
    options = [keyword_of(given) for given in wrapping.args[1:]]
    if unpacks(wrapping.args) or not wrapping.args:
        return Decline("its arguments are unpacked, so that they cannot be told apart")
    for position, option in enumerate(options, start=1):
        if option == "trainable" and is_false(wrapping.args[position].value):
            continue  # made for its value
        if option not in HARMLESS and not (option is None and DTYPE_POSITION.get(function) == position):
            return Decline(f"it is given {option or 'more arguments'}, which a tensor cannot take")
    value = argument(wrapping.args, 0, "initial_value" if function == "Variable" else "value")
    if value is None:
        return Decline("it is not plain what it wraps")
    dtype = argument(wrapping.args, DTYPE_POSITION.get(function, -1), "dtype")
    operand = finding.operands[0] if finding.operands else Operand("unknown")
    return packed(wrapping, value, dtype, operand, tensorflow)


def is_false(value: cst.BaseExpression) -> bool:
    """Whether an expression is the word `False`."""
    return isinstance(value, cst.Name) and value.value == "False"
