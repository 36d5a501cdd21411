"""What kind of value an expression has, as far as the code around it shows.

Kinds are those of the findings: "tensor", "ndarray", "number", "bool", "string", "none", "list" or "unknown". They are
the kinds after the rewrite, so what NumPy makes of a tensor counts as a tensor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.given_arguments import given_arguments
from tfgradfix_codemods.joined_kinds import NUMBERS, agreed, together
from tfgradfix_codemods.nodes import dotted_text, source
from tfgradfix_codemods.operations import METHODS, Shape
from tfgradfix_codemods.returned_values import returned_values
from tfgradfix_codemods.tensor_arguments import tensor_arguments

if TYPE_CHECKING:
    from tfgradfix_codemods.operations import Operation
    from tfgradfix_codemods.scopes import Binding
    from tfgradfix_codemods.sites import Site

LITERALS: Final = (
    ((cst.Integer, cst.Float, cst.Imaginary), "number"),
    ((cst.SimpleString, cst.ConcatenatedString, cst.FormattedString), "string"),
    ((cst.Tuple, cst.List, cst.Dict, cst.Set, cst.ListComp, cst.DictComp, cst.SetComp, cst.GeneratorExp), "list"),
    ((cst.Lambda,), "function"),
)

#: Keras gives tensors under these names, whatever the annotations say.
KERAS_PARAMETERS: Final = frozenset({"y_true", "y_pred"})

CONSTANTS: Final = frozenset(
    {"numpy.pi", "numpy.e", "numpy.inf", "numpy.nan", "math.pi", "math.e", "math.inf", "math.nan"}
)

SINGLETONS: Final = {"True": "bool", "False": "bool", "None": "none"}


def kind_of(node: cst.BaseExpression, site: Site) -> str:
    """The kind of ``node`` at ``site``; "same" for a loop's own binding, which tells nothing about itself."""
    for types, kind in LITERALS:
        if isinstance(node, types):
            return kind
    if source(node) in site.tensors:
        return "tensor"
    if isinstance(node, (cst.Name, cst.Attribute)):
        return kind_of_name(node, site)
    if isinstance(node, cst.UnaryOperation):
        kind = kind_of(node.expression, site)
        return "bool" if isinstance(node.operator, cst.Not) and kind in NUMBERS else kind
    if isinstance(node, cst.BinaryOperation):
        return together(kind_of(side, site) for side in (node.left, node.right))
    if isinstance(node, cst.Comparison):
        return kind_of_comparison(node, site)
    if isinstance(node, cst.BooleanOperation):
        return agreed(kind_of(side, site) for side in (node.left, node.right))
    if isinstance(node, cst.IfExp):
        return agreed(kind_of(branch, site) for branch in (node.body, node.orelse))
    if isinstance(node, cst.Call):
        return kind_of_call(node, site)
    if isinstance(node, cst.Subscript):
        kind = kind_of(node.value, site)
        return kind if kind in {"tensor", "ndarray"} else "unknown"
    return "unknown"


def kind_of_name(node: cst.Name | cst.Attribute, site: Site) -> str:
    """The kind of a name or attribute, from the facts, the bindings it may have, or how it is used."""
    name = dotted_text(node)
    if name in SINGLETONS:
        return SINGLETONS[name]
    if site.full_name(node) in CONSTANTS:
        return "number"
    if name is None:
        return "unknown"
    fact = site.kinds.get(name) if name not in site.local else None
    if fact is not None and fact != "unknown":
        return "tensor" if fact == "variable" else fact
    found = agreed(kind_of_binding(name, binding, site) for binding in site.values(name))
    if found == "unknown" and isinstance(node, cst.Attribute) and node.attr.value in {"T", "real", "imag"}:
        return kind_of(node.value, site)
    return found


def kind_of_binding(name: str, binding: Binding, site: Site) -> str:
    """The kind that one binding gives a name; "same" for one that is being looked up already."""
    if site.is_far:
        return "unknown"
    question = name, binding.value or binding.place
    return site.memory.kinds.answer(question, lambda: kind_by_binding(name, binding, site), "same", "unknown")


def kind_of_parameter(name: str, binding: Binding, site: Site) -> str:
    """The kind of a parameter without a telling default: from its use, or from what every call gives for it."""
    there = site.at(binding.place)
    if name in KERAS_PARAMETERS | tensor_arguments(there):
        return "tensor"
    given = given_arguments(cst.ensure_type(binding.place, cst.Param), there)
    return agreed(kind_of(value, place) for value, place in given)


def counts(place: cst.CSTNode, site: Site) -> bool:
    """Whether a name is bound by `for i in range(...)`."""
    if not isinstance(place, cst.For) or not isinstance(place.target, cst.Name) or not isinstance(place.iter, cst.Call):
        return False
    return site.full_name(place.iter.func) == "builtins.range"


def kind_by_binding(name: str, binding: Binding, site: Site) -> str:
    """The kind of the value of one binding."""
    if binding.parameter and (binding.value is None or kind_of(binding.value, site) == "none"):
        return kind_of_parameter(name, binding, site)
    if binding.value is None:
        return "number" if counts(binding.place, site) else "unknown"
    if name in site.local:
        return kind_of(binding.value, site)
    if "." in name and is_setting(binding, site):
        return kind_of_setting(binding, site)
    return kind_of(binding.value, site.at(binding.place))


def kind_of_setting(binding: Binding, site: Site) -> str:
    """The kind of a parameter that is kept: a bool if it is one by default, else a number."""
    there = site.at(binding.place)
    bound = there.values(binding.value.value) if isinstance(binding.value, cst.Name) else ()
    default = bound[0].value if bound else None
    return "bool" if default is not None and kind_of(default, there) == "bool" else "number"


def is_setting(binding: Binding, site: Site) -> bool:
    """Whether an attribute just keeps a parameter of the constructor: by custom a number, such as a weight or limit."""
    there = site.at(binding.place)
    constructor = there.function
    if not isinstance(binding.value, cst.Name) or not isinstance(constructor, cst.FunctionDef):
        return False
    bound = there.bindings.get(binding.value.value, ())
    if constructor.name.value != "__init__" or len(bound) != 1 or not bound[0].parameter:
        return False
    default = bound[0].value
    return default is None or kind_of(default, there) in NUMBERS


def kind_of_comparison(node: cst.Comparison, site: Site) -> str:
    """Comparisons of identity and membership are Python's; the others are tensors as soon as one side is."""
    python = [isinstance(part.operator, (cst.Is, cst.IsNot, cst.In, cst.NotIn)) for part in node.comparisons]
    if any(python):
        return "bool" if all(python) else "unknown"
    sides = [kind_of(side, site) for side in (node.left, *(part.comparator for part in node.comparisons))]
    kind = together(sides)
    return "bool" if kind in NUMBERS else kind


def kind_of_call(node: cst.Call, site: Site) -> str:
    """The kind of what a call gives."""
    known = site.operation(node.func)
    full = site.full_name(node.func) or ""
    if full.startswith("numpy."):
        return kind_of_numpy_call(node, known, site)
    if known is not None and known.package == "builtins" and known.name not in {"float", "int", "len"}:
        return together(kind_of(argument.value, site) for argument in node.args)
    if known is not None:
        return "tensor" if known.makes_tensors else "number"
    if full == "tensorflow.Variable" or (full.startswith("tensorflow.") and full.rpartition(".")[2].islower()):
        return "tensor"
    returned = returned_values(node.func, site)
    if returned:
        return agreed(kind_of(value, there) for value, there in returned)
    if isinstance(node.func, cst.Attribute):
        if node.func.attr.value == "add_weight":
            return "tensor"
        return kind_of(node.func.value, site) if node.func.attr.value in METHODS else "unknown"
    return "unknown"


def kind_of_numpy_call(node: cst.Call, known: Operation | None, site: Site) -> str:
    """What NumPy makes: of tensors a tensor, once it is rewritten; of numbers a number, unless it makes arrays."""
    kinds = {kind_of(argument.value, site) for argument in node.args}
    if known is not None and known.shape is not Shape.OTHER:
        return together(kinds)
    return "unknown" if kinds & {"tensor", "unknown"} else "ndarray"
