"""Gives statements that share a line (`a; b`, `for x in y: a`) lines of their own, so that one can be moved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.blocks import exchanged, indented, path_to, replaced

if TYPE_CHECKING:
    from collections.abc import Sequence

Nodes = tuple[cst.CSTNode, ...]

#: What may hold several statements on one line.
SHARED: Final = (cst.SimpleStatementLine, cst.SimpleStatementSuite)


def on_own_lines(root: cst.IndentedBlock, nodes: Sequence[cst.CSTNode]) -> tuple[cst.IndentedBlock, Nodes]:
    """``root`` with ``nodes`` in lines of their own where they shared one, and the nodes as they are now."""
    found = tuple(nodes)
    for number in range(len(found)):
        root, found = _separate(root, found, number)
    return root, found


def _separate(root: cst.IndentedBlock, nodes: Nodes, number: int) -> tuple[cst.IndentedBlock, Nodes]:
    path = path_to(root, nodes[number]) or ()
    shared = next((step for step in path if isinstance(step, SHARED) and len(step.body) > 1), None)
    if shared is None:
        return root, nodes
    lines = one_a_line(shared)
    new = cst.IndentedBlock(lines) if isinstance(shared, cst.SimpleStatementSuite) else cst.FlattenSentinel(lines)
    root, became = exchanged(root, shared, new)
    own = {id(small): line.body[0] for small, line in zip(shared.body, lines, strict=True)}
    return root, tuple(own.get(id(node), became.get(id(node), node)) for node in nodes)


def one_a_line(shared: cst.SimpleStatementLine | cst.SimpleStatementSuite) -> tuple[cst.SimpleStatementLine, ...]:
    """The statements of `a; b`, each on a line of its own."""
    lines = [
        cst.SimpleStatementLine([small.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)]) for small in shared.body
    ]
    if isinstance(shared, cst.SimpleStatementLine):
        lines[0] = lines[0].with_changes(leading_lines=shared.leading_lines)
    lines[-1] = lines[-1].with_changes(trailing_whitespace=shared.trailing_whitespace)
    return tuple(lines)


def in_indented_blocks(root: cst.IndentedBlock, node: cst.CSTNode) -> cst.IndentedBlock:
    """``root`` with no one-line block on the way to ``node``."""
    path = path_to(root, node) or ()
    suite = next((step for step in path if isinstance(step, cst.SimpleStatementSuite)), None)
    return root if suite is None else replaced(root, suite, indented(suite))
