"""Gradient paths: what lies between the sources and the target of one gradient call, and where it is cut.

The gradient path is the forward reach of the sources met with the backward reach of the target. An edge is live
when its operation is differentiable and the tape records it; every other edge on the path is a cut.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from tfgradfix.analyse.events import Asked, GradientEvent
from tfgradfix.analyse.graph import CARRYING, MATHEMATICAL, Effect, Graph, Mode, Node
from tfgradfix.analyse.objects import Tape
from tfgradfix.analyse.values import TENSORS, Kind


@dataclass
class Region:
    """The part of the graph between one source and the target, and the nodes in it where the gradient stops."""

    source: int
    nodes: set[int] = field(default_factory=set)
    numpy: set[int] = field(default_factory=set)
    detached: set[int] = field(default_factory=set)
    unrecorded: set[int] = field(default_factory=set)

    @property
    def cuts(self) -> set[int]:
        """Every node at which the gradient stops."""
        return self.numpy | self.detached | self.unrecorded


class Paths:
    """The gradient paths of one gradient call."""

    def __init__(self, graph: Graph, event: GradientEvent, target: frozenset[int], sources: Iterable[int]) -> None:
        self.graph = graph
        self.event = event
        self.target = target
        self.sources = sorted(set(self._leaves(sources)))

    # Each is asked for by some gradient calls only, and large in large programs.

    @cached_property
    def _live(self) -> set[int]:
        return self.graph.backward(self.target, self.is_live)

    @cached_property
    def _mathematical(self) -> set[int]:
        return self.graph.backward(self.target, lambda u, v, e: e in MATHEMATICAL)

    @cached_property
    def _any(self) -> set[int]:
        return self.graph.backward(self.target, lambda u, v, e: e is not Effect.CONTROL)

    @cached_property
    def relevant(self) -> set[int]:
        """Everything that the target depends on, tests of branches included."""
        return self.graph.backward(self.target, lambda u, v, e: True)

    def _leaves(self, sources: Iterable[int]) -> Iterator[int]:
        """The sources themselves; a model stands for the layers and variables that it holds."""
        seen: set[int] = set()
        pending = list(sources)
        while pending:
            number = pending.pop()
            if number in seen:
                continue
            seen.add(number)
            parts = [n for n in self.graph[number].outgoing if self.graph[n].incoming[number] is Effect.CONTAINS]
            if parts:
                pending += parts
            yield number

    def recorded(self, node: Node) -> bool:
        """Whether the tape sees what happens at a node."""
        tape = self.event.tape
        return tape is None or not self._is_operation(node) or tape in node.tapes or tape.persistent is None

    def _is_operation(self, node: Node) -> bool:
        if node.operation:
            return True
        # An unknown object is called whose variables are asked for: a model.
        return any(
            source in node.incoming
            and self.graph[source].symbol == "weights"
            and node.incoming[source] is Effect.PRESUMED
            and node.symbol == ""
            for source in self.sources
        )

    def is_live(self, source: Node, target: Node, effect: Effect) -> bool:
        """Whether gradient flows over an edge as the program stands."""
        return effect in CARRYING and self.recorded(target)

    def depends(self, source: int) -> bool:
        """Whether the target depends on the source, differentiably."""
        return source in self._mathematical

    def live(self, source: int) -> bool:
        """Whether some path from the source to the target is whole."""
        return source in self._live

    def cut(self, source: int) -> bool:
        """Whether the target depends on the source, differentiably, but every path is cut."""
        return source in self._mathematical and source not in self._live

    def connected(self, source: int) -> bool:
        """Whether the target depends on the source at all."""
        return source in self._any

    def stopped(self, source: int) -> bool:
        """Whether the target depends on the source only through operations without a gradient."""
        return source in self._any and source not in self._mathematical

    def region(self, source: int, mended: set[int] | None = None) -> Region:
        """What lies between a source and the target.

        With ``mended`` given, only explicit detachments among those nodes are passed through.
        """

        def passes(u: Node, v: Node, effect: Effect) -> bool:
            if effect is Effect.DETACH and mended is not None and v.id not in mended:
                return False
            return effect in MATHEMATICAL

        nodes = self.graph.forward({source}, passes) & self.graph.backward(self.target, passes)
        region = Region(source, nodes)
        for number in nodes:
            node = self.graph[number]
            effects = {
                effect
                for origin, effect in node.incoming.items()
                if origin in nodes and passes(self.graph[origin], node, effect)
            }
            if Effect.NUMPY in effects:
                region.numpy.add(number)
            if Effect.DETACH in effects:
                region.detached.add(number)
            if effects & CARRYING and not self.recorded(node):
                region.unrecorded.add(number)
        return region

    def reaches(self, source: int, mended: set[int]) -> bool:
        """Whether the source would reach the target with the cuts at ``mended`` repaired."""

        def follow(u: Node, v: Node, effect: Effect) -> bool:
            return self.is_live(u, v, effect) or (v.id in mended and effect in MATHEMATICAL)

        return source in self.graph.backward(self.target, follow)

    def stops(self, source: int) -> dict[int, Effect]:
        """The first operation without a gradient on each path from the source to the target."""
        forward = self.graph.forward({source}, lambda u, v, e: e in MATHEMATICAL)
        found: dict[int, Effect] = {}
        for number in self._any:
            for origin, effect in self.graph[number].incoming.items():
                if origin in forward and effect in (Effect.NO_GRADIENT, Effect.STOPPED):
                    found[number] = effect
        return found

    def forward_passes(self, source: int, node: int) -> set[int]:
        """The first operations on the source that lead to a node: which calls of the model it comes from."""
        behind = self.graph.backward({node}, lambda u, v, e: e in MATHEMATICAL)
        return {
            n for n in self.graph[source].outgoing if n in behind and self.graph[n].incoming[source] in MATHEMATICAL
        }

    def path(self, source: int, through: int) -> list[int]:
        """The shortest path source → through → target, over what depends on each other at all."""

        def walk(start: int, goals: frozenset[int] | set[int]) -> list[int]:
            parents: dict[int, int] = {start: start}
            pending = deque([start])
            while pending:
                number = pending.popleft()
                if number in goals:
                    found = [number]
                    while parents[found[-1]] != found[-1]:
                        found.append(parents[found[-1]])
                    return found[::-1]
                for following in sorted(self.graph[number].outgoing):
                    if (
                        following not in parents
                        and following in self.relevant
                        and self.graph[following].incoming[number] is not Effect.CONTROL
                    ):
                        parents[following] = number
                        pending.append(following)
            return []

        return walk(source, {through}) + walk(through, self.target)[1:]

    # Watching ----------------------------------------------------------------------------------------------------

    def watched(self, source: int) -> bool:
        """Whether the tape watches the source, as far as can be told (an unknown is taken as watched)."""
        tape = self.event.tape
        if tape is None or tape.watched_all or source in self._watched_nodes(tape):
            return True
        node = self.graph[source]
        if node.symbol == "weights" or node.value.is_only(Kind.VARIABLE):
            return tape.watches_variables is not False
        if node.value.is_only(TENSORS) or node.value.is_only(Kind.TENSOR | Kind.NDARRAY):
            return tape in node.tapes
        return True

    def _watched_nodes(self, tape: Tape) -> set[int]:
        return set(self._leaves(tape.watched))

    def symbolic(self) -> bool:
        """Whether the target is computed on symbolic tensors without AutoGraph."""
        return self.event.asked in (Asked.KERAS_LOSS, Asked.KERAS_CALL) or self.event.mode is Mode.SYMBOLIC
