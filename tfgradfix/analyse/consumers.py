"""What a rewrite means for code beside the path: values that become tensors there, and helpers shared with data.

A rewritten place is rewritten for every caller. Where a caller hands it arrays, its result is a tensor from now on;
what then needs an array gets one by `.numpy()`, or the unit is not rewritten.
"""

from __future__ import annotations

import ast
from typing import Final

from tfgradfix.analyse.breaks import tensors_after
from tfgradfix.analyse.drafts import Draft, Drafts
from tfgradfix.analyse.facts import rows
from tfgradfix.analyse.graph import Effect, Graph, Mode, Node
from tfgradfix.analyse.interpret import Interpreter
from tfgradfix.analyse.values import TENSORS, Kind
from tfgradfix.model import Level

#: Rewrites after which the place gives a tensor.
REWRITTEN: Final = ("TGF101", "TGF102", "TGF103", "TGF104", "TGF105", "TGF106", "TGF107", "TGF108", "TGF111")


def draft_consumers(interpreter: Interpreter, drafts: Drafts) -> None:
    """Enter `.numpy()` where a value that becomes a tensor is used as an array, or say why a unit cannot be mended."""
    graph = interpreter.graph
    rewritten: dict[int, Draft] = {id(draft.syntax): draft for draft in drafts if draft.code in REWRITTEN and draft.level is not Level.MANUAL}
    nodes = {node.id for node in graph.nodes if id(node.syntax) in rewritten and node.code}
    after = tensors_after(graph, nodes)
    for draft in list(rewritten.values()):
        _shared(graph, draft, nodes)
    for number in sorted(after):
        node = graph[number]
        for following in sorted(node.outgoing):
            user = graph[following]
            if user.id in nodes or id(user.syntax) in rewritten or user.incoming[number] is Effect.CONTROL:
                continue
            _use(interpreter, user, node, after, rewritten, drafts)


def _shared(graph: Graph, draft: Draft, nodes: set[int]) -> None:
    """A place that other callers reach with arrays of several dtypes cannot be TensorFlow's."""
    for node in graph.nodes:
        if node.syntax is not draft.syntax or node.id in draft.nodes or not node.code:
            continue
        row = rows.row(node.symbol)
        arrays = [operand for operand in node.operands if operand.is_only(Kind.NDARRAY)]
        dtypes = {operand.dtype for operand in arrays}
        if row is not None and row.one_dtype and len(arrays) > 1 and (len(dtypes) > 1 or None in dtypes) and not _same_origin(arrays):
            draft.level, draft.reason = Level.MANUAL, "another caller gives it arrays whose dtypes may differ"


def _same_origin(values: list[object]) -> bool:
    return len({getattr(value, "nodes", None) for value in values}) == 1


def _use(interpreter: Interpreter, user: Node, node: Node, after: set[int], rewritten: dict[int, Draft], drafts: Drafts) -> None:
    """One use, outside the rewrites, of a value that becomes a tensor."""
    owners = [draft for draft in rewritten.values() if _feeds(interpreter.graph, draft, node.id)]
    if not owners or user.mode is not Mode.EAGER:
        return
    if user.code == "TGF102":
        _as_array(interpreter, user, after, owners, drafts)
    elif user.code in ("TGF108", "TGF109") and user.operands and user.operands[0].nodes & after and user.operands[0].is_only(Kind.NDARRAY):
        _refuse(owners, "an array that becomes a tensor is filled by item assignment elsewhere", user)
    elif user.code == "TGF113" and user.operands[0].is_only(Kind.NDARRAY):
        _refuse(owners, "an array that becomes a tensor is indexed by an array elsewhere", user)
    elif user.symbol == "" and node.value.is_only(Kind.NUMBER) and user.value.is_only(Kind.UNKNOWN):
        _refuse(owners, "a Python number that becomes a tensor is handed to a call that cannot be followed", user)


def _feeds(graph: Graph, draft: Draft, number: int) -> bool:
    behind = graph.backward({number}, lambda u, v, e: e is not Effect.CONTROL)
    return any(node in behind for node in draft.nodes) or any(graph[node].syntax is draft.syntax for node in behind)


def _as_array(interpreter: Interpreter, user: Node, after: set[int], owners: list[Draft], drafts: Drafts) -> None:
    """An array method on what is now a tensor: hand it the array."""
    receiver = user.operands[0]
    if receiver.is_only(TENSORS) or not receiver.nodes & after:
        return
    syntax = user.syntax.func.value if isinstance(user.syntax, ast.Call) and isinstance(user.syntax.func, ast.Attribute) else getattr(user.syntax, "value", None)
    if syntax is None or not receiver.nodes <= after:
        _refuse(owners, "what becomes a tensor on one way is an array on another", user)
        return
    for other in interpreter.graph.nodes:
        if other.syntax is user.syntax and other.code == "TGF102" and not other.operands[0].nodes <= after:
            _refuse(owners, "what becomes a tensor for one caller is an array for another", user)
            return
    for owner in owners:
        for event in owner.events:
            drafts.add(Draft("TGF120", syntax, user.module, user.symbol), event)


def _refuse(owners: list[Draft], reason: str, user: Node) -> None:
    line = getattr(user.syntax, "lineno", 0)
    for draft in owners:
        draft.level, draft.reason = Level.MANUAL, f"{reason}: line {line}"
