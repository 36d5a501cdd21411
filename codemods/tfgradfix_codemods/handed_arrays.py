"""Arrays that a function fills for its caller: the function gives the tensor back, and the caller takes it."""

from __future__ import annotations

from abc import ABC
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.filled_arrays import HANDED
from tfgradfix_codemods.item_commands import ItemCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix_codemods.filled_arrays import Filled


class HandedArrays(ItemCommand, ABC):
    """Writes `out = fill(out)` for `fill(out)`, and `return out` in `fill`."""

    def refusal(self, filled: Filled) -> str | None:
        """Why an array cannot become a tensor under its name, or None."""
        if filled.parameter and filled.names:
            function = filled.function(self.places.tree)
            if any(one is not filled and one.function(self.places.tree) is function for one in self.given_back):
                return "one function fills several arrays for its caller"
        return super().refusal(filled)

    @property
    def given_back(self) -> Sequence[Filled]:
        """The arrays that a function fills for its caller."""
        return [one for one in self.arrays if one.parameter]

    def leave_Expr(
        self, original_node: cst.Expr, updated_node: cst.Expr
    ) -> cst.BaseSmallStatement | cst.FlattenSentinel[cst.BaseSmallStatement]:
        """Take what a function gives back that fills an array."""
        finding = self.finding(original_node)
        if finding is None or finding.symbol != HANDED:
            return super().leave_Expr(original_node, updated_node)
        filled = next(one for one in self.arrays if any(call.statement is original_node for call in one.calls))
        refusal = self.refusals[filled]
        if refusal is not None:
            self.decline(finding, refusal)
            return updated_node
        self.done.add(original_node)
        return cst.Assign([cst.AssignTarget(cst.Name(filled.name))], updated_node.value, updated_node.semicolon)

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        """Give back what the function has filled."""
        filled = [one for one in self.given_back if one.function(self.places.tree) is original_node]
        if not filled or any(store.statement not in self.done for store in filled[0].stores):
            return updated_node
        return updated_node.with_changes(body=with_return(updated_node.body, filled[0].name), returns=None)


def with_return(body: cst.BaseSuite, name: str) -> cst.BaseSuite:
    """The body of a function with a `return name` behind it."""
    given = cst.Return(cst.Name(name))
    if isinstance(body, cst.SimpleStatementSuite):
        return body.with_changes(body=[*body.body, given])
    return body.with_changes(body=[*body.body, cst.SimpleStatementLine([given])])
