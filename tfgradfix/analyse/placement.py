"""Where a statement stands relative to a tape's block: in it, before it, after it, or somewhere else."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import Enum

from tfgradfix.analyse.graph import Node
from tfgradfix.analyse.modules import Module
from tfgradfix.analyse.objects import Tape
from tfgradfix.analyse.scopes import Context


class Place(Enum):
    """Relation of a statement to a block in the same list of statements."""

    BEFORE = "before"
    INSIDE = "inside"
    AFTER = "after"
    ELSEWHERE = "elsewhere"


@dataclass(frozen=True)
class Placement:
    """The relation, and the statement beside the block that holds the place."""

    place: Place
    statement: ast.stmt | None = None


ELSEWHERE = Placement(Place.ELSEWHERE)


def place_of(node: Node, tape: Tape) -> Placement:
    """Where a computed value stands relative to the tape's block, seen from the function that holds the block."""
    syntax = syntax_in(node.syntax, node.context, tape.context)
    return ELSEWHERE if syntax is None else beside(tape.module, tape.block, syntax)


def syntax_in(syntax: ast.AST, context: Context, wanted: Context | None) -> ast.AST | None:
    """The place in ``wanted``'s function from which ``syntax`` is reached: itself, or the call that leads there."""
    current: Context | None = context
    while current is not None:
        if wanted is None or current.id == wanted.id:
            return syntax
        if current.call is None:
            return None
        syntax, current = current.call, current.parent
    return None


def beside(module: Module, block: ast.AST | None, syntax: ast.AST) -> Placement:
    """The relation of ``syntax`` to the statement ``block`` in its own list of statements."""
    if block is None:
        return ELSEWHERE
    outer = module.parent(block)
    siblings = next((body for body in bodies(outer) if block in body), [])
    current: ast.AST | None = syntax
    while current is not None and current not in siblings:
        current = module.parent(current)
    if current is None:
        return ELSEWHERE
    own, other = siblings.index(block), siblings.index(current)  # type: ignore[arg-type]
    place = Place.INSIDE if own == other else Place.BEFORE if other < own else Place.AFTER
    return Placement(place, siblings[other])


def bodies(node: ast.AST | None) -> list[list[ast.stmt]]:
    """The lists of statements that a node holds."""
    return [
        getattr(node, name) for name in ("body", "orelse", "finalbody") if isinstance(getattr(node, name, None), list)
    ]
