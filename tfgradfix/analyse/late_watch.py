"""Tensors that a tape is told to watch only after they have been used: what was computed before is not recorded."""

from __future__ import annotations

import ast

from tfgradfix.analyse.graph import Effect, Graph, Node
from tfgradfix.analyse.objects import Tape
from tfgradfix.analyse.paths import Paths
from tfgradfix.analyse.placement import syntax_in
from tfgradfix.analyse.values import Kind


def watched_late(paths: Paths, source: int) -> list[ast.Call]:
    """The calls of ``watch`` that come too late for a source; empty if the gradient passes some later use of it."""
    graph, tape = paths.graph, paths.event.tape
    if tape is None or tape.block is None or tape in graph[source].tapes or not paths.live(source):
        return []
    if not graph[source].value.is_only(Kind.TENSOR):
        return []
    calls = [call for call, value in tape.watches.items() if source in value.nodes]
    if not calls or not all(call in set(ast.walk(tape.block)) for call in calls):
        return []
    early = {use for use in graph[source].outgoing if all(_precedes(graph[use], call, tape) for call in calls)}
    return calls if early and not _reaches_without(graph, paths, source, early) else []


def _precedes(use: Node, call: ast.Call, tape: Tape) -> bool:
    """Whether a use certainly runs before a call of ``watch``, in the block of the tape."""
    syntax = syntax_in(use.syntax, use.context, tape.context)
    if syntax is None or tape.block is None or not hasattr(syntax, "lineno"):
        return False
    statements = {id(node): index for index, top in enumerate(tape.block.body) for node in ast.walk(top)}
    before, after = statements.get(id(syntax)), statements.get(id(call))
    return before is not None and after is not None and before < after


def _reaches_without(graph: Graph, paths: Paths, source: int, early: set[int]) -> bool:
    """Whether the target is reached from the source over uses that are not ``early``."""

    def follow(u: Node, v: Node, effect: Effect) -> bool:
        return paths.is_live(u, v, effect) and not (u.id == source and v.id in early)

    return source in graph.backward(paths.target, follow)
