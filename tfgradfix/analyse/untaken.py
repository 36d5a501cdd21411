"""Selections whose untaken side may be NaN or infinite: NumPy drops it, a gradient through it does not.

``np.where(x > 0, np.log(x), 0)`` has the right value in TensorFlow too, but where x is 0 the gradient of the
logarithm is infinite, and nothing times infinity is NaN (https://www.tensorflow.org/api_docs/python/tf/where).
"""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.graph import Effect, Graph, Node
from tfgradfix.analyse.values import NUMBERS, Value

#: Functions whose slope is infinite, or not a number, somewhere.
_RISKY: Final = frozenset(
    "log log2 log10 log1p sqrt arcsin arccos arctanh arccosh reciprocal power divide cbrt".split()
)
#: What keeps an argument away from there, whatever goes in.
_GUARDS: Final = frozenset("maximum clip clip_by_value fmax exp softplus sigmoid softmax max relu cosh".split())
#: What is positive where its arguments are.
_KEEPING: Final = frozenset("square sqrt abs multiply power negative".split())
#: Left out of a result, a NaN still comes back through the gradient.
_SKIPPING: Final = frozenset(f"numpy.nan{name}" for name in "sum mean max min prod std var cumsum median".split())


def untaken_risk(graph: Graph, node: Node) -> str | None:
    """Why the gradient of a selection may be NaN where its value is not, or None."""
    if node.symbol in _SKIPPING:
        return "a NaN that it leaves out makes the gradient NaN all the same: mask its input first"
    if node.symbol != "numpy.where" or len(node.operands) != 3:
        return None
    for branch in node.operands[1:]:
        for number in sorted(_elementwise(graph, node, branch)):
            if _is_risky(graph, graph[number]):
                return "the side that is not taken may have an infinite slope: make its argument harmless first"
    return None


def _elementwise(graph: Graph, node: Node, branch: Value) -> set[int]:
    """What a branch is computed from, element by element, in the same function."""

    def follow(u: Node, v: Node, effect: Effect) -> bool:
        here = u.context.id == node.context.id and effect in (Effect.KEEP, Effect.NUMPY)
        return here and (u.symbol.startswith("operator.") or _last(u) in _RISKY or u.symbol == "")

    starts = [n for n in branch.nodes if graph[n].context.id == node.context.id]
    return graph.backward(starts, follow)


def _is_risky(graph: Graph, node: Node) -> bool:
    if node.symbol == "operator.Div":
        return not _is_safe(graph, node.operands[1])
    if node.symbol == "operator.Pow":
        exponent = node.operands[1].const
        return not (isinstance(exponent, int) and exponent >= 1) and not _is_safe(graph, node.operands[0])
    return _last(node) in _RISKY and bool(node.operands) and not _is_safe(graph, node.operands[0])


def _is_safe(graph: Graph, value: Value, depth: int = 4) -> bool:
    """Whether an argument is kept away from the singular places."""
    if value.is_only(NUMBERS) or value.rank == 0:
        return True
    return bool(value.nodes) and depth > 0 and all(_node_is_safe(graph, graph[n], depth) for n in value.nodes)


def _node_is_safe(graph: Graph, node: Node, depth: int) -> bool:
    if _last(node) in _GUARDS or _is_shifted(node):
        return True
    kept = _last(node) in _KEEPING or node.symbol in ("operator.Mult", "operator.Pow")
    return kept and all(_is_safe(graph, operand, depth - 1) for operand in node.operands)


def _is_shifted(node: Node) -> bool:
    """``something + eps``: a positive number is added."""
    if node.symbol != "operator.Add":
        return False
    return any(isinstance(operand.const, (int, float)) and operand.const > 0 for operand in node.operands)


def _last(node: Node) -> str:
    return node.symbol.rpartition(".")[2]
