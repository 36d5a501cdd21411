"""Explicit detachments that only convert: the same formula gets the same tensor once without and once with one.

``.numpy()`` on one of several branches may be meant to stop the gradient (the target of a temporal difference). It is
not when the program applies one function to two selections of one tensor and NumPy converts the first silently
(``phi(np.copy(out[i])) * phi(out[j].numpy())``): then it is the conversion that NumPy would have made anyway.
"""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.graph import MATHEMATICAL, Effect, Graph, Node
from tfgradfix.analyse.paths import Paths, Region

#: What hands on the data of one tensor, or a part of it.
SELECTING: Final = frozenset(
    {"ndarray.__getitem__", "ndarray.copy", "numpy.array", "numpy.asarray", "numpy.copy", "tensorflow.identity"}
)


def conversions(paths: Paths, region: Region) -> set[int]:
    """The ``.numpy()`` calls of a region whose every use has a counterpart without one."""
    return {number for number in region.detached if _only_converts(paths.graph, region, number)}


def _only_converts(graph: Graph, region: Region, number: int) -> bool:
    if graph[number].symbol != "tensor.numpy":
        return False
    uses = [graph[use] for use in graph[number].outgoing if use in region.nodes]
    origin = _origin(graph, region, next(iter(graph[number].incoming)))
    return bool(uses) and all(_has_counterpart(graph, region, use, number, origin) for use in uses)


def _has_counterpart(graph: Graph, region: Region, use: Node, number: int, origin: int) -> bool:
    """Whether the expression ``use`` gets, in another call of its function, the tensor ``origin`` undetached."""
    places = [place for place, operand in enumerate(use.operands) if number in operand.nodes]
    others = [
        graph[other]
        for other in region.nodes
        if graph[other].syntax is use.syntax and graph[other].context is not use.context
    ]
    return bool(places) and any(
        all(
            other.operands[place].nodes
            and {_origin(graph, region, fed) for fed in other.operands[place].nodes} == {origin}
            for place in places
        )
        for other in others
        if len(other.operands) == len(use.operands)
    )


def _origin(graph: Graph, region: Region, number: int) -> int:
    """The tensor that a node selects from or copies, over silent steps only."""
    seen = {number}
    while graph[number].symbol in SELECTING:
        node = graph[number]
        feeds = [fed for fed, effect in node.incoming.items() if fed in region.nodes and effect in MATHEMATICAL]
        if len(feeds) != 1 or node.incoming[feeds[0]] is Effect.DETACH or feeds[0] in seen:
            break
        number = feeds[0]
        seen.add(number)
    return number
