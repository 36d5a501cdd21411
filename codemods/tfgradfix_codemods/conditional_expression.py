"""A conditional expression asks a tensor which of two values flows into the loss.

What breaks:
    `a if test else b` asks for a Python bool. Inside `tf.function` and in the layers and losses of Keras a tensor has
    none, and the program fails.

Repair:
    `tf.where(test, a, b)`. What could be NaN or infinite in the value that is not chosen (a quotient, root, logarithm,
    power …) gets a harmless argument there, since NaN would spoil the gradient all the same. Where the expression is
    all that a statement returns or assigns, the test and these arguments get statements of their own.

Left alone:
    Values that are no tensors or numbers, values of plainly different shapes, functions that are not known, tests that
    ask for shapes or for NaN.

Example:
    >>> return x * (limit / peak) if peak > limit else x
    <<< condition = peak > limit
    <<< safe_peak = tf.where(condition, peak, tf.ones_like(peak))
    <<< return tf.where(condition, x * (limit / safe_peak), x)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.base import Decline, GradientCommand, Level, Rule
from tfgradfix_codemods.chosen_expressions import as_if, chosen, last_of_chain, statement_of
from tfgradfix_codemods.if_forms import answered
from tfgradfix_codemods.long_lines import fitted
from tfgradfix_codemods.places import Places, PlacesOfModule
from tfgradfix_codemods.questions import Question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from libcst.codemod import CodemodContext

    from tfgradfix.model import Finding

RULE: Final = Rule(code="TGF303", name="conditional-expression", level=Level.SAFE)


class ConditionalExpressionCommand(GradientCommand):
    """Replace a conditional expression on tensors by a choice between its values."""

    DESCRIPTION = "a if tensor else b becomes tf.where(tensor, a, b)"
    RULE = RULE

    def __init__(self, context: CodemodContext, unsafe_fixes: bool = False) -> None:
        super().__init__(context, unsafe_fixes)
        self.places_of = PlacesOfModule()
        self.waiting: dict[cst.CSTNode, dict[cst.CSTNode, Finding]] = {}

    @property
    def places(self) -> Places:
        """The module as it is before this round."""
        return self.places_of(self.module)

    def leave_IfExp(self, original_node: cst.IfExp, updated_node: cst.IfExp) -> cst.BaseExpression:
        """Replace an expression inside others; one that is a whole statement waits for that."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        statement = statement_of(original_node, self.places.tree)
        if statement is not None:
            self.waiting.setdefault(statement, {})[original_node] = finding
            return updated_node
        site = self.places.site(original_node, finding, lambda name: self.tensorflow(finding, name))
        return self.settle(finding, updated_node, chosen(updated_node, site))

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.BaseStatement]:
        """Replace a statement that returns or assigns a conditional expression."""
        findings = self.waiting.pop(original_node, None)
        if findings is None:
            return updated_node
        answer = self.answer(original_node, updated_node, findings)
        if isinstance(answer, Decline):
            for finding in findings.values():
                self.decline(finding, answer.reason)
            return updated_node
        return cst.FlattenSentinel([fitted(each, original_node, self.places.tree) for each in answer])

    def answer(
        self,
        original: cst.SimpleStatementLine,
        updated: cst.SimpleStatementLine,
        findings: dict[cst.CSTNode, Finding],
    ) -> Sequence[cst.BaseStatement] | Decline:
        """What takes the place of the statement."""
        finding = next(iter(findings.values()))
        site = self.places.site(original, finding, lambda name: self.tensorflow(finding, name))
        node, names = as_if(updated)
        python = tuple(test not in findings for test in last_of_chain(original))
        answer = answered(Question(node, (), python, names, self.places.fresh(site), site, updated))
        return answer if isinstance(answer, Decline) else answer.statements
