"""What the codemods for item assignments share: an array is rewritten as a whole, or not at all."""

from __future__ import annotations

from abc import ABC
from functools import cached_property, partial
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.array_handling import names_of
from tfgradfix_codemods.array_uses import Uses
from tfgradfix_codemods.base import Decline, Findings, GradientCommand
from tfgradfix_codemods.filled_arrays import Filled, as_assignment, filled_arrays
from tfgradfix_codemods.item_places import assigned
from tfgradfix_codemods.item_statements import rewritten
from tfgradfix_codemods.long_lines import fitted
from tfgradfix_codemods.nodes import comment_count
from tfgradfix_codemods.places import Places
from tfgradfix_codemods.trees import Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from libcst.codemod import CodemodContext

    from tfgradfix.model import Finding
    from tfgradfix_codemods.item_statements import Assigned, Statement
    from tfgradfix_codemods.scopes import Binding

Small = cst.BaseSmallStatement


class ItemCommand(GradientCommand, ABC):
    """Rewrites `array[index] = value` as a new tensor under the same name."""

    def __init__(self, context: CodemodContext, unsafe_fixes: bool = False) -> None:
        """Begin with no statement rewritten."""
        super().__init__(context, unsafe_fixes)
        self.done: set[cst.CSTNode] = set()

    @cached_property
    def places(self) -> Places:
        """The module as it is before this round."""
        return Places(Tree(self.module))

    @cached_property
    def arrays(self) -> Sequence[Filled]:
        """The arrays that findings are about."""
        return filled_arrays(self.places.tree, self.named)

    @cached_property
    def refusals(self) -> Mapping[Filled, str | None]:
        """Why each array cannot become a tensor, if it cannot."""
        return {filled: self.refusal(filled) for filled in self.arrays}

    def named(self, node: cst.CSTNode) -> Finding | None:
        """The finding about ``node``, whether or not its turn has come."""
        named: Iterable[Finding] = self.get_metadata(Findings, node, ())
        return next((one for one in named if one.code == self.RULE.code and one.level in self.levels), None)

    def refusal(self, filled: Filled) -> str | None:
        """Why an array cannot become a tensor under its name, or None."""
        tree = self.places.tree
        function = filled.function(tree)
        if not filled.names or "" in filled.names:
            return "the array has no plain name"
        if not isinstance(function, (cst.FunctionDef, cst.Module)):
            return "the array is not made and filled in one function"
        if len(filled.names) > 1 and not names_of(filled, function) <= names_of(Filled(filled.stores[:1]), function):
            return "the array is filled under several names"
        known = tree.bindings(function, inside=True)
        bindings = [binding for name in names_of(filled, function) for binding in known.get(name, ())]
        if not bindings or any(binding.place is function for binding in bindings):
            return f"`{filled.name}` is a name of another function too"
        if filled.parameter and not (len(bindings) == 1 and bindings[0].parameter):
            return f"`{filled.name}` is bound anew in the function that fills it"
        if not all(has_one_name(maker.node, bindings) for maker in filled.makers):
            return "the array has another name where it is made"
        return Uses(filled, tree, function).hindrance() or self.further_refusal(filled, function)

    def further_refusal(self, _filled: Filled, _function: cst.FunctionDef | cst.Module) -> str | None:
        """What else stands in the way of this codemod."""
        return None

    def leave_Assign(
        self, original_node: cst.Assign, updated_node: cst.Assign
    ) -> cst.BaseSmallStatement | cst.FlattenSentinel[cst.BaseSmallStatement]:
        """Write an assignment to an item."""
        return self.statement(original_node, updated_node)

    def leave_AugAssign(
        self, original_node: cst.AugAssign, updated_node: cst.AugAssign
    ) -> cst.BaseSmallStatement | cst.FlattenSentinel[cst.BaseSmallStatement]:
        """Write an item that is added to, or changed otherwise."""
        return self.statement(original_node, updated_node)

    def leave_Expr(
        self, original_node: cst.Expr, updated_node: cst.Expr
    ) -> cst.BaseSmallStatement | cst.FlattenSentinel[cst.BaseSmallStatement]:
        """Write what a helper assigns."""
        return self.statement(original_node, updated_node)

    def statement(
        self, original: Statement | cst.Expr, updated: Statement | cst.Expr
    ) -> Small | cst.FlattenSentinel[Small]:
        """What takes the place of one statement."""
        finding = self.finding(original)
        if finding is None:
            return updated
        written = as_assignment(updated, finding) if isinstance(updated, cst.Expr) else updated
        result = self.rewrite(original, written, finding)
        if not isinstance(result, Decline) and comment_count(updated) > sum(map(comment_count, result)):
            result = Decline("a comment inside it would be lost")
        if isinstance(result, Decline):
            self.decline(finding, result.reason)
            return updated
        self.done.add(original)
        *before, last = result
        last = last.with_changes(semicolon=updated.semicolon)
        return cst.FlattenSentinel([*before, last]) if before else last

    def rewrite(self, original: Statement | cst.Expr, updated: Statement, finding: Finding) -> list[Small] | Decline:
        """The statements that take the place of one."""
        site = self.places.site(original, finding, partial(self.tensorflow, finding))
        items: dict[int, Assigned] = {}
        for filled in self.arrays:
            for store in (store for store in filled.stores if store.statement is original):
                refusal = self.refusals[filled]
                item = Decline(refusal) if refusal else assigned(filled, store, updated, site)
                if isinstance(item, Decline):
                    return item
                items[store.number] = item
        return rewritten(updated, items, self.places.fresh(site))

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.BaseStatement]:
        """Give each new statement a line of its own, and break lines that became too long."""
        original = next((small for small in original_node.body if small in self.done), None)
        if original is None or len(original_node.body) > 1:
            return updated_node
        no_semicolon = cst.MaybeSentinel.DEFAULT
        lines = [cst.SimpleStatementLine([small.with_changes(semicolon=no_semicolon)]) for small in updated_node.body]
        lines[0] = lines[0].with_changes(leading_lines=updated_node.leading_lines)
        lines[-1] = lines[-1].with_changes(trailing_whitespace=updated_node.trailing_whitespace)
        return cst.FlattenSentinel([fitted(line, original_node, self.places.tree) for line in lines])


def has_one_name(maker: cst.BaseExpression, bindings: Iterable[Binding]) -> bool:
    """Whether what ``maker`` makes gets a name, and no second one."""
    places = [binding.place for binding in bindings if binding.value is maker]
    return bool(places) and not any(isinstance(place, cst.Assign) and len(place.targets) > 1 for place in places)
