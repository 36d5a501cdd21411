"""Tensors, lists of tensors and lists of lists as one tensor that carries their gradients."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.nodes import dotted_text
from tfgradfix_codemods.template_arguments import Argument
from tfgradfix_codemods.template_filters import FILTERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfgradfix.model import Operand

    TensorFlow = Callable[[str], cst.BaseExpression]

#: What is written with brackets, so that its nesting can be seen.
DISPLAYS = (cst.List, cst.Tuple, cst.ListComp)


def packed(
    maker: cst.Call, value: cst.Arg, dtype: cst.Arg | None, operand: Operand, tensorflow: TensorFlow
) -> cst.BaseExpression | Decline:
    """What ``maker`` makes, as a tensor.

    Args:
        maker: the call that makes an array or constant; its line breaks are kept.
        value: its argument that holds a tensor, or a list or tuple of tensors and numbers, perhaps nested.
        dtype: its argument that asks for a dtype, or None.
        operand: what the analysis knows of ``value``.
        tensorflow: gives the node for a TensorFlow name.
    """
    wanted = None if dtype is None else wanted_dtype(dtype.value, operand, tensorflow)
    if isinstance(wanted, Decline):
        return wanted
    if isinstance(value.value, DISPLAYS) or operand.kind in ("list", "tuple"):
        name = "stack" if wanted is None and not is_nested(value.value) else "convert_to_tensor"
    elif operand.kind not in ("tensor", "variable"):
        return Decline("it is not certain whether this is a tensor or a list of tensors")
    elif wanted is None:
        return value.value
    else:
        name = "cast"
    arguments = [value.with_changes(keyword=None, equal=cst.MaybeSentinel.DEFAULT)]
    if dtype is not None and wanted is not None:
        arguments.append(dtype.with_changes(value=wanted))
    arguments[-1] = arguments[-1].with_changes(comma=maker.args[-1].comma)
    return maker.with_changes(func=tensorflow(name), args=arguments, lpar=(), rpar=())


def wanted_dtype(
    dtype: cst.BaseExpression, operand: Operand, tensorflow: TensorFlow
) -> cst.BaseExpression | Decline | None:
    """The dtype as TensorFlow names it, or None where the tensors have it already."""
    wanted = FILTERS["dtype"]((Argument(dtype),), tensorflow)
    if isinstance(wanted, Decline):
        return wanted
    name = (dotted_text(wanted) or "").rpartition(".")[2]
    if name.startswith(("int", "uint", "bool")):
        return Decline(f"the dtype {name} carries no gradient")
    return None if name and name == operand.dtype else wanted


def is_nested(value: cst.BaseExpression) -> bool:
    """Whether a display holds displays."""
    if isinstance(value, cst.ListComp):
        return isinstance(value.elt, DISPLAYS)
    if isinstance(value, (cst.List, cst.Tuple)):
        return any(isinstance(element.value, DISPLAYS) for element in value.elements)
    return False
