"""Commands in one walk: their edits compose, and a node that is gone goes no further."""

from __future__ import annotations

from typing import ClassVar

import libcst as cst
from tfgradfix_codemods.base import GradientCommand, Rule
from tfgradfix_codemods.nodes import statement

from tests.helpers import finding, unmark
from tfgradfix.model import Level
from tfgradfix.rewrite.together import edit


class Rename(GradientCommand):
    """Renames what is called, and does not look inside."""

    DESCRIPTION = "for tests"
    RULE: ClassVar[Rule] = Rule("TGF901", "rename", Level.SAFE)

    def visit_Call(self, node: cst.Call) -> bool:
        return self.finding(node) is None

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        found = self.finding(original_node)
        return updated_node if found is None else updated_node.with_changes(func=self.tensorflow(found, "f"))


class Negate(GradientCommand):
    """Puts a minus before calls: what it gives back is no call any more."""

    DESCRIPTION = "for tests"
    RULE: ClassVar[Rule] = Rule("TGF902", "negate", Level.SAFE)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        return updated_node if self.finding(original_node) is None else cst.UnaryOperation(cst.Minus(), updated_node)


class Spread(GradientCommand):
    """Writes statements twice, or takes them away when the fact says so."""

    DESCRIPTION = "for tests"
    RULE: ClassVar[Rule] = Rule("TGF903", "spread", Level.SAFE)

    def leave_If(
        self, original_node: cst.If, updated_node: cst.If
    ) -> cst.If | cst.FlattenSentinel[cst.BaseStatement] | cst.RemovalSentinel:
        found = self.finding(original_node)
        if found is None:
            return updated_node
        if found.fact("remove"):
            return cst.RemoveFromParent()
        return cst.FlattenSentinel([updated_node, statement("again")])


class Empty(GradientCommand):
    """Gives every `if` an empty block."""

    DESCRIPTION = "for tests"
    RULE: ClassVar[Rule] = Rule("TGF904", "empty", Level.SAFE)

    def leave_If(self, original_node: cst.If, updated_node: cst.If) -> cst.If:
        return updated_node.with_changes(body=cst.SimpleStatementSuite([cst.Pass()]))


def test_edits_of_one_node_and_of_what_is_in_it() -> None:
    text, (outer, inner) = unmark("y = «a(«b(1)»)»\n")
    findings = [finding(Rename, outer), finding(Rename, inner), finding(Negate, inner), finding(Negate, outer)]
    edited = edit(text, findings, [Rename, Negate])
    assert edited.text == "y = -tf.f(-tf.f(1))\n"
    assert not edited.unanswered


def test_one_import_for_all_commands() -> None:
    text, (first, second) = unmark("y = «a(1)»\nz = «b(1)»\n")
    findings = [finding(Rename, place, tensorflow=None) for place in (first, second)]
    assert edit(text, findings, [Rename, Negate]).text == "import tensorflow as tf\n\ny = tf.f(1)\nz = tf.f(1)\n"


def test_a_node_that_is_spread_out_goes_no_further() -> None:
    text, (place,) = unmark("«if» a: b\nif c: d\n")
    assert edit(text, [finding(Spread, place)], [Spread, Empty]).text == "if a: b\nagain\nif c: pass\n"


def test_a_node_that_is_removed_goes_no_further() -> None:
    text, (place,) = unmark("«if» a: b\nif c: d\n")
    findings = [finding(Spread, place, facts={"remove": "yes"})]
    assert edit(text, findings, [Spread, Empty]).text == "if c: pass\n"


def test_what_no_command_met_is_told() -> None:
    text, (place,) = unmark("«y» = 1\n")
    found = finding(Rename, place)
    assert edit(text, [found], [Rename]).unanswered == (found,)
