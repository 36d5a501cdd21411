"""Moving statements into and out of the blocks of compound statements, comments and blank lines with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement
Node = TypeVar("Node", bound=cst.CSTNode)


def path_to(root: cst.CSTNode, wanted: cst.CSTNode) -> tuple[cst.CSTNode, ...] | None:
    """The nodes from ``root`` down to the very node ``wanted``, both included; None when it is not there."""
    if root is wanted:
        return (root,)
    for child in root.children:
        path = path_to(child, wanted)
        if path is not None:
            return (root, *path)
    return None


def replaced(root: Node, old: cst.CSTNode, new: cst.CSTNode | cst.FlattenSentinel[cst.CSTNode]) -> Node:
    """``root`` with the very node ``old`` replaced; all that does not hold it stays the same object."""
    return exchanged(root, old, new)[0]


def exchanged(
    root: Node, old: cst.CSTNode, new: cst.CSTNode | cst.FlattenSentinel[cst.CSTNode]
) -> tuple[Node, Mapping[int, cst.CSTNode]]:
    """As `replaced`, and what has become of the nodes that held ``old``, by their `id`."""
    replacement = _Replacement(path_to(root, old) or (), new)
    result = root.visit(replacement)
    if not isinstance(result, type(root)):
        raise TypeError(f"a {type(root).__name__} cannot become a {type(result).__name__}")
    return result, replacement.became


class _Replacement(cst.CSTTransformer):
    def __init__(self, path: Sequence[cst.CSTNode], new: cst.CSTNode | cst.FlattenSentinel[cst.CSTNode]) -> None:
        super().__init__()
        self.path = path
        self.new = new
        self.became: dict[int, cst.CSTNode] = {}

    def on_visit(self, node: cst.CSTNode) -> bool:
        return any(node is step for step in self.path[:-1])

    def on_leave(  # type: ignore[override]
        self, original_node: cst.CSTNode, updated_node: cst.CSTNode
    ) -> cst.CSTNode | cst.FlattenSentinel[cst.CSTNode]:
        if self.path and original_node is self.path[-1]:
            return self.new
        self.became[id(original_node)] = updated_node
        return updated_node


def indented(suite: cst.BaseSuite) -> cst.IndentedBlock:
    """``suite`` as an indented block; what stood behind the colon becomes its only line."""
    if isinstance(suite, cst.IndentedBlock):
        return suite
    body = cst.ensure_type(suite, cst.SimpleStatementSuite)
    return cst.IndentedBlock([cst.SimpleStatementLine(body.body, trailing_whitespace=body.trailing_whitespace)])


def statements_of(block: cst.IndentedBlock | cst.Module) -> tuple[Statement, ...]:
    """The statements of an indented block, each on lines of its own."""
    return tuple(line for line in block.body if isinstance(line, (cst.SimpleStatementLine, cst.BaseCompoundStatement)))


def with_more_at_end(statement: cst.With, added: Sequence[Statement]) -> cst.With:
    """``statement`` with ``added`` as the last of its block; comments at the block's end stay before them."""
    block = indented(statement.body)
    first, *rest = [fit_inside(one) for one in added]
    first = first.with_changes(leading_lines=[*block.footer, *first.leading_lines])
    return statement.with_changes(body=block.with_changes(body=[*block.body, first, *rest], footer=()))


def fit_inside(statement: Statement) -> Statement:
    """``statement`` fit to stand further to the right: its blank lines get no blanks of the indentation."""
    lines = [line if line.comment else line.with_changes(indent=False) for line in statement.leading_lines]
    return statement.with_changes(leading_lines=lines)


def blank_lines(statement: Statement) -> tuple[cst.EmptyLine, ...]:
    """The blank lines before ``statement`` and before the comments that belong to it."""
    lines = tuple(statement.leading_lines)
    commented = [number for number, line in enumerate(lines) if line.comment is not None]
    return lines[: commented[0]] if commented else lines


def without_blank_lines(statement: Statement) -> Statement:
    """``statement`` with its comments alone before it."""
    return statement.with_changes(leading_lines=statement.leading_lines[len(blank_lines(statement)) :])


def below_blank_lines(blanks: Sequence[cst.EmptyLine], statement: Statement) -> Statement:
    """``statement`` below ``blanks``, unless it has blank lines before it already."""
    if blank_lines(statement):
        return statement
    return statement.with_changes(leading_lines=[*blanks, *statement.leading_lines])


def nodes_in(root: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """``root`` and every node below it, from left to right."""
    yield root
    for child in root.children:
        yield from nodes_in(child)
