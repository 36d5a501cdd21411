"""Questions about tapes, their blocks and the scopes round them, asked of findings and nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix.model import Position
from tfgradfix_codemods.blocks import indented, nodes_in
from tfgradfix_codemods.effects import roots
from tfgradfix_codemods.every_name import names_in
from tfgradfix_codemods.known_calls import GRADIENTS, CallKind, kind_of
from tfgradfix_codemods.names_of_statements import NamesOfStatements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix.model import Finding
    from tfgradfix_codemods.surroundings import Surroundings


def captured_in(scope: cst.CSTNode) -> frozenset[str]:
    """The names that functions defined in ``scope`` may read from it."""
    functions = (node for child in scope.children for node in nodes_in(child))
    return frozenset().union(
        *(free_names(node) for node in functions if isinstance(node, (cst.FunctionDef, cst.Lambda)))
    )


def free_names(function: cst.FunctionDef | cst.Lambda) -> frozenset[str]:
    """The names that ``function`` reads and does not bind itself."""
    inside = NamesOfStatements()
    inside.look(function.body)
    return roots(inside.reads) - inside.binds - names_in(function.params)


def block_at(root: cst.IndentedBlock, way: Sequence[int]) -> cst.IndentedBlock:
    """The block of the `with` statement to which ``way`` leads."""
    for number in way:
        root = indented(cst.ensure_type(root.body[number], cst.With).body)
    return root


def module_as_block(module: cst.Module) -> cst.IndentedBlock:
    """The statements of a module as a block."""
    return cst.IndentedBlock(module.body)


def tape_position(finding: Finding) -> Position | None:
    """Where the `with` statement of the finding's tape starts, as far as the analysis has said."""
    row, _, column = (finding.fact("with") or "").partition(":")
    return Position(int(row), int(column)) if row.isdecimal() and column.isdecimal() else None


def makes_tape(item: cst.WithItem, surroundings: Surroundings) -> bool:
    """Whether a manager of a `with` statement is a new tape."""
    return isinstance(item.item, cst.Call) and kind_of(item.item, surroundings) is CallKind.TAPE


def asks_gradient(node: cst.CSTNode) -> bool:
    """Whether ``node`` is a call of a tape's `gradient` or the like."""
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in GRADIENTS
