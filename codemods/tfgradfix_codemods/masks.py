"""A Python test on tensors as one tensor of type bool: `and`, `or`, `not` and chained comparisons become operations.

Nothing is reduced that the test does not reduce: Python's `if` takes a tensor of one element only, and so does this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.joined_kinds import NUMBERS
from tfgradfix_codemods.names_read import names_read
from tfgradfix_codemods.nodes import call, source
from tfgradfix_codemods.operations import BOOLEAN
from tfgradfix_codemods.side_effects import risky_index, side_effect
from tfgradfix_codemods.value_kinds import kind_of

if TYPE_CHECKING:
    from tfgradfix_codemods.sites import Site

PYTHON_COMPARISONS: Final = (cst.Is, cst.IsNot, cst.In, cst.NotIn)

BIT_OPERATORS: Final = (cst.BitAnd, cst.BitOr, cst.BitXor)

#: Tests that guard what stands to their right: `x is not None and tf.reduce_any(x > 0)`.
GUARDING_CALLS: Final = frozenset({"builtins.isinstance", "builtins.hasattr", "builtins.callable", "builtins.len"})


def mask(test: cst.BaseExpression, site: Site) -> cst.BaseExpression | Decline:
    """``test`` as a tensor of type bool, or as it is when it is one or is a Python bool.

    Returns:
        The expression, without parentheses of its own, or why the test has to stay.
    """
    plain = test.with_changes(lpar=[], rpar=[])
    if is_python(plain, site):
        return plain
    if isinstance(plain, cst.Comparison) and len(plain.comparisons) > 1:
        return chained(plain, site)
    if isinstance(plain, cst.BooleanOperation):
        return combined(plain, site)
    if isinstance(plain, cst.UnaryOperation) and isinstance(plain.operator, cst.Not):
        inner = mask(plain.expression, site)
        return inner if isinstance(inner, Decline) else negated(inner, site)
    if isinstance(plain, cst.IfExp) or does_more(plain):
        return Decline("the test does more than compare")
    if is_boolean(plain, site):
        return plain
    if may_be_none(plain, site):
        return Decline(f"`{source(plain)}` may be None")
    if kind_of(plain, site) in {"string", "none", "list", "function"}:
        return Decline("the test asks whether a container is empty")
    return call(site.tensorflow("cast"), plain, site.tensorflow("bool"))


def does_more(node: cst.CSTNode) -> bool:
    """Whether something is assigned, awaited or yielded inside ``node``."""
    own = isinstance(node, (cst.NamedExpr, cst.Await, cst.Yield, cst.Lambda))
    return own or any(does_more(child) for child in node.children)


def negated(condition: cst.BaseExpression, site: Site) -> cst.BaseExpression:
    """The opposite of a mask. A comparison is not turned round: that is not the same for NaN."""
    if isinstance(condition, cst.Call) and source(condition.func) == source(site.tensorflow("logical_not")):
        return condition.args[0].value
    return call(site.tensorflow("logical_not"), condition)


def chained(test: cst.Comparison, site: Site) -> cst.BaseExpression | Decline:
    """`low < x < high` as two comparisons; what stands between them is computed twice."""
    result: cst.BaseExpression | None = None
    left = test.left
    for part in test.comparisons:
        if isinstance(part.operator, PYTHON_COMPARISONS):
            return Decline("the test mixes comparisons of identity or membership with others")
        single = test.with_changes(left=left, comparisons=[part])
        result = single if result is None else call(site.tensorflow("logical_and"), result, single)
        left = part.comparator
    for part in test.comparisons[:-1]:
        refusal = side_effect(part.comparator, site)
        if refusal is not None:
            return refusal
    return result if result is not None else test


def combined(test: cst.BooleanOperation, site: Site) -> cst.BaseExpression | Decline:
    """`a and b`, `a or b` as an operation; `b` is then evaluated whatever `a` is."""
    refusal = side_effect(test.right, site) or protection(test, site)
    if refusal is not None:
        return refusal
    left, right = mask(test.left, site), mask(test.right, site)
    if isinstance(left, Decline):
        return left
    if isinstance(right, Decline):
        return right
    name = "logical_and" if isinstance(test.operator, cst.And) else "logical_or"
    return call(site.tensorflow(name), left, right)


def protection(test: cst.BooleanOperation, site: Site) -> Decline | None:
    """Why the right side may fail unless the left side decides first, or None."""
    left = names_read(test.left) - site.meanings.keys()
    if is_guarding(test.left, site) and left & names_read(test.right):
        return Decline(f"`{source(test.left)}` decides whether what stands behind it can be evaluated")
    return risky_index(test.right, names_read(test.left, indices=False) - site.meanings.keys(), site)


def needs_python(node: cst.BaseExpression, site: Site) -> bool:
    """Whether a test is one that only Python can answer: what something is, or a flag that may be None."""
    if isinstance(node, cst.BooleanOperation):
        return needs_python(node.left, site) or needs_python(node.right, site)
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        return needs_python(node.expression, site)
    return is_guarding(node, site) or may_be_none(node, site)


def may_be_none(node: cst.BaseExpression, site: Site) -> bool:
    """Whether a flag is None unless it is given."""
    if not isinstance(node, cst.Name):
        return False
    defaults = [binding.value for binding in site.values(node.value) if binding.parameter and binding.value is not None]
    return any(kind_of(value, site) == "none" for value in defaults) and kind_of(node, site) != "tensor"


def is_guarding(node: cst.BaseExpression, site: Site) -> bool:
    """Whether a test asks what something is, not how large."""
    if isinstance(node, cst.Comparison):
        if any(isinstance(part.operator, PYTHON_COMPARISONS) for part in node.comparisons):
            return True
        return any(is_guarding(side, site) for side in (node.left, *(part.comparator for part in node.comparisons)))
    if isinstance(node, cst.BooleanOperation):
        return is_guarding(node.left, site) or is_guarding(node.right, site)
    if isinstance(node, cst.UnaryOperation):
        return is_guarding(node.expression, site)
    return isinstance(node, cst.Call) and site.full_name(node.func) in GUARDING_CALLS


def is_python(node: cst.BaseExpression, site: Site) -> bool:
    """Whether a test is a Python bool altogether, and may stay as it is."""
    if isinstance(node, cst.Comparison) and all(
        isinstance(part.operator, PYTHON_COMPARISONS) for part in node.comparisons
    ):
        return True
    if isinstance(node, cst.BooleanOperation):
        return is_python(node.left, site) and is_python(node.right, site)
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        return is_python(node.expression, site) or kind_of(node.expression, site) in NUMBERS
    return kind_of(node, site) == "bool"


def is_boolean(node: cst.BaseExpression, site: Site) -> bool:
    """Whether a value is of type bool, be it a tensor or not."""
    if isinstance(node, cst.Comparison) or kind_of(node, site) == "bool":
        return True
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, (cst.Not, cst.BitInvert)) and is_boolean(node.expression, site)
    if isinstance(node, cst.BinaryOperation):
        return isinstance(node.operator, BIT_OPERATORS) and is_boolean(node.left, site) and is_boolean(node.right, site)
    if isinstance(node, cst.BooleanOperation):
        return is_boolean(node.left, site) and is_boolean(node.right, site)
    if isinstance(node, cst.Call):
        return is_boolean_call(node, site)
    if isinstance(node, cst.Name):
        values = [binding.value for binding in site.values(node.value)]
        return bool(values) and all(value is not None and is_boolean_value(value, site) for value in values)
    return False


def is_boolean_value(value: cst.BaseExpression, site: Site) -> bool:
    """Whether what a name is bound to is of type bool, without following further names."""
    return not isinstance(value, cst.Name) and is_boolean(value, site)


def is_boolean_call(node: cst.Call, site: Site) -> bool:
    """Whether a call answers yes or no, or casts to bool."""
    known = site.operation(node.func)
    if known is not None and known.name == "cast" and len(node.args) > 1:
        return site.full_name(node.args[1].value) == "tensorflow.bool" or source(node.args[1].value) in {
            "bool",
            '"bool"',
        }
    if known is not None:
        return known.name in BOOLEAN
    return isinstance(node.func, cst.Attribute) and node.func.attr.value in {"any", "all"}
