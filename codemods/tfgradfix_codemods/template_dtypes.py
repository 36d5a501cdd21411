"""Brings the operands of one operation to one dtype, as NumPy does by itself and TensorFlow does not.

TensorFlow converts what is not a tensor to the dtype of the tensor before it: always in eager code, and in a graph
only when the tensor comes first. So a NumPy operand in front of a tensor is converted here, one behind it only where
the row says that TensorFlow would not (``strict``). The tensors' own dtype decides, not the NumPy operand's: float32
predictions against float64 data give float32, as anybody would write it. Tensors of different dtypes are promoted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.nodes import atom, call
from tfgradfix_codemods.template_arguments import Argument, Arguments, NeedsName, dtype_class
from tfgradfix_codemods.template_filters import as_float

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix_codemods.template_filters import TensorFlow

TENSORS: Final = ("tensor", "variable")

#: What TensorFlow has to make a tensor of.
DATA: Final = ("ndarray", "number", "bool", "list", "tuple")

#: What makes a tensor of each: a cast would bring Python's floats down to float32 first.
_MAKERS: Final = {
    **dict.fromkeys(("number", "bool"), "constant"),
    **dict.fromkeys(("list", "tuple"), "convert_to_tensor"),
    "ndarray": "cast",
}

#: Classes from narrow to wide.
_ORDER: Final = ("bool", "integer", "float", "complex")


def one_dtype(arguments: Arguments, tensorflow: TensorFlow, *, converts: bool = False) -> Arguments | Decline:
    """The same arguments, with casts round those that need one; Decline where a cast is needed and not known.

    ``converts``: what is written converts NumPy operands by itself, so that only tensors are to be cast.
    """
    arguments = _floats(arguments, tensorflow)
    names = [name for name in arguments.row.one_dtype if name in arguments.given]
    operands = [argument for name in names for argument in arguments.given[name]]
    tensors = [argument for argument in operands if argument.operand.kind in TENSORS]
    target: _Target | Decline = _Target(None, None)
    if tensors:
        target = _target(operands, tensors, tensorflow)
    else:
        tensors = [argument for argument in operands if argument.operand.kind == "unknown"]
    if isinstance(target, Decline):
        return target
    if len(operands) < 2 or not tensors:
        return arguments
    if arguments.row.commutes and not converts and operands[0] is not tensors[0] and not _fits(operands[0], target):
        return _with(arguments, names, operands[::-1])
    first = operands.index(tensors[0])
    cast: list[Argument] = []
    for index, argument in enumerate(operands):
        by_itself = converts or (index > first and not arguments.row.strict)
        if by_itself and argument.operand.kind not in TENSORS:
            cast.append(argument)
            continue
        node = _converted(argument, target, arguments.row.strict, tensorflow)
        if isinstance(node, Decline):
            return node
        cast.append(replace(argument, node=node))
    return _with(arguments, names, cast)


@dataclass(frozen=True)
class _Target:
    """The common dtype: its name when known, and an expression for it where one can be written."""

    name: str | None
    node: cst.BaseExpression | None


def _target(operands: Sequence[Argument], tensors: Sequence[Argument], tensorflow: TensorFlow) -> _Target | Decline:
    complex_ = any(dtype_class(argument.operand.dtype) == "complex" for argument in operands)
    known = [argument.operand.dtype for argument in tensors if argument.operand.dtype is not None]
    if len(known) == len(tensors):
        name = _complex(_widest(known)) if complex_ else _widest(known)
        return _Target(name, tensorflow(name))
    if complex_:
        return Decline("a complex number meets a tensor whose dtype is not known")
    first = tensors[0].node
    simple = isinstance(first, (cst.Name, cst.Attribute))
    return _Target(None, cst.Attribute(atom(first.deep_clone()), cst.Name("dtype")) if simple else None)


def _converted(
    argument: Argument, target: _Target, strict: bool, tensorflow: TensorFlow
) -> cst.BaseExpression | Decline:
    """The operand's node, in a cast where it needs one."""
    operand, node = argument.operand, argument.node
    if operand.kind in TENSORS:
        if operand.dtype is None or target.name is None or operand.dtype == target.name or target.node is None:
            return node
        return call(tensorflow("cast"), node, target.node.deep_clone())
    if operand.kind not in DATA or (operand.kind == "ndarray" and operand.dtype == target.name is not None):
        return node
    if operand.kind in ("number", "bool") and target.name in (None, "float32") and not strict:
        written = as_float((argument,), tensorflow)
        if isinstance(written, cst.Float) or target.node is None or operand.dtype == "float":
            return written
    if target.node is None:
        return NeedsName("a NumPy array stands before a tensor whose dtype is not known")
    return call(tensorflow(_MAKERS[operand.kind]), node, target.node.deep_clone())


def _fits(argument: Argument, target: _Target) -> bool:
    """Whether an operand that is no tensor may stand first as it is."""
    if argument.operand.kind in ("number", "bool"):
        return target.name == "float32" and argument.operand.dtype in ("int", "float")
    return argument.operand.kind not in DATA or argument.operand.dtype == target.name is not None


def _floats(arguments: Arguments, tensorflow: TensorFlow) -> Arguments:
    """Integer and bool tensors become float64 where NumPy's function makes floats of them."""
    if not arguments.row.floats:
        return arguments
    given = dict(arguments.given)
    for name in arguments.row.differentiable_parameters:
        argument = arguments.one(name)
        if argument is None or argument.operand.kind not in (*TENSORS, "ndarray"):
            continue
        if dtype_class(argument.operand.dtype) in ("integer", "bool"):
            node = call(tensorflow("cast"), argument.node, tensorflow("float64"))
            given[name] = (replace(argument, node=node, operand=replace(argument.operand, dtype="float64")),)
    return replace(arguments, given=given)


def _with(arguments: Arguments, names: Sequence[str], cast: Sequence[Argument]) -> Arguments:
    given, rest = dict(arguments.given), list(cast)
    for name in names:
        size = len(arguments.given[name])
        given[name], rest = tuple(rest[:size]), rest[size:]
    return replace(arguments, given=given)


def _widest(names: Sequence[str]) -> str:
    """The dtype that NumPy's promotion would keep, a float staying as narrow as it is beside integers."""
    return max(names, key=lambda name: (_ORDER.index(dtype_class(name) or "bool"), _bits(name)))


def _bits(name: str) -> int:
    return int(name.lstrip("abcdefghijklmnopqrstuvwxyz") or 0)


def _complex(name: str) -> str:
    return name if name.startswith("complex") else "complex128" if name == "float64" else "complex64"
