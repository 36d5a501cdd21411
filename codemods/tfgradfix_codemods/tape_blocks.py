"""What the codemods share that move statements between a tape's block and the block round it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import libcst as cst
from libcst.metadata import CodeRange, PositionProvider

from tfgradfix.model import Position
from tfgradfix_codemods.base import GradientCommand
from tfgradfix_codemods.blocks import indented, path_to, statements_of
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.effects import Knowledge
from tfgradfix_codemods.effects_of_statements import effects_of
from tfgradfix_codemods.every_name import names_in
from tfgradfix_codemods.fresh_names import FreshNames
from tfgradfix_codemods.lifting import Setting
from tfgradfix_codemods.surroundings import surroundings_of
from tfgradfix_codemods.tape_places import asks_gradient, block_at, captured_in, module_as_block, tape_position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from libcst.codemod import CodemodContext

    from tfgradfix.model import Finding
    from tfgradfix_codemods.surroundings import Surroundings

Node = TypeVar("Node", bound=cst.CSTNode)


@dataclass(frozen=True)
class Mark:
    """A node that a finding names, as the edits made inside it have left it.

    ``iterated`` are the loops in it that cut the path by taking a tensor apart, turn by turn.
    """

    finding: Finding
    node: cst.CSTNode
    iterated: tuple[cst.For, ...] = ()


class BlockCommand(GradientCommand, ABC):
    """A codemod whose edits take in a block: the smallest that holds both the named node and the tape's `with`."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, context: CodemodContext, unsafe_fixes: bool = False) -> None:
        """Begin with nothing marked."""
        super().__init__(context, unsafe_fixes)
        self.marks: list[Mark] = []
        self.loops: list[tuple[cst.For, cst.For]] = []
        self.scopes: list[cst.CSTNode] = []

    @cached_property
    def surroundings(self) -> Surroundings:
        """What the module says about its names, before the edits."""
        return surroundings_of(self.module)

    @abstractmethod
    def repair(
        self, root: cst.IndentedBlock, tape_at: Sequence[int] | None, marks: Sequence[Mark]
    ) -> cst.IndentedBlock | Decline:
        """``root`` mended; ``tape_at`` is the way to the tape's `with` statement, None when it is not at hand."""

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        """Enter a scope."""
        self.scopes.append(node)

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        """Leave it."""
        del original_node
        self.scopes.pop()
        return updated_node

    def mark(self, original_node: cst.CSTNode, updated_node: Node) -> Node:
        """Remember the node when a finding names it. A statement that is a call has a finding in common with it."""
        finding = self.finding(original_node)
        if finding is not None:
            others = [mark for mark in self.marks if mark.finding != finding or asks_gradient(mark.node)]
            known = any(mark.finding == finding for mark in others)
            iterated = tuple(after for before, after in self.loops if self.cuts(finding, before.iter))
            self.marks = others if known else [*others, Mark(finding, updated_node, iterated)]
        return updated_node

    def cuts(self, finding: Finding, node: cst.CSTNode) -> bool:
        """Whether the path of ``finding`` is cut in ``node``."""
        cuts = [step.span for step in finding.path if step.cuts]
        return any(cut.filename == finding.span.filename and self.holds(node, cut.start) for cut in cuts)

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        """Mark it."""
        return self.mark(original_node, updated_node)

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:
        """Mark it."""
        return self.mark(original_node, updated_node)

    def leave_AnnAssign(self, original_node: cst.AnnAssign, updated_node: cst.AnnAssign) -> cst.AnnAssign:
        """Mark it."""
        return self.mark(original_node, updated_node)

    def leave_AugAssign(self, original_node: cst.AugAssign, updated_node: cst.AugAssign) -> cst.AugAssign:
        """Mark it."""
        return self.mark(original_node, updated_node)

    def leave_Expr(self, original_node: cst.Expr, updated_node: cst.Expr) -> cst.Expr:
        """Mark it."""
        return self.mark(original_node, updated_node)

    def leave_For(self, original_node: cst.For, updated_node: cst.For) -> cst.For:
        """Mark it."""
        self.loops.append((original_node, updated_node))
        return self.mark(original_node, updated_node)

    def leave_If(self, original_node: cst.If, updated_node: cst.If) -> cst.If:
        """Mark it."""
        return self.mark(original_node, updated_node)

    def leave_While(self, original_node: cst.While, updated_node: cst.While) -> cst.While:
        """Mark it."""
        return self.mark(original_node, updated_node)

    def leave_Try(self, original_node: cst.Try, updated_node: cst.Try) -> cst.Try:
        """Mark it."""
        return self.mark(original_node, updated_node)

    def leave_With(self, original_node: cst.With, updated_node: cst.With) -> cst.With:
        """Mark it."""
        return self.mark(original_node, updated_node)

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        """Mend the block if it is the smallest that holds a mark and its tape."""
        here = [mark for mark in self.marks if self.is_in(original_node, mark)]
        return self.mended(original_node, updated_node, here)

    def leave_Module(self, original_node: cst.Module, updated_node: cst.Module) -> cst.Module:
        """Mend what no smaller block held."""
        return updated_node.with_changes(
            body=self.mended(original_node, module_as_block(updated_node), self.marks).body
        )

    def is_in(self, block: cst.IndentedBlock, mark: Mark) -> bool:
        """Whether both the node and the tape's `with` statement of ``mark`` are in ``block``."""
        tape = tape_position(mark.finding)
        return tape is not None and self.holds(block, mark.finding.span.start) and self.holds(block, tape)

    def holds(self, node: cst.CSTNode, place: Position) -> bool:
        """Whether ``place`` is in ``node``."""
        extent: CodeRange = self.get_metadata(PositionProvider, node)
        return self.start_of(node) <= place <= Position(extent.end.line, extent.end.column + 1)

    def start_of(self, node: cst.CSTNode) -> Position:
        """Where ``node`` begins."""
        start = self.get_metadata(PositionProvider, node).start
        return Position(start.line, start.column + 1)

    def mended(
        self, original: cst.IndentedBlock | cst.Module, root: cst.IndentedBlock, marks: Sequence[Mark]
    ) -> cst.IndentedBlock:
        """``root`` after the repair of ``marks``, tape by tape."""
        self.marks = [mark for mark in self.marks if mark not in marks]
        for place in dict.fromkeys(tape_position(mark.finding) for mark in marks):
            group = [mark for mark in marks if tape_position(mark.finding) == place]
            tape_at = None if place is None else self.way_to(place, statements_of(original), statements_of(root))
            if any(path_to(root, mark.node) is None for mark in group):
                for mark in group:
                    self.postpone(mark.finding, "another edit has changed its place")
                continue
            root = self.repaired(root, tape_at, group)
        return root

    def repaired(
        self, root: cst.IndentedBlock, tape_at: Sequence[int] | None, marks: Sequence[Mark]
    ) -> cst.IndentedBlock:
        """``root`` after the repair of ``marks``, less those that cannot be repaired even by themselves."""
        result = self.repair(root, tape_at, marks)
        if not isinstance(result, Decline):
            return result
        alone = {id(mark): self.repair(root, tape_at, [mark]) for mark in marks if len(marks) > 1}
        others = [mark for mark in marks if not isinstance(alone.get(id(mark), result), Decline)]
        refused = [mark for mark in marks if mark not in others] or marks
        for mark in refused:
            self.decline(
                mark.finding, (reason if isinstance(reason := alone.get(id(mark)), Decline) else result).reason
            )
        return self.repaired(root, tape_at, others) if others and refused is not marks else root

    def way_to(
        self, place: Position, before: Sequence[cst.CSTNode], after: Sequence[cst.CSTNode]
    ) -> tuple[int, ...] | None:
        """The numbers of the `with` statements, one inside the other, that lead to the one that starts at ``place``.

        Edits of the same round may add `with` statements, but only behind the one that is sought.
        """
        originals = [one for one in before if isinstance(one, cst.With)]
        numbers = [number for number, one in enumerate(after) if isinstance(one, cst.With)]
        for original, number in zip(originals, numbers, strict=False):
            if self.start_of(original) == place:
                return (number,)
            if isinstance(original.body, cst.IndentedBlock) and self.holds(original.body, place):
                block = indented(cst.ensure_type(after[number], cst.With).body)
                inner = self.way_to(place, statements_of(original.body), statements_of(block))
                return None if inner is None else (number, *inner)
        return None

    def setting(self, root: cst.IndentedBlock, tape_at: Sequence[int] | None, marks: Sequence[Mark]) -> Setting:
        """What is known round ``root``."""
        scope = self.scopes[-1] if self.scopes else self.module
        made = frozenset() if tape_at is None else effects_of(block_at(root, tape_at), self.surroundings).binds
        return Setting(
            knowledge=Knowledge(self.surroundings, made, captured_in(scope)),
            names=FreshNames(names_in(scope) | names_in(root)),
            scope=scope,
            tensorflow=lambda name: self.tensorflow(marks[0].finding, name),
            named=tuple(mark.node for mark in marks),
            iterated=tuple(loop for mark in marks for loop in mark.iterated),
            bound=next((bound for mark in marks if (bound := mark.finding.fact("bound"))), None),
        )
