"""Records statements where they stand, by opening the tape once more round them.

    with tape:
        target = loss[i]
    grads.append(tape.gradient(target, variables))

Nothing changes places, so this is right wherever a statement cannot be moved into the tape's block.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.blocks import blank_lines, fit_inside, statements_of, without_blank_lines

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tfgradfix_codemods.blocks import Statement


def recorded(root: cst.IndentedBlock, wanted: Collection[cst.CSTNode], tape: str) -> cst.IndentedBlock:
    """``root`` with the statements ``wanted``, wherever they are in it, under `with tape:`."""
    return cst.ensure_type(root.visit(_Reopening(wanted, tape)), cst.IndentedBlock)


class _Reopening(cst.CSTTransformer):
    def __init__(self, wanted: Collection[cst.CSTNode], tape: str) -> None:
        super().__init__()
        self.wanted = {id(statement) for statement in wanted}
        self.tape = tape

    def leave_IndentedBlock(
        self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock
    ) -> cst.IndentedBlock:
        flags = [id(line) in self.wanted for line in original_node.body]
        if not any(flags):
            return updated_node
        body: list[Statement] = []
        run: list[Statement] = []
        for line, flag in zip(statements_of(updated_node), flags, strict=True):
            if flag:
                run.append(line)
            else:
                body += [*self.under_tape(run), line]
                run = []
        return updated_node.with_changes(body=[*body, *self.under_tape(run)])

    def under_tape(self, lines: Sequence[Statement]) -> list[cst.With]:
        """The lines under `with tape:`, or nothing when there are none."""
        if not lines:
            return []
        first, *rest = lines
        tape = cst.WithItem(cst.parse_expression(self.tape))
        block = cst.IndentedBlock([fit_inside(line) for line in (without_blank_lines(first), *rest)])
        return [cst.With([tape], block, leading_lines=blank_lines(first))]
