"""Explicit detachments that lose a whole term of the target.

``.numpy()`` and ``float(...)`` may be meant to stop a gradient: the target of a temporal difference, an advantage, a
weight. Such a value meets one that is trained, in a product or a difference that is then squared. A term that is only
added to the target, and that no variable reaches but through detachments, trains nothing: as a constant it would be
pointless, so the detachment can only be a conversion, and the term is lost.
"""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.graph import MATHEMATICAL, VARIABLES, Effect, Follow, Node
from tfgradfix.analyse.paths import Paths, Region
from tfgradfix.analyse.values import Kind

#: What a sum of terms passes through as a sum of terms.
_LINEAR: Final = frozenset(
    """
    operator.Add operator.Sub operator.USub operator.UAdd builtins.sum numpy.sum numpy.mean numpy.add numpy.subtract
    numpy.float32 numpy.float64 ndarray.sum ndarray.mean builtins.float tensor.numpy ndarray.item
    tensorflow.add tensorflow.subtract tensorflow.add_n tensorflow.reduce_sum tensorflow.reduce_mean
    tensorflow.math.add tensorflow.math.subtract tensorflow.math.add_n tensorflow.math.reduce_sum
    tensorflow.math.reduce_mean tensorflow.cast tensorflow.identity tensorflow.convert_to_tensor tensorflow.constant
    tensorflow.squeeze
    """.split()
)

#: Puts items side by side.
_PACKING: Final = frozenset(
    """
    numpy.array numpy.asarray numpy.stack numpy.concatenate numpy.hstack numpy.vstack ndarray.__setitem__
    tensorflow.stack tensorflow.concat tensorflow.convert_to_tensor tensorflow.constant
    """.split()
)
#: Functions of single items, where one operand alone depends on a variable.
_BY_ITEM: Final = (
    "operator.Pow",
    "operator.Mult",
    "operator.Div",
    "numpy.square",
    "numpy.abs",
    "numpy.exp",
    "numpy.log",
    "numpy.sqrt",
    "numpy.power",
    "tensorflow.square",
    "tensorflow.abs",
    "tensorflow.exp",
    "tensorflow.math.",
    "tensorflow.sqrt",
)
#: Linear where only one operand depends on the sources.
_SCALING: Final = frozenset({"operator.Mult", "operator.Div", "tensorflow.multiply", "tensorflow.divide"})


def lost_terms(paths: Paths, region: Region) -> set[int]:
    """The explicit detachments of a region behind which a term of the target is lost."""
    if not region.detached:
        return set()
    trained = _Reached(paths, _silently)
    behind = _behind(paths, {number for number in _terms(paths, region) if number not in trained})
    return {n for n in region.detached & behind if n not in trained and _is_seen(paths, n)}


def lost_gradients(paths: Paths, region: Region) -> set[int]:
    """What the tape does not record of a lost term that is made of an inner gradient (a gradient penalty)."""
    if not any(paths.graph[number].symbol == "tape.gradient" for number in region.unrecorded):
        return set()
    variables = set(paths.sources) | {node.id for node in paths.graph.nodes if node.symbol in VARIABLES}
    trained = paths.graph.forward(variables, paths.is_live)
    lost = region.unrecorded & _behind(paths, _terms(paths, region) - trained)
    return lost if any(paths.graph[number].symbol == "tape.gradient" for number in lost) else set()


class _Reached:
    """What the sources of a gradient call, and everything else that may be trained, reach."""

    def __init__(self, paths: Paths, follow: Follow) -> None:
        self.own = paths.graph.forward(set(paths.sources), follow)
        self.all = paths.graph.reached_by_variables(follow)

    def __contains__(self, number: int) -> bool:
        return number in self.own or number in self.all


def _silently(u: Node, v: Node, effect: Effect) -> bool:
    """Over what NumPy cuts silently, but over no explicit detachment."""
    return effect in MATHEMATICAL and effect is not Effect.DETACH


def _mathematically(u: Node, v: Node, effect: Effect) -> bool:
    return effect in MATHEMATICAL


def _is_seen(paths: Paths, number: int) -> bool:
    """Whether a detachment happens in the tape's block: the number of an earlier step is data."""
    tape = paths.event.tape
    return tape is None or tape in paths.graph[number].tapes


def _behind(paths: Paths, terms: set[int]) -> set[int]:
    return paths.graph.backward(terms, _mathematically)


def _terms(paths: Paths, region: Region) -> set[int]:
    """What the target is a weighted sum of, the sums and what is packed in arrays included; the weights are data.

    Behind a function of single items (a square) only the items of an array are terms, and no longer what is added up
    in an item: there a detached value meets one that is trained.
    """
    depends = _Reached(paths, _mathematically)
    found = set(paths.target & region.nodes)
    pending = [(number, True) for number in found]
    seen = set(pending)
    while pending:
        number, sums = pending.pop()
        node = paths.graph[number]
        varying = sum(any(n in depends for n in operand.nodes) for operand in node.operands)
        passes = node.symbol in _PACKING or _is_join(node)
        if sums:
            passes = passes or node.symbol in _LINEAR or (node.symbol in _SCALING and varying == 1)
        by_item = varying == 1 and node.symbol.startswith(_BY_ITEM)
        if not passes and not by_item:
            continue
        for origin, effect in node.incoming.items():
            step = (origin, sums and passes)
            if effect in MATHEMATICAL and origin in region.nodes and step not in seen:
                seen.add(step)
                pending.append(step)
                found.add(origin)
    return found


def _is_join(node: Node) -> bool:
    """Whether a node only brings together what several branches or turns of a loop leave behind."""
    return node.symbol == "" and not node.operation and not node.value.may_be(Kind.UNKNOWN)
