"""A tensor on the gradient path is turned into a Python number, list or NumPy scalar.

What breaks:
    `float(x)`, `x.item()`, `x.tolist()` and `np.float32(x)` take the number out of the tensor: the tape sees a
    constant, and every gradient through it is None. Inside `tf.function` they fail.

Repair:
    `x` itself where it is a scalar, `tf.reshape(x, [])` where it has one element in some other shape, `tf.cast` where
    the conversion asks for a dtype, and `tf.unstack(x)` for the list of a vector.

Left alone:
    Conversions for printing, logging and JSON; `int(x)`, which has no derivative; `x.item(3)`; `x.tolist()` unless `x`
    is known to be a vector or a scalar.

Example:
    >>> total = total + float(loss)
    <<< total = total + loss
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import libcst as cst
from libcst.metadata import ParentNodeProvider

from tfgradfix.model import Operand
from tfgradfix_codemods.base import Decline, Level, Rule
from tfgradfix_codemods.guarded_call import GuardedCommand
from tfgradfix_codemods.nodes import call, in_place_of, unpacks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tfgradfix.model import Finding

    TensorFlow = Callable[[str], cst.BaseExpression]

RULE: Final = Rule(code="TGF104", name="python-conversion", level=Level.SAFE)

#: NumPy's scalar types and the dtype that each gives.
DTYPES: Final[Mapping[str, str]] = {
    "numpy.float16": "float16",
    "numpy.half": "float16",
    "numpy.float32": "float32",
    "numpy.single": "float32",
    "numpy.float64": "float64",
    "numpy.double": "float64",
    "numpy.complex64": "complex64",
    "numpy.complex128": "complex128",
}


class PythonConversionCommand(GuardedCommand):
    """Take conversions to Python numbers off the gradient path."""

    DESCRIPTION = "float(x), x.item() … on a gradient path become x"
    METADATA_DEPENDENCIES = (ParentNodeProvider,)
    RULE = RULE

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        """Replace the conversion by what it converts."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        result = self.guarded(finding, updated_node)
        if not isinstance(result, Decline):
            result = in_place_of(updated_node, result, self.get_metadata(ParentNodeProvider, original_node))
        return self.settle(finding, updated_node, result)

    def rewritten(self, finding: Finding, node: cst.Call) -> cst.BaseExpression | Decline:
        """What the call converts."""
        return unconverted(node, finding, partial(self.tensorflow, finding))


def unconverted(conversion: cst.Call, finding: Finding, tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
    """The tensor that ``conversion`` converts, in the shape and dtype that the conversion gives."""
    value = converted_value(conversion, finding.symbol)
    if isinstance(value, Decline):
        return value
    operand = finding.operands[0] if finding.operands else Operand("unknown")
    name = finding.symbol.rpartition(".")[2]
    if finding.symbol in DTYPES:
        return call(tensorflow("cast"), value, tensorflow(DTYPES[finding.symbol]))
    if name == "tolist":
        return as_list(value, operand, tensorflow)
    if name == "item" or finding.symbol == "builtins.float":
        return as_scalar(value, operand, finding, tensorflow)
    return Decline(f"{name}() has no derivative")


def converted_value(conversion: cst.Call, symbol: str) -> cst.BaseExpression | Decline:
    """What is converted: the one argument of a function, or what a method without arguments is called on."""
    function, arguments = conversion.func, conversion.args
    if symbol.startswith("ndarray.") and isinstance(function, cst.Attribute) and not arguments:
        return function.value
    alone = len(arguments) == 1 and arguments[0].keyword is None and not unpacks(arguments)
    if alone and not symbol.startswith("ndarray."):
        return arguments[0].value
    return Decline("its arguments say more than which value to convert")


def as_scalar(
    value: cst.BaseExpression, operand: Operand, finding: Finding, tensorflow: TensorFlow
) -> cst.BaseExpression | Decline:
    """``value`` as a scalar tensor, of the dtype that the place wants if the analysis knows it."""
    given, wanted = operand.dtype, finding.fact("dtype")
    if given is not None and given.startswith(("int", "uint", "bool")):
        return Decline(f"it makes a float of the dtype {given}, which carries no gradient")
    # float() is mostly given scalars; item() is called where an array has one element in some other shape.
    is_scalar = operand.rank == 0 or (operand.rank is None and finding.symbol == "builtins.float")
    scalar = value if is_scalar else call(tensorflow("reshape"), value, cst.List([]))
    if wanted is not None and given is not None and wanted != given:
        return call(tensorflow("cast"), scalar, tensorflow(wanted))
    return scalar


def as_list(value: cst.BaseExpression, operand: Operand, tensorflow: TensorFlow) -> cst.BaseExpression | Decline:
    """The list of a vector's elements; the list of a scalar is the scalar."""
    if operand.rank == 0:
        return value
    if operand.rank == 1:
        return call(tensorflow("unstack"), value)
    return Decline("tolist() gives lists in lists where there is more than one dimension")
