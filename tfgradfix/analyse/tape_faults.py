"""Drafts for tapes and sources that are set up so that nothing can arrive."""

from __future__ import annotations

import ast

from tfgradfix.analyse.breaks import Break
from tfgradfix.analyse.describe import source_name, steps
from tfgradfix.analyse.drafts import Draft, Drafts
from tfgradfix.analyse.events import Asked
from tfgradfix.analyse.graph import Node
from tfgradfix.analyse.integer_sources import judge_integer
from tfgradfix.analyse.interpret import Interpreter
from tfgradfix.analyse.modules import Module
from tfgradfix.analyse.objects import Tape
from tfgradfix.analyse.placement import Place, place_of, syntax_in
from tfgradfix.analyse.values import Kind
from tfgradfix.model import Level

LOOPS = (ast.For, ast.AsyncFor, ast.While)


def draft_tapes(interpreter: Interpreter, found: Break, event: int, drafts: Drafts) -> None:
    """Enter what is wrong with the tape of a gradient call, with its sources, and what it does not record."""
    tape = found.event.tape
    if tape is None:
        return
    for number, source in sorted(found.outside.items()):
        _outside(interpreter, found, tape, number, source, event, drafts)
    if found.event.again:
        drafts.add(Draft("TGF203", tape.call, tape.module), event)
    _unwatched(interpreter, found, tape, event, drafts)
    for source in sorted(found.integers):
        if found.event.asked is Asked.TAPE and interpreter.graph[source].value.is_only(Kind.TENSOR | Kind.VARIABLE):
            name = source_name(interpreter.graph, source)
            draft = Draft("TGF207", found.event.syntax, found.event.module, source=name)
            judge_integer(interpreter.graph, source, draft)
            drafts.add(draft, event)


def position(module: Module, node: ast.AST) -> str:
    """``row:column`` of a node, both from 1."""
    start = module.span(node).start
    return f"{start.row}:{start.column}"


def _outside(
    interpreter: Interpreter, found: Break, tape: Tape, number: int, source: int, event: int, drafts: Drafts
) -> None:
    """A value that the target is computed from, and that the tape does not record."""
    node = interpreter.graph[number]
    where = place_of(node, tape)
    facts = {"tape": tape.name or "", "with": position(tape.module, tape.block) if tape.block is not None else ""}
    draft = Draft(
        "TGF201",
        node.syntax,
        node.module,
        node.symbol,
        source_name(interpreter.graph, source),
        nodes={number},
        path=steps(found.paths, source, number),
        facts=facts,
    )
    call = syntax_in(found.event.syntax, found.event.context, tape.context)
    own = call is found.event.syntax
    if where.place is Place.ELSEWHERE or where.statement is None or tape.block is None or not own:
        draft.level, draft.reason = Level.MANUAL, "the tape's block is in another place than what it should record"
    elif where.place is Place.BEFORE:
        draft.code, draft.syntax, draft.module = "TGF202", where.statement, tape.module
    elif node.symbol == "tape.gradient":
        draft.code, draft.syntax, draft.module = "TGF206", where.statement, tape.module
    else:
        _after(draft, where.statement, found, tape)
    drafts.add(draft, event)


def _after(draft: Draft, statement: ast.stmt, found: Break, tape: Tape) -> None:
    """Computed after the block: in statements of its own, in a loop, or in the gradient call's argument."""
    draft.module = tape.module
    holds_call = any(inner is found.event.syntax for inner in ast.walk(statement))
    if not holds_call:
        draft.syntax, draft.facts["form"] = statement, "statements"
    elif isinstance(statement, LOOPS):
        draft.syntax, draft.facts["form"] = statement, "loop"
    else:
        draft.syntax, draft.facts["form"] = found.event.syntax, "argument"


def _unwatched(interpreter: Interpreter, found: Break, tape: Tape, event: int, drafts: Drafts) -> None:
    """Sources that the tape does not watch: variables whose watching is switched off, tensors never given to it."""
    graph = interpreter.graph
    variables = [n for n in found.unwatched if _is_variable(graph[n])]
    tensors = [n for n in found.unwatched if not _is_variable(graph[n])]
    if variables:
        name = source_name(graph, min(variables))
        drafts.add(Draft("TGF204", tape.call, tape.module, source=name), event)
        for call, value in tape.watches.items():
            if value.nodes and all(graph[number].symbol == "weights" for number in value.nodes):
                drafts.add(Draft("TGF204", call, tape.module, source=name, facts={"form": "watch"}), event)
    replaced = [n for n in tensors if _replaces(interpreter, found, n)]
    for number in replaced:
        statement = graph[number].module.statement(graph[number].syntax) or graph[number].syntax
        drafts.add(Draft("TGF208", statement, graph[number].module, source=source_name(graph, number)), event)
    tensors = [n for n in tensors if n not in replaced]
    if tensors and tape.block is not None:
        names = watched_names(interpreter, found, set(tensors))
        draft = Draft("TGF205", tape.block, tape.module, source=source_name(graph, min(tensors)))
        draft.facts = {"tape": tape.name or "", "source": ", ".join(names)}
        if (
            not names
            or tape.name is None
            or syntax_in(found.event.syntax, found.event.context, tape.context) is not found.event.syntax
        ):
            draft.level, draft.reason = Level.MANUAL, "the source has no plain name where the tape's block begins"
        drafts.add(draft, event)
        for call, source in found.late.items():
            if tape.watches[call].nodes <= found.unwatched:
                name = source_name(graph, source)
                drafts.add(Draft("TGF205", call, tape.module, source=name, facts={"form": "late"}), event)


def _replaces(interpreter: Interpreter, found: Break, number: int) -> bool:
    """Whether a tensor takes the place of a variable under the same name, as the loop turns."""
    for (_, context), nodes in interpreter.named.items():
        if (
            context == found.event.context.id
            and number in nodes
            and any(_is_variable(interpreter.graph[n]) for n in nodes)
        ):
            return True
    return False


def _is_variable(node: Node) -> bool:
    return node.symbol == "weights" or node.value.is_only(Kind.VARIABLE)


def watched_names(interpreter: Interpreter, found: Break, wanted: set[int]) -> list[str]:
    """The texts of the source expressions that have to be watched; empty when one of them has no plain name."""
    syntax = found.event.sources_syntax
    parts = syntax.elts if isinstance(syntax, (ast.List, ast.Tuple)) else [syntax]
    names: list[str] = []
    for part in parts:
        if part is None or not isinstance(part, (ast.Name, ast.Attribute)):
            return []
        nodes = interpreter.named.get((id(part), found.event.context.id), frozenset())
        if nodes & wanted:
            names.append(ast.unparse(part))
    return names
