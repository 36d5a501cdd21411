"""`and`, `or`, `not` or a chained comparison joins tensors.

What breaks:
    These ask each tensor for a Python bool. Inside `tf.function` and in the layers and losses of Keras a tensor has
    none, and the program fails.

Repair:
    `tf.logical_and`, `tf.logical_or`, `tf.logical_not`; `low < x < high` becomes two comparisons. A Python flag among
    the tensors stays as it is, since TensorFlow takes it for a constant.

Left alone:
    `a or b` that picks a value instead of joining tests, operands that must not be evaluated unless the one before them
    decides so, comparisons that are computed twice and do more than compute.

Example:
    >>> mask = low < x < high and not tf.reduce_any(bad)
    <<< mask = tf.logical_and(tf.logical_and(low < x, x < high), tf.logical_not(tf.reduce_any(bad)))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.base import Decline, GradientCommand, Level, Rule
from tfgradfix_codemods.masks import is_boolean, mask
from tfgradfix_codemods.nodes import in_place_of, source
from tfgradfix_codemods.places import Places, PlacesOfModule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from libcst.codemod import CodemodContext

    from tfgradfix_codemods.sites import Site

RULE: Final = Rule(code="TGF304", name="tensor-boolean", level=Level.SAFE)

#: Functions whose first argument, and for those of logic every argument, is taken for true or false.
TAKE_MASKS: Final = frozenset({"where", "cond", "logical_and", "logical_or", "logical_not", "logical_xor"})


class TensorBooleanCommand(GradientCommand):
    """Replace Python's `and`, `or`, `not` and chained comparisons on tensors by operations."""

    DESCRIPTION = "and, or, not and chained comparisons on tensors become tf.logical_*"
    RULE = RULE

    def __init__(self, context: CodemodContext, unsafe_fixes: bool = False) -> None:
        super().__init__(context, unsafe_fixes)
        self.places_of = PlacesOfModule()

    @property
    def places(self) -> Places:
        """The module as it is before this round."""
        return self.places_of(self.module)

    def leave_BooleanOperation(
        self, original_node: cst.BooleanOperation, updated_node: cst.BooleanOperation
    ) -> cst.BaseExpression:
        """Replace `and` and `or`."""
        return self.joined(original_node, updated_node)

    def leave_UnaryOperation(
        self, original_node: cst.UnaryOperation, updated_node: cst.UnaryOperation
    ) -> cst.BaseExpression:
        """Replace `not`."""
        return self.joined(original_node, updated_node)

    def leave_Comparison(self, original_node: cst.Comparison, updated_node: cst.Comparison) -> cst.BaseExpression:
        """Replace a chain of comparisons."""
        return self.joined(original_node, updated_node)

    def joined(self, original: cst.BaseExpression, updated: cst.BaseExpression) -> cst.BaseExpression:
        """Replace one test."""
        finding = self.finding(original)
        if finding is None:
            return updated
        site = self.places.site(original, finding, lambda name: self.tensorflow(finding, name))
        return self.settle(finding, updated, joined(original, updated, site))


def joined(original: cst.BaseExpression, updated: cst.BaseExpression, site: Site) -> cst.BaseExpression | Decline:
    """``updated`` as an operation, in its own parentheses."""
    picks = isinstance(updated, cst.BooleanOperation) and not is_test(original, site)
    if picks and not all(is_boolean(operand, site) for operand in operands(updated)):
        return Decline(f"`{source(updated)}` may pick one of its operands")
    result = mask(updated, site)
    if isinstance(result, Decline):
        return result
    if result.deep_equals(updated.with_changes(lpar=[], rpar=[])):
        return Decline("none of its operands is a tensor")
    return in_place_of(updated, result.with_changes(lpar=[], rpar=[]))


def operands(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The operands of `and` and `or`, through those inside."""
    if isinstance(node, cst.BooleanOperation):
        yield from (*operands(node.left), *operands(node.right))
    else:
        yield node


def is_test(node: cst.CSTNode, site: Site) -> bool:
    """Whether only the truth of ``node`` counts where it stands."""
    above = site.tree.parents.get(node)
    if isinstance(above, (cst.If, cst.While, cst.IfExp, cst.Assert)):
        return above.test is node
    if isinstance(above, cst.UnaryOperation):
        return isinstance(above.operator, cst.Not)
    if isinstance(above, cst.BooleanOperation):
        return is_test(above, site)
    call = site.tree.parents.get(above) if isinstance(above, cst.Arg) else None
    if isinstance(call, cst.Call) and isinstance(above, cst.Arg):
        name = source(call.func).rpartition(".")[2]
        return name in TAKE_MASKS and (name.startswith("logical") or call.args[0] is above)
    return False
