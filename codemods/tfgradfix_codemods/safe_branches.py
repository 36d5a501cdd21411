"""Keeps a branch that is not taken from spoiling the value and the gradient.

`tf.where(condition, tf.sqrt(x), 0.0)` has the gradient NaN where `x` is zero, whatever the condition says: the gradient
that comes back is 0 times infinity. So the argument of the root is itself chosen:
`tf.sqrt(tf.where(condition, x, tf.ones_like(x)))`. This is done for every operation that may give NaN or infinity.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.names_read import names_read
from tfgradfix_codemods.nodes import call, source
from tfgradfix_codemods.returned_values import called_function
from tfgradfix_codemods.risks import Danger, danger_in, is_harmless
from tfgradfix_codemods.side_effects import computed_values, risky_index, shortened, side_effect
from tfgradfix_codemods.value_kinds import kind_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tfgradfix_codemods.fresh_names import FreshNames
    from tfgradfix_codemods.sites import Site

#: The function that makes a harmless value of the shape and dtype of another.
LIKE: Final[Mapping[str, str]] = {"1": "ones_like", "0": "zeros_like"}


@dataclass(frozen=True)
class Guard:
    """When a branch is taken.

    ``condition`` holds then; ``positive`` maps the text of what the branch's own test finds positive to that test
    alone; ``decided`` are the names that the tests compare, ``behind`` those and the names that their values come from.
    """

    condition: cst.BaseExpression
    positive: Mapping[str, cst.BaseExpression] = field(default_factory=dict)
    decided: frozenset[str] = frozenset()
    behind: frozenset[str] = frozenset()


class Helpers:
    """Names the choices that guard a plain name: `safe_x = tf.where(condition, x, tf.ones_like(x))`, each once."""

    def __init__(self, fresh: FreshNames) -> None:
        self.fresh = fresh
        self.known: dict[str, cst.Name] = {}
        self.waiting: list[tuple[str, cst.BaseExpression]] = []

    def named(self, chosen: cst.BaseExpression, guarded: cst.Name) -> cst.Name:
        """The name of a choice, which is to be assigned before it is used."""
        text = source(chosen)
        if text not in self.known:
            self.known[text] = self.fresh.name(f"safe_{guarded.value.removeprefix('safe_')}")
            self.waiting.append((self.known[text].value, chosen))
        return self.known[text]

    def take(self) -> list[tuple[str, cst.BaseExpression]]:
        """The assignments that have not been taken yet."""
        waiting, self.waiting = self.waiting, []
        return waiting


def harmless(
    value: cst.BaseExpression, guard: Guard, site: Site, helpers: Helpers | None = None
) -> cst.BaseExpression | Decline:
    """``value`` so that it and its gradient are finite where ``guard`` does not hold, and the same where it does.

    Args:
        value: an expression of the branch.
        guard: when the branch is taken.
        site: the place of the `if`.
        helpers: names the guarded arguments; without it they stand where they are used.
    """
    refusal = side_effect(value, site) or risky_index(value, guard.decided, site)
    if refusal is not None:
        return refusal
    transformer = _Harmless(guard, site, helpers)
    result = value.visit(transformer)
    if transformer.refusals:
        return transformer.refusals[0]
    return result if isinstance(result, cst.BaseExpression) else value


class _Harmless(cst.CSTTransformer):
    """Replaces the operands that may do harm."""

    def __init__(self, guard: Guard, site: Site, helpers: Helpers | None) -> None:
        super().__init__()
        self.guard = guard
        self.site = site
        self.helpers = helpers
        self.refusals: list[Decline] = []
        self.choices = 0

    def visit_IfExp(self, _node: cst.IfExp) -> None:
        """Python chooses here: what is inside is not always evaluated, and must not be moved out."""
        self.choices += 1

    def leave_IfExp(self, _original_node: cst.IfExp, updated_node: cst.IfExp) -> cst.BaseExpression:
        """Python has chosen."""
        self.choices -= 1
        return updated_node

    def leave_BinaryOperation(
        self, original_node: cst.BinaryOperation, updated_node: cst.BinaryOperation
    ) -> cst.BaseExpression:
        """Guard denominators, and bases or exponents of powers."""
        danger = self.danger(original_node)
        if danger is None:
            return updated_node
        if danger.position == 0:
            return updated_node.with_changes(left=self.guarded(danger, updated_node.left))
        return updated_node.with_changes(right=self.guarded(danger, updated_node.right))

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        """Guard the argument of an operation that may give NaN; look into functions of the module."""
        self.look_into(original_node)
        danger = self.danger(original_node)
        if danger is None:
            return updated_node
        arguments = list(updated_node.args)
        argument = arguments[danger.position]
        arguments[danger.position] = argument.with_changes(value=self.guarded(danger, argument.value))
        return updated_node.with_changes(args=arguments)

    def danger(self, node: cst.BaseExpression) -> Danger | None:
        """The operand to guard; notes a refusal when it cannot be."""
        danger = danger_in(node, self.site)
        if isinstance(danger, Danger) and is_harmless(danger, self.site):
            return None
        if isinstance(danger, Danger) and danger.weak and kind_of(danger.argument, self.site) != "tensor":
            if not names_read(danger.argument) & self.guard.behind:
                # Not known to be a tensor, and nothing to do with the test: a setting.
                return None
            # A Python number would become a tensor of a dtype of its own.
            text = shortened(danger.argument)
            danger = Decline(f"it is not known whether `{text}` is a tensor, and in a branch not taken it may be zero")
        if isinstance(danger, Decline):
            self.refusals.append(danger)
            return None
        return danger

    def guarded(self, danger: Danger, operand: cst.BaseExpression) -> cst.BaseExpression:
        """The choice between the operand and a value that does no harm."""
        condition = self.guard.condition
        if danger.helped:
            condition = self.guard.positive.get(source(danger.argument), condition)
        bare = operand.with_changes(lpar=[], rpar=[])
        chosen = choice(condition, bare, danger.harmless, self.site)
        if self.helpers is None or self.choices or not isinstance(bare, cst.Name):
            return chosen
        return self.helpers.named(chosen, bare)

    def look_into(self, node: cst.Call) -> None:
        """Refuse a function of the module that would need a guard inside."""
        definition = called_function(node.func, self.site)
        if definition is None:
            return
        for value, there in computed_values(definition, self.site):
            if value is not None and not is_same(harmless(value, self.guard, there), value):
                self.refusals.append(
                    Decline(f"`{shortened(node.func)}` may not be finite in a branch that is not taken")
                )
                return


def choice(
    condition: cst.BaseExpression, argument: cst.BaseExpression, otherwise: str, site: Site
) -> cst.BaseExpression:
    """`tf.where(condition, argument, tf.ones_like(argument))`; a long argument is not written twice."""
    if isinstance(argument, cst.Name) and otherwise in LIKE:
        other: cst.BaseExpression = call(site.tensorflow(LIKE[otherwise]), argument)
    else:
        # A Python integer takes the dtype of the argument before it.
        other = cst.parse_expression(otherwise)
    return call(site.tensorflow("where"), condition, argument, other)


def is_same(result: cst.BaseExpression | Decline, value: cst.BaseExpression) -> bool:
    """Whether ``result`` is ``value``, unchanged."""
    return not isinstance(result, Decline) and result.deep_equals(value)
