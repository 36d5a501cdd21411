"""Explicit detachments that lose a whole term of the target.

``.numpy()`` and ``float(...)`` may be meant to stop a gradient: the target of a temporal difference, an advantage, a
weight. Such a value meets one that is trained, in a product or a difference that is then squared. A term that is only
added to the target, and that no variable reaches but through detachments, trains nothing: as a constant it would be
pointless, so the detachment can only be a conversion, and the term is lost.
"""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.graph import MATHEMATICAL, Effect, Node
from tfgradfix.analyse.paths import Paths, Region

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

#: Linear where only one operand depends on the sources.
_SCALING: Final = frozenset({"operator.Mult", "operator.Div", "tensorflow.multiply", "tensorflow.divide"})


def lost_terms(paths: Paths, region: Region) -> set[int]:
    """The explicit detachments of a region behind which a term of the target is lost."""
    if not region.detached:
        return set()
    trained = _trained(paths)
    behind = _behind(paths, _terms(paths, region) - trained)
    recorded = {number for number in region.detached & behind if _is_seen(paths, number)}
    return recorded - trained


def lost_gradients(paths: Paths, region: Region) -> set[int]:
    """What the tape does not record of a lost term that is made of an inner gradient (a gradient penalty)."""
    if not any(paths.graph[number].symbol == "tape.gradient" for number in region.unrecorded):
        return set()
    trained = paths.graph.forward(_variables(paths), paths.is_live)
    behind = _behind(paths, _terms(paths, region) - trained)
    lost = region.unrecorded & behind
    return lost if any(paths.graph[number].symbol == "tape.gradient" for number in lost) else set()


def _is_seen(paths: Paths, number: int) -> bool:
    """Whether a detachment happens in the tape's block: the number of an earlier step is data."""
    tape = paths.event.tape
    return tape is None or tape in paths.graph[number].tapes


def _behind(paths: Paths, terms: set[int]) -> set[int]:
    return paths.graph.backward(terms, lambda u, v, e: e in MATHEMATICAL)


def _trained(paths: Paths) -> set[int]:
    """All that some variable reaches, with what NumPy cuts silently repaired but no explicit detachment."""
    return paths.graph.forward(_variables(paths), lambda u, v, e: e in MATHEMATICAL and e is not Effect.DETACH)


def _variables(paths: Paths) -> set[int]:
    """All that may be trained: the sources and every other variable."""
    symbols = ("weights", "tensorflow.Variable", "input", "y_pred")
    return set(paths.sources) | {node.id for node in paths.graph.nodes if node.symbol in symbols}


def _terms(paths: Paths, region: Region) -> set[int]:
    """What the target is a weighted sum of, the sums themselves included; the weights are data."""
    depends = paths.graph.forward(_variables(paths), lambda u, v, e: e in MATHEMATICAL)

    def linear(u: Node, v: Node, effect: Effect) -> bool:
        if effect not in MATHEMATICAL or u.id not in region.nodes:
            return False
        if v.symbol in _SCALING:
            return sum(bool(operand.nodes & depends) for operand in v.operands) == 1
        return v.symbol in _LINEAR

    return paths.graph.backward(paths.target & region.nodes, linear)
