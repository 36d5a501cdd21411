"""An array is made of a list that holds tensors.

What breaks:
    `np.array([a, b])` takes the numbers out of the tensors `a` and `b`: the tape sees a constant, and every gradient
    through it is None. In `tf.function` it fails, or makes an array of objects.

Repair:
    `tf.stack([a, b])`; `tf.convert_to_tensor([[a, 0.0], [0.0, b]])` where lists stand in the list, or where a dtype is
    asked for that the tensors do not have. Both take Python numbers beside the tensors.

Left alone:
    Lists of data; `ndmin=` and `like=`; lists whose content is not known.

Example:
    >>> rotation = np.array([[tf.cos(a), -tf.sin(a)], [tf.sin(a), tf.cos(a)]])
    <<< rotation = tf.convert_to_tensor([[tf.cos(a), -tf.sin(a)], [tf.sin(a), tf.cos(a)]])
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from libcst.metadata import ParentNodeProvider

from tfgradfix.model import Operand
from tfgradfix_codemods.base import Decline, GradientCommand, Level, Rule
from tfgradfix_codemods.nodes import argument, in_place_of, keyword_of, unpacks
from tfgradfix_codemods.packing import packed

if TYPE_CHECKING:
    from collections.abc import Callable

    import libcst as cst

    from tfgradfix.model import Finding

    TensorFlow = Callable[[str], cst.BaseExpression]

RULE: Final = Rule(code="TGF107", name="array-of-tensors", level=Level.SAFE)

#: Arguments of `np.array` that mean nothing to a tensor: it is never shared and has one memory order.
HARMLESS: Final = frozenset({"dtype", "copy", "order", "subok"})


class ArrayOfTensorsCommand(GradientCommand):
    """Pack lists of tensors with TensorFlow and not with NumPy."""

    DESCRIPTION = "np.array([a, b]) of tensors becomes tf.stack([a, b])"
    METADATA_DEPENDENCIES = (ParentNodeProvider,)
    RULE = RULE

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        """Write the array as a tensor."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        result = as_tensor(updated_node, finding, partial(self.tensorflow, finding))
        if not isinstance(result, Decline):
            result = in_place_of(updated_node, result, self.get_metadata(ParentNodeProvider, original_node))
        return self.settle(finding, updated_node, result)


def as_tensor(array: cst.Call, finding: Finding, tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
    """The tensor with the content of ``array``."""
    arguments = array.args
    if not arguments or unpacks(arguments) or arguments[0].keyword is not None:
        return Decline("it is not plain what it is made of")
    for position, given in enumerate(arguments[1:], start=1):
        keyword = keyword_of(given)
        if keyword not in HARMLESS and not (keyword is None and position == 1):
            return Decline(f"{keyword or 'a third argument'} has no counterpart in TensorFlow")
    operand = finding.operands[0] if finding.operands else Operand("unknown")
    return packed(array, arguments[0], argument(arguments, 1, "dtype"), operand, tensorflow)
