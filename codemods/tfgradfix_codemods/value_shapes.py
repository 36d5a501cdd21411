"""Whether two values that an `if` chooses between have the same shape.

`tf.where(condition, a, b)` broadcasts `a` and `b`, so that it gives what `if` gives only when their shapes agree.
Shapes are rarely known; what can be known is what a shape is made of: the shape of `x * (limit / tf.reduce_max(x))` is
that of `x`. So a shape is described by the set of the things it is broadcast from; nothing stands for a scalar.

Two values agree when their sets are equal. A scalar does not agree with what is plainly an array: a name that the
function reduces elsewhere, a matrix product. What tells nothing either way is presumed to agree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.joined_kinds import NUMBERS
from tfgradfix_codemods.nodes import source
from tfgradfix_codemods.operations import METHODS, Operation, Shape
from tfgradfix_codemods.returned_values import returned_values
from tfgradfix_codemods.value_kinds import kind_of

if TYPE_CHECKING:
    from tfgradfix_codemods.scopes import Binding
    from tfgradfix_codemods.sites import Site

#: What a shape is broadcast from.
Parts = frozenset[str]

SCALAR: Final[Parts] = frozenset()

#: Marks a part as the result of an operation whose result is an array as a rule.
ARRAY: Final = "array: "

KEYWORDS_WITHOUT_SHAPE: Final = frozenset({"dtype", "name", "axis", "keepdims", "alpha", "approximate"})

#: Operations of shape OTHER that often give a scalar.
OFTEN_SCALAR: Final = frozenset({"tensordot", "dot", "einsum", "reshape", "squeeze", "argmax", "argmin", "add_n"})


def shape_of(node: cst.BaseExpression, site: Site) -> Parts:
    """What the shape of ``node`` at ``site`` is broadcast from."""
    if source(node) in site.one_element or kind_of(node, site) in NUMBERS:
        return SCALAR
    if isinstance(node, cst.Name):
        return shape_of_name(node.value, site)
    if isinstance(node, cst.UnaryOperation):
        return shape_of(node.expression, site)
    if isinstance(node, cst.BinaryOperation) and not isinstance(node.operator, cst.MatrixMultiply):
        return shape_of(node.left, site) | shape_of(node.right, site)
    if isinstance(node, cst.Comparison):
        sides = (node.left, *(part.comparator for part in node.comparisons))
        return frozenset().union(*(shape_of(side, site) for side in sides))
    if isinstance(node, cst.Call):
        return shape_of_call(node, site)
    if isinstance(node, cst.IfExp):
        shapes = {shape_of(branch, site) for branch in (node.body, node.orelse)}
        return shapes.pop() if len(shapes) == 1 else frozenset({tagged(node, site)})
    mark = ARRAY if isinstance(node, cst.BinaryOperation) else ""
    return frozenset({mark + tagged(node, site)})


def shape_of_name(name: str, site: Site) -> Parts:
    """The shape of a name: that of its one value, or of all its values when they are scalars, or the name itself."""
    itself = frozenset({name if site.main or len(site.bindings.get(name, ())) < 2 else f"{name} of {id(site.node)}"})
    bindings = site.values(name)
    if not bindings or any(binding.parameter or binding.value is None for binding in bindings):
        return itself
    shapes = [shape_of_binding(name, binding, site) for binding in bindings]
    return shapes[0] if len(shapes) == 1 or not any(shapes) else itself


def shape_of_binding(name: str, binding: Binding, site: Site) -> Parts:
    """The shape that one binding gives a name; one that is being looked up already adds nothing."""
    value = binding.value
    if value is None:
        return SCALAR
    there = site if name in site.local else site.at(binding.place)
    unknown = frozenset({tagged(value, there)})
    if site.is_far:
        return unknown
    return site.memory.shapes.answer((name, value), lambda: shape_of(value, there), SCALAR, unknown)


def tagged(node: cst.BaseExpression, site: Site) -> str:
    """The text of ``node``, told apart from the same text at another place of the function."""
    return source(node) if site.main else f"{source(node)} of {id(site.node)}"


def shape_of_call(node: cst.Call, site: Site) -> Parts:
    """The shape of what a call gives."""
    known = site.operation(node.func)
    if known is not None:
        return shape_of_operation(node, known, site)
    returned = returned_values(node.func, site)
    if returned and not any(shape_of(value, there) for value, there in returned):
        return SCALAR
    if isinstance(node.func, cst.Attribute) and node.func.attr.value in METHODS:
        receiver = shape_of(node.func.value, site)
        keeps = node.func.attr.value in {"astype", "copy", "read_value", "value"}
        return receiver if keeps else SCALAR if not node.args else frozenset({ARRAY + tagged(node, site)})
    return frozenset({tagged(node, site)})


def shape_of_operation(node: cst.Call, known: Operation, site: Site) -> Parts:
    """The shape of what a known function gives."""
    arguments = [argument for argument in node.args if not is_option(argument)]
    first = shape_of(arguments[0].value, site) if arguments else SCALAR
    if known.shape is Shape.SCALAR or (known.shape is Shape.REDUCED and len(node.args) == 1):
        return SCALAR
    if known.shape is Shape.FIRST or known.name in {"cast", "constant", "convert_to_tensor", "identity", "copy"}:
        return first
    if known.shape is Shape.REDUCED:
        options = ", ".join(source(argument.value) for argument in node.args[1:])
        return frozenset({f"{ARRAY}{known.name}({sorted(first)}, {options})"}) if first else SCALAR
    if known.shape is Shape.BROADCAST:
        # What `where` chooses by is presumed to be no larger than what it chooses from.
        chosen = arguments[1:] if known.name == "where" else arguments
        return frozenset().union(*(shape_of(argument.value, site) for argument in chosen))
    mark = "" if known.name in OFTEN_SCALAR else ARRAY
    return frozenset({mark + tagged(node, site)})


def is_option(argument: cst.Arg) -> bool:
    """Whether an argument has no part in the shape."""
    return argument.keyword is not None and argument.keyword.value in KEYWORDS_WITHOUT_SHAPE


def reduced_parts(site: Site) -> Parts:
    """What the function reduces somewhere, and is therefore an array."""
    found: set[str] = set()
    for call in site.calls:
        known = site.operation(call.func)
        if known is not None and known.shape is Shape.REDUCED and known.package != "builtins" and call.args:
            found |= shape_of(call.args[0].value, site)
    return frozenset(found)


def disagreement(first: cst.BaseExpression, second: cst.BaseExpression, site: Site) -> Decline | None:
    """Why `tf.where` may not choose between two values, or None when their shapes agree as far as can be seen."""
    shapes = shape_of(first, site), shape_of(second, site)
    if shapes[0] == shapes[1]:
        return None
    arrays = [is_array(shape, site) for shape in shapes]
    unlike = shapes[0] ^ shapes[1]
    if SCALAR in shapes and any(arrays):
        return Decline("one branch gives a scalar and the other an array, which tf.where would broadcast")
    if any(part.startswith(ARRAY) for part in unlike):
        return Decline("the branches may give values of different shapes, which tf.where would broadcast")
    return None


def is_array(shape: Parts, site: Site) -> bool:
    """Whether something of which ``shape`` is made is plainly an array."""
    return any(part.startswith(ARRAY) for part in shape) or bool(shape & reduced_parts(site))
