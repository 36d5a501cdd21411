"""An `if` with its `elif`s and `else` as tests, the statements under each, and the comments among them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True)
class Branch:
    """The statements under one test, or under `else` when ``test`` is None.

    ``comments`` are the comment lines above the keyword and behind its colon; ``trailing`` those at the block's end.
    """

    test: cst.BaseExpression | None
    body: tuple[cst.BaseStatement, ...]
    comments: tuple[cst.EmptyLine, ...] = ()
    trailing: tuple[cst.EmptyLine, ...] = ()

    @property
    def ends_in_return(self) -> bool:
        """Whether the last statement returns."""
        last = self.body[-1] if self.body else None
        return isinstance(last, cst.SimpleStatementLine) and isinstance(last.body[-1], cst.Return)


def read_chain(node: cst.If) -> tuple[Branch, ...]:
    """The branches of ``node`` in order; the last has no test, and no statements when there is no `else`."""
    branches = []
    current: cst.If | cst.Else | None = node
    while isinstance(current, cst.If):
        branches.append(read_branch(current, current.test))
        current = current.orelse
    branches.append(Branch(None, ()) if current is None else read_branch(current, None))
    return tuple(branches)


def read_branch(node: cst.If | cst.Else, test: cst.BaseExpression | None) -> Branch:
    """One branch with its comments."""
    block = node.body
    above = tuple(node.leading_lines)
    if isinstance(block, cst.IndentedBlock):
        behind = comment_line(block.header)
        footer = tuple(line for line in block.footer if line.comment is not None)
        return Branch(test, tuple(block.body), above + behind, footer)
    small = [single(statement) for statement in block.body] if isinstance(block, cst.SimpleStatementSuite) else []
    if small and isinstance(block, cst.SimpleStatementSuite):
        small[-1] = small[-1].with_changes(trailing_whitespace=block.trailing_whitespace)
    return Branch(test, tuple(small), above)


def comment_line(line: cst.TrailingWhitespace) -> tuple[cst.EmptyLine, ...]:
    """The comment behind some code as a line of its own."""
    return () if line.comment is None else (cst.EmptyLine(comment=line.comment),)


def single(statement: cst.BaseSmallStatement) -> cst.SimpleStatementLine:
    """A small statement as a line."""
    return cst.SimpleStatementLine([statement.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)])


def lines_of(body: Sequence[cst.BaseStatement]) -> Iterator[cst.BaseStatement]:
    """The statements of a block, those that share a line each on its own; comments stay with the first."""
    for statement in body:
        if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) == 1:
            yield statement
            continue
        for position, small in enumerate(statement.body):
            line = single(small)
            if position == 0:
                line = line.with_changes(leading_lines=statement.leading_lines)
            if position == len(statement.body) - 1:
                line = line.with_changes(trailing_whitespace=statement.trailing_whitespace)
            yield line
