"""Drafts for values that leave TensorFlow: NumPy calls, array methods, detachments, conversions."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.array_origins import FILL
from tfgradfix.analyse.breaks import Break, tensors_after
from tfgradfix.analyse.describe import operand, source_name, steps
from tfgradfix.analyse.drafts import Draft, Drafts
from tfgradfix.analyse.facts import rows
from tfgradfix.analyse.facts.codes import CODES
from tfgradfix.analyse.fill_facts import index_kinds
from tfgradfix.analyse.fills import Fills, arrays_filled
from tfgradfix.analyse.function_values import draft_function_value, is_called_by_another_name
from tfgradfix.analyse.graph import Effect, Graph, Node
from tfgradfix.analyse.interpret import Interpreter
from tfgradfix.analyse.objects import Function, LibraryName, elements_of, holds_tensors
from tfgradfix.analyse.untaken import untaken_risk
from tfgradfix.analyse.values import TENSORS, Kind, Value
from tfgradfix.model import Extent, Level

#: Functions that pack their list argument into one array.
PACKING: Final = frozenset({"numpy.array", "numpy.asarray", "numpy.asanyarray"})
CONVERTING: Final = frozenset(
    {"builtins.float", "builtins.int", "builtins.complex", "builtins.bool", "ndarray.item", "ndarray.tolist"}
)


def draft_values(interpreter: Interpreter, found: Break, event: int, drafts: Drafts) -> None:
    """Enter every place of a broken gradient call at which a value has to stay in TensorFlow."""
    mended = set(found.mended) | found.symbolic
    made = arrays_filled(interpreter.graph, mended)
    after = tensors_after(interpreter.graph, mended | made)
    on_path = set(found.paths.relevant)
    for number, source in sorted(found.mended.items()):
        _enter(interpreter, found, number, source, after, on_path, event, drafts, Extent.WHOLE)
    for number in sorted(found.symbolic):
        _enter(interpreter, found, number, None, after, on_path, event, drafts, Extent.WHOLE)
    for number, source in sorted(found.partial.items()):
        if number not in mended:
            _enter(interpreter, found, number, source, after, on_path, event, drafts, Extent.PARTIAL)


def _enter(
    interpreter: Interpreter,
    found: Break,
    number: int,
    source: int | None,
    after: set[int],
    on_path: set[int],
    event: int,
    drafts: Drafts,
    extent: Extent,
) -> None:
    graph = interpreter.graph
    node = graph[number]
    if not node.code:
        return
    code, symbol = _code(graph, node), node.symbol
    level, reason = _level(node, code, found)
    if code == "TGF112" and number in interpreter.assigned:
        level, reason = Level.MANUAL, "it is assigned to later, which a tensor cannot be"
    on_purpose = source is None and _detaches_weights(graph, node)
    if on_purpose and code != "TGF103" and interpreter.graph_ready:
        level, reason = Level.MANUAL, "a value that weights give is taken out by hand; tf.stop_gradient says the same"
    risk = untaken_risk(graph, node) if level is Level.SAFE else None
    if risk is not None:
        level, reason = Level.MANUAL, risk
    if extent is Extent.PARTIAL and level is Level.SAFE and not _is_certain(node, found):
        level = Level.UNSAFE
    if symbol == FILL:
        cuts = set(found.mended) | found.symbolic
        _enter_fills(
            Fills(interpreter, node, cuts, after, on_path), found, source, level, reason, extent, event, drafts
        )
        return
    draft = Draft(
        code,
        node.syntax,
        node.module,
        symbol,
        source_name(graph, source) if source is not None else "the target's sources",
        level,
        extent,
        reason,
        {number},
        tuple(operand(value, after, on_path, interpreter.flow(value)) for value in node.operands),
        steps(found.paths, source, number) if source is not None else (),
        {"index": index_kinds(node)} if code == "TGF113" else {"form": "stopped"} if on_purpose else {},
    )
    by_value = is_called_by_another_name(interpreter, node)
    for entered in draft_function_value(interpreter, draft, after) if by_value else [draft]:
        drafts.add(entered, event)


def _enter_fills(
    fills: Fills,
    found: Break,
    source: int | None,
    level: Level,
    reason: str,
    extent: Extent,
    event: int,
    drafts: Drafts,
) -> None:
    """Enter the item assignments that belong together; without them a tensor fails, so that none is partial."""
    start, graph = fills.start, fills.graph
    if start.code == "TGF109":
        extent = Extent.WHOLE
    for draft in fills.drafts():
        draft.extent = extent
        if draft.level is not Level.MANUAL:
            draft.level, draft.reason = level, reason or draft.reason
        if source is not None:
            draft.source = source_name(graph, source)
            draft.path = steps(found.paths, source, start.id) if start.id in draft.nodes else ()
        drafts.add(draft, event)


def _detaches_weights(graph: Graph, node: Node) -> bool:
    """Whether the author took out what weights give, beside the path: a target network, a teacher, a baseline."""
    if Effect.DETACH not in node.incoming.values():
        return False
    behind = graph.backward({node.id}, lambda u, v, e: e is not Effect.CONTROL)
    return any(graph[number].value.is_only(Kind.VARIABLE) for number in behind)


def _is_certain(node: Node, found: Break) -> bool:
    """Whether a partial cut is as certain as a whole one: a lost term, or NumPy's doing without the author's word."""
    silent = node.code == "TGF112" and Effect.NUMPY in node.incoming.values()
    return silent or node.id in found.lost or node.code in ("TGF101", "TGF102", "TGF106", "TGF108", "TGF109")


def _unknown_library(found: Break, node: Node) -> str | None:
    """A library function inside of a `tf.numpy_function` of which nothing is known, if what it gives comes out."""
    graph = found.paths.graph
    behind = graph.backward({node.id}, lambda u, v, e: e is not Effect.CONTROL)
    inside = [graph[n] for n in sorted(behind) if any(c.call is node.syntax for c in graph[n].context.chain())]
    for called in inside:
        for ref in called.operands[0].refs if called.symbol == "" and called.operands else ():
            if isinstance(ref, LibraryName) and not ref.label.startswith(("tensorflow.", "keras.")):
                return ref.label
    return None


def _is_batch(value: Value) -> bool:
    return value.is_only(TENSORS | Kind.NDARRAY)


def _code(graph: Graph, node: Node) -> str:
    """The code of the finding, as the operands show it."""
    if node.symbol in PACKING and node.operands:
        first = node.operands[0]
        if first.is_only(Kind.LIST | Kind.TUPLE) and elements_of(first):
            return "TGF107"
    if node.symbol in CONVERTING or node.symbol.startswith("numpy.float"):
        return "TGF104"
    return node.code


def _level(node: Node, code: str, found: Break) -> tuple[Level, str]:
    """Whether the place can be rewritten, and if not, why."""
    if found.why_not:
        return Level.MANUAL, found.why_not
    level = CODES[code].level
    row = rows.row(node.symbol)
    if code in ("TGF101", "TGF102", "TGF105", "TGF106") and (row is None or not row.forms):
        return Level.MANUAL, row.reason if row is not None else "it is not in the table"
    flat = node.symbol == "ndarray.tolist" and node.operands[0].rank == 1
    if code == "TGF104" and node.symbol in ("builtins.int", "builtins.bool", "ndarray.tolist") and not flat:
        return Level.MANUAL, "it rounds or unpacks; there is no tensor of the same meaning"
    if code == "TGF110" and not any(isinstance(ref, Function) for ref in node.operands[0].refs):
        return Level.MANUAL, "its function is not in the program"
    unknown = _unknown_library(found, node) if code == "TGF110" else None
    if unknown is not None:
        return Level.MANUAL, f"its function calls {unknown}, which is not known to work on tensors"
    if (
        code == "TGF111"
        and node.symbol.startswith("model.")
        and not all(_is_batch(value) for value in node.operands[:1])
    ):
        return Level.MANUAL, "what it is called on may not be one batch"
    if code == "TGF112" and not any(value.is_only(TENSORS) or holds_tensors(value) for value in node.operands):
        return Level.MANUAL, ""
    return level, ""
