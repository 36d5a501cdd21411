"""Where an array is made that is filled item by item: each assignment is a node of its own, fed by the one before."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from tfgradfix.analyse.graph import Effect
from tfgradfix.analyse.values import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfgradfix.analyse.graph import Graph, Node

#: What gives a window on an array, and not a copy.
VIEWS: Final = frozenset({"ndarray.__getitem__", "ndarray.T", "ndarray.reshape", "ndarray.ravel"})

#: The symbol of an item assignment.
FILL: Final = "ndarray.__setitem__"


def made_at(graph: Graph, nodes: Iterable[int]) -> frozenset[int]:
    """The nodes that make an array which is filled on the way to ``nodes``."""
    pending = list(nodes)
    seen, found = set(pending), set[int]()
    while pending:
        node = graph[pending.pop()]
        before = _before(node)
        if before is None:
            found.add(node.id)
            continue
        pending += before - seen
        seen |= before
    return frozenset(found)


def shown_at(graph: Graph, nodes: Iterable[int]) -> frozenset[int]:
    """The nodes that make an array, and those of every array of which it is a part: what is written shows in all."""
    found, pending = set[int](), set(made_at(graph, nodes))
    while pending:
        node = graph[pending.pop()]
        found.add(node.id)
        if node.symbol in VIEWS and node.operands and node.value.is_only(Kind.NDARRAY) and node.value.rank != 0:
            pending |= made_at(graph, node.operands[0].nodes) - found
    return frozenset(found)


def _before(node: Node) -> frozenset[int] | set[int] | None:
    """Where the same array was before, or None at the place that makes it."""
    if node.symbol == FILL and node.operands:
        return node.operands[0].nodes
    if isinstance(node.syntax, ast.If):
        return {number for number, effect in node.incoming.items() if effect is Effect.KEEP}
    return None
