"""From gradient calls to cuts: which nodes must be mended so that each source gets its gradient.

Polarity: an unknown is never a finding. A cut that its author made on purpose (``.numpy()``, ``predict``,
``stop_gradient`` on a branch beside a live path) is left alone; one on the only path is a fault.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from tfgradfix.analyse.array_origins import FILL, shown_at
from tfgradfix.analyse.conversions import conversions
from tfgradfix.analyse.events import Asked, GradientEvent
from tfgradfix.analyse.graph import Effect, Graph, Mode, Node
from tfgradfix.analyse.interpret import Interpreter
from tfgradfix.analyse.late_watch import watched_late
from tfgradfix.analyse.lost_terms import lost_gradients, lost_terms
from tfgradfix.analyse.objects import Container
from tfgradfix.analyse.paths import Paths, Region
from tfgradfix.analyse.values import NUMBERS, TENSORS, Kind, Value


@dataclass
class Break:
    """What is wrong with one gradient call.

    ``mended`` are the nodes at which the gradient stops and that have to be rewritten, ``outside`` those that the
    tape does not record; ``partial`` are cuts beside a live path; ``stops`` operations without a gradient;
    ``unwatched`` sources that the tape does not watch, ``late`` the calls that watch them too late; ``lost`` explicit
    detachments that lose a term; ``why_not`` says why the whole cannot be mended for certain.
    """

    event: GradientEvent
    paths: Paths
    mended: dict[int, int] = field(default_factory=dict)
    outside: dict[int, int] = field(default_factory=dict)
    partial: dict[int, int] = field(default_factory=dict)
    symbolic: set[int] = field(default_factory=set)
    lost: set[int] = field(default_factory=set)
    late: dict[ast.Call, int] = field(default_factory=dict)
    stops: dict[int, tuple[int, Effect]] = field(default_factory=dict)
    unwatched: set[int] = field(default_factory=set)
    integers: set[int] = field(default_factory=set)
    why_not: str = ""

    @property
    def broken(self) -> bool:
        """Whether a gradient is certainly missing."""
        return bool(self.mended or self.outside or self.unwatched or self.symbolic or self.event.again)


def find_breaks(interpreter: Interpreter) -> list[Break]:
    """The faults of every gradient call of a program, in the order in which they were met."""
    return [_break(interpreter, event) for event in interpreter.events.values()]


def _break(interpreter: Interpreter, event: GradientEvent) -> Break:
    graph = interpreter.graph
    paths = Paths(graph, event, interpreter.flow(event.target), interpreter.flow(event.sources))
    found = Break(event, paths)
    for source in paths.sources:
        if graph[source].value.dtype is not None and graph[source].value.dtype.startswith(("int", "uint", "bool")):  # type: ignore[union-attr]
            found.integers.add(source)
            continue
        if paths.cut(source):
            _whole(found, paths.region(source))
        elif paths.live(source):
            _partial(found, paths.region(source))
        if paths.depends(source) and not paths.watched(source):
            found.unwatched.add(source)
        late = watched_late(paths, source)
        if late:
            found.unwatched.add(source)
            found.late |= dict.fromkeys(late, source)
    if not any(paths.live(source) or paths.cut(source) for source in paths.sources):
        _stopped(found)
    if event.asked is Asked.KERAS_CALL and any(
        graph[n].incoming and Effect.DETACH in graph[n].incoming.values() for n in found.mended
    ):
        found.mended.clear()
    found.symbolic = _failing_in_graph(graph, found)
    return found


def _whole(found: Break, region: Region) -> None:
    """Every path of a source is cut: choose what has to be mended."""
    implicit = region.numpy | region.unrecorded
    if found.paths.reaches(region.source, implicit):
        chosen = conversions(found.paths, region) | lost_terms(found.paths, region)
        found.lost |= chosen
    else:
        chosen = set(region.detached)
        if not found.paths.reaches(region.source, region.cuts):
            return
        if _independent(found.paths, region):
            found.why_not = (
                "several separate forward passes are detached by hand; which of them should train cannot be told"
            )
    kept = found.paths.region(region.source, chosen)
    for number in kept.numpy | kept.detached:
        found.mended.setdefault(number, region.source)
    for number in kept.unrecorded:
        found.outside.setdefault(number, region.source)


def _independent(paths: Paths, region: Region) -> bool:
    """Whether explicit detachments stand on forward passes that have nothing in common.

    Every call of a model is a pass. A variable is used at several places in one pass: there are two only where one
    place is reached twice, by two calls of a function.
    """
    passes = [paths.forward_passes(region.source, number) for number in sorted(region.detached)]
    apart = [(a, b) for i, a in enumerate(passes) for b in passes[i + 1 :] if a and b and not a & b]
    if paths.graph[region.source].symbol == "weights":
        return bool(apart)
    return any({id(paths.graph[n].syntax) for n in a} & {id(paths.graph[n].syntax) for n in b} for a, b in apart)


def _partial(found: Break, region: Region) -> None:
    """Some path is whole: a NumPy call on a branch of the same forward pass loses a term."""
    lost = lost_terms(found.paths, region)
    found.lost |= lost
    kept = found.paths.region(region.source, lost)
    live = found.paths.forward_passes(region.source, next(iter(found.paths.target))) if found.paths.target else set()
    for number in kept.numpy:
        if found.paths.forward_passes(region.source, number) & live and not kept.unrecorded & {number}:
            found.partial.setdefault(number, region.source)
    for number in lost:
        found.partial.setdefault(number, region.source)
    for number in lost_gradients(found.paths, region):
        found.outside.setdefault(number, region.source)


def _stopped(found: Break) -> None:
    """No source has a path but through operations without a gradient."""
    if found.event.asked is Asked.KERAS_CALL:
        return
    for source in found.paths.sources:
        if source not in found.integers and found.paths.stopped(source):
            for number, effect in found.paths.stops(source).items():
                found.stops.setdefault(number, (source, effect))


def _failing_in_graph(graph: Graph, found: Break) -> set[int]:
    """NumPy on symbolic tensors that the target depends on in any way, tests included: it always fails."""
    candidates = [n for n in sorted(found.paths.relevant) if _runs_numpy_in_graph(graph[n])]
    failing: set[int] = set()
    while candidates:
        rewritten = failing | set(found.mended)
        after = tensors_after(graph, rewritten) if rewritten else set()
        new = {n for n in candidates if any(_is_symbolic(operand, after) for operand in graph[n].operands)} - failing
        if not new:
            break
        failing |= new
    return failing - set(found.mended)


def _runs_numpy_in_graph(node: Node) -> bool:
    # A variable may be made of a tensor, `tf.numpy_function` runs its function outside of the graph, and code that
    # serves several frameworks converts what is none of TensorFlow's.
    works = (
        "tensorflow.Variable",
        "tensorflow.numpy_function",
        "keras.ops.convert_to_numpy",
        "keras.backend.convert_to_numpy",
    )
    # No tensor takes an item assignment, traced or not.
    return node.code == "TGF109" or (node.mode is not Mode.EAGER and bool(node.code) and node.symbol not in works)


def _is_symbolic(operand: Value, after: set[int]) -> bool:
    """Whether an operand is certainly a tensor in graph mode (or comes out of what fails there)."""
    if operand.is_only(TENSORS) and operand.nodes:
        return True
    if operand.is_only(Kind.LIST | Kind.TUPLE):
        # A list whose numbers are replaced by tensors one by one holds tensors where it is used.
        items = [item for ref in operand.refs if isinstance(ref, Container) for item in ref.elements()]
        return any(item.may_be(TENSORS) and item.is_only(TENSORS | NUMBERS) for item in items)
    return bool(operand.nodes) and operand.nodes <= after


def tensors_after(graph: Graph, rewritten: set[int]) -> set[int]:
    """The nodes that hold a tensor once ``rewritten`` are TensorFlow's: those, and what operators make of them."""

    def follow(u: Node, v: Node, effect: Effect) -> bool:
        if u.symbol == FILL and u.operands and v.id in shown_at(graph, u.operands[0].nodes):
            return False  # what is written shows there, which does not make a tensor of it
        if effect is Effect.CONTROL or v.code or v.symbol in ("operator.not", "builtins.len"):
            return v.id in rewritten and effect is not Effect.CONTROL
        return v.value.may_be(Kind.NDARRAY | Kind.NUMBER | Kind.BOOL | Kind.TENSOR)

    return graph.forward(rewritten, follow)
