"""Explicit detachments that only convert: the same formula gets the same tensor once without and once with one.

``.numpy()`` on one of several branches may be meant to stop the gradient (the target of a temporal difference). It is
not when the program applies one function to two selections of one tensor and NumPy converts the first silently
(``phi(np.copy(out[i])) * phi(out[j].numpy())``): then it is the conversion that NumPy would have made anyway. Nor is it
when it only serves to transpose, which tensors have no ``.T`` for, in a product with the tensor's own other uses
(``np.dot(x.numpy().T, x)``).
"""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.graph import MATHEMATICAL, Effect, Graph, Node
from tfgradfix.analyse.paths import Paths, Region

#: What turns an array.
TRANSPOSING: Final = frozenset({"ndarray.T", "ndarray.transpose", "numpy.transpose"})
#: Products of matrices.
PRODUCTS: Final = frozenset(
    {"operator.MatMult", "numpy.dot", "numpy.matmul", "numpy.inner", "numpy.outer", "numpy.tensordot", "numpy.einsum"}
    | {"numpy.linalg.solve", "numpy.linalg.multi_dot", "ndarray.dot", "tensorflow.matmul", "tensorflow.linalg.matmul"}
)
#: What hands on the data of one tensor, or a part of it.
SELECTING: Final = frozenset(
    {"ndarray.__getitem__", "ndarray.copy", "numpy.array", "numpy.asarray", "numpy.copy", "tensorflow.identity"}
)


def conversions(paths: Paths, region: Region) -> set[int]:
    """The ``.numpy()`` calls of a region whose every use has a counterpart without one, or that serve a transpose."""
    graph = paths.graph
    return {n for n in region.detached if _only_converts(graph, region, n) or _only_transposes(graph, region, n)}


def _only_transposes(graph: Graph, region: Region, number: int) -> bool:
    """Whether a tensor that has other uses on the path is detached for the sake of `.T` in a product."""
    if graph[number].symbol != "tensor.numpy":
        return False
    origins = [fed for fed, effect in graph[number].incoming.items() if effect is Effect.DETACH]
    beside = {
        use
        for fed in origins
        for use in graph[fed].outgoing
        if use in region.nodes and use != number and graph[use].incoming[fed] in MATHEMATICAL
    }
    turned = [graph[use] for use in graph[number].outgoing if use in region.nodes]
    products = [graph[use] for node in turned for use in node.outgoing if use in region.nodes]
    return (
        bool(beside)
        and bool(products)
        and all(node.symbol in TRANSPOSING for node in turned)
        and all(node.symbol in PRODUCTS for node in products)
    )


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
