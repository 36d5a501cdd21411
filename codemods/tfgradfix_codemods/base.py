"""What every codemod stands on: its rule, the findings it answers, refusals, and TensorFlow's name in the module.

A codemod asks `self.finding(original_node)` whether the analysis named this node. If so it builds the new node out of
`updated_node` (only `original_node` has metadata; only `updated_node` has the edits made inside it) and returns it
through `self.settle`, which also takes a refusal.
"""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, TypeVar

from libcst.codemod import CodemodContext, VisitorBasedCodemodCommand

from tfgradfix.model import Declined, Finding, Level
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.findings import Findings
from tfgradfix_codemods.imports import TensorFlowName
from tfgradfix_codemods.nodes import dotted, loses_comment

if TYPE_CHECKING:
    import argparse
    from collections.abc import Collection, Iterable

    import libcst as cst
    from libcst.metadata import ProviderT


__all__ = ["Decline", "Findings", "GradientCommand", "Level", "Rule"]

Result = TypeVar("Result")


@dataclass(frozen=True)
class Rule:
    """What a codemod is for: the finding it owns, how safe its edit is, and the codemods that must act before it."""

    code: str
    name: str
    level: Level
    after: tuple[str, ...] = ()


class GradientCommand(VisitorBasedCodemodCommand, ABC):
    """A codemod for one code of finding; a subclass gives RULE, DESCRIPTION and ``leave_*`` methods."""

    METADATA_DEPENDENCIES: ClassVar[Collection[ProviderT]] = (Findings,)
    RULE: ClassVar[Rule]

    def __init__(self, context: CodemodContext, unsafe_fixes: bool = False) -> None:
        """Work in ``context``; ``unsafe_fixes`` also allows edits that may change something observable."""
        super().__init__(context)
        self.levels = (Level.SAFE, Level.UNSAFE) if unsafe_fixes else (Level.SAFE,)
        self.answered: list[Finding] = []
        self.declined: list[Declined] = []
        self.postponed: list[Declined] = []
        self.tensorflow_name = TensorFlowName()

    def __dir__(self) -> Iterable[str]:
        """Every attribute but the cached properties.

        LibCST reads all that `dir` names when it makes a command, and would compute them before there is a module.
        """
        every = [item for kind in type(self).__mro__ for item in vars(kind).items()]
        lazy = {name for name, value in every if isinstance(value, cached_property)}
        return [name for name in super().__dir__() if name not in lazy]

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Add the one option that all these codemods have under LibCST's own runner."""
        arg_parser.add_argument(
            "--unsafe-fixes",
            action="store_true",
            help="Also make edits that may change something observable besides the gradient.",
        )

    def transform_module_impl(self, tree: cst.Module) -> cst.Module:
        """Edit one module by itself and add the import that the edits need."""
        return self.tensorflow_name.add_to(tree.visit(self))

    def finding(self, original_node: cst.CSTNode) -> Finding | None:
        """The finding of this codemod's code that names ``original_node``, if it may be acted upon."""
        named = self.get_metadata(Findings, original_node, ())
        mine = [finding for finding in named if finding.code == self.RULE.code and finding.level in self.levels]
        self.answered.extend(mine)
        # A deferred finding waits for what another codemod does this round (a helper's copy for the path).
        now = [finding for finding in mine if finding.fact("deferred") is None]
        return now[0] if now else None

    def tensorflow(self, finding: Finding, name: str) -> cst.BaseExpression:
        """``name`` ("math.reduce_mean") as it is reached where ``finding`` is; queues the import if there is none."""
        module = finding.tensorflow or self.tensorflow_name.of(self.module, finding)
        return dotted(f"{module}.{name}")

    def settle(self, finding: Finding, updated_node: Result, result: Result | Decline) -> Result:
        """``result``, or ``updated_node`` with the refusal noted; a result that loses a comment is refused too."""
        if isinstance(result, Decline):
            self.decline(finding, result.reason)
            return updated_node
        if loses_comment(updated_node, result):
            self.decline(finding, "a comment inside it would be lost")
            return updated_node
        return result

    def decline(self, finding: Finding, reason: str) -> None:
        """Leave ``finding`` alone, and with it every finding of its unit."""
        self.declined.append(Declined(finding, reason))
        self._leave(finding, reason)

    def postpone(self, finding: Finding, reason: str) -> None:
        """Leave ``finding`` and its unit to the next round, since another edit of this round stands in the way."""
        self.postponed.append(Declined(finding, reason))
        self._leave(finding, reason)

    def _leave(self, finding: Finding, reason: str) -> None:
        self.tensorflow_name.forget(finding)
        start = finding.span.start
        self.warn(f"{start.row}:{start.column} {finding.code} {finding.name} left alone: {reason}")
