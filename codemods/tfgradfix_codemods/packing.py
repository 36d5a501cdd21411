"""Tensors, lists of tensors and lists of lists as one tensor that carries their gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix.model import Operand
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.nodes import call, dotted_text
from tfgradfix_codemods.template_arguments import Argument
from tfgradfix_codemods.template_filters import FILTERS

if TYPE_CHECKING:
    from collections.abc import Callable

    TensorFlow = Callable[[str], cst.BaseExpression]

#: What is written with brackets, so that its nesting can be seen.
DISPLAYS = (cst.List, cst.Tuple, cst.ListComp)

UNKNOWN = Operand("unknown")


def packed(
    value: cst.BaseExpression, dtype: cst.BaseExpression | None, operand: Operand | None, tensorflow: TensorFlow
) -> cst.BaseExpression | Decline:
    """``value`` as a tensor.

    Args:
        value: a tensor, or a list or tuple of tensors and numbers, perhaps nested.
        dtype: the dtype asked for, as it stands in the call, or None.
        operand: what the analysis knows of ``value``.
        tensorflow: gives the node for a TensorFlow name.
    """
    known = operand or UNKNOWN
    wanted = None if dtype is None else FILTERS["dtype"]((Argument(dtype),), tensorflow)
    if isinstance(wanted, Decline):
        return wanted
    is_same = wanted is not None and (dotted_text(wanted) or "").rpartition(".")[2] == known.dtype
    if isinstance(value, DISPLAYS) or known.kind in ("list", "tuple"):
        whole: cst.BaseExpression = call(tensorflow("convert_to_tensor" if is_nested(value) else "stack"), value)
    elif known.kind in ("tensor", "variable"):
        whole = value
    else:
        return Decline("it is not certain whether this is a tensor or a list of tensors")
    return whole if wanted is None or is_same else call(tensorflow("cast"), whole, wanted)


def is_nested(value: cst.BaseExpression) -> bool:
    """Whether a display holds displays."""
    if isinstance(value, cst.ListComp):
        return isinstance(value.elt, DISPLAYS)
    if isinstance(value, (cst.List, cst.Tuple)):
        return any(isinstance(element.value, DISPLAYS) for element in value.elements)
    return False
