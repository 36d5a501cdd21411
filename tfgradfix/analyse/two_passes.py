"""Drafts for a gradient between two forward passes: the maps come from one call of a model, the score from another."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from tfgradfix.analyse.breaks import Break
from tfgradfix.analyse.describe import source_name
from tfgradfix.analyse.drafts import Draft, Drafts
from tfgradfix.analyse.graph import Node
from tfgradfix.analyse.interpret import Interpreter
from tfgradfix.analyse.modules import Module
from tfgradfix.analyse.objects import LibraryInstance
from tfgradfix.model import Level


@dataclass(frozen=True)
class Pass:
    """``name = model(x, ...)``, a statement of its own."""

    statement: ast.Assign
    name: str
    model: str
    call: ast.Call


def draft_two_passes(interpreter: Interpreter, found: Break, event: int, drafts: Drafts) -> None:
    """Enter sources that one part of a model gives, where the target comes from another call of the whole model."""
    tape = found.event.tape
    if tape is None or tape.block is None:
        return
    for source in found.paths.sources:
        part = _part(interpreter, source)
        if part is None or found.paths.connected(source):
            continue
        whole = _whole_call(interpreter, found, source, part)
        if whole is None:
            continue
        node = interpreter.graph[source]
        name = source_name(interpreter.graph, source)
        first, second = _pass(node, tape.block.body), _pass(whole, tape.block.body)
        written = _together(part, first, second) if first is not None and second is not None else None
        if first is None or second is None or written is None:
            reason = "the two calls are not statements of their own on the same input"
            drafts.add(Draft("TGF210", node.syntax, node.module, source=name, level=Level.MANUAL, reason=reason), event)
            continue
        drafts.add(Draft("TGF210", first.statement, node.module, source=name, facts={"statement": written}), event)
        drafts.add(Draft("TGF210", second.statement, whole.module, source=name, facts={"statement": ""}), event)


def _part(interpreter: Interpreter, source: int) -> LibraryInstance | None:
    """The model made of a part of another whose call gives a source."""
    called = interpreter.model_calls.get(source, frozenset())
    parts = [ref for ref in called if isinstance(ref, LibraryInstance) and ref.part_of]
    return parts[0] if len(called) == 1 and parts else None


def _whole_call(interpreter: Interpreter, found: Break, source: int, part: LibraryInstance) -> Node | None:
    """The one call of the whole model, on the same input, that the target comes from."""
    given = interpreter.graph[source].operands[:1]
    calls = [
        interpreter.graph[number]
        for number, called in interpreter.model_calls.items()
        if called & part.part_of and number in found.paths.relevant and number != source
    ]
    same = [node for node in calls if given and any(operand.nodes == given[0].nodes for operand in node.operands)]
    return same[0] if len(same) == 1 else None


def _pass(node: Node, block: list[ast.stmt]) -> Pass | None:
    """A call as a statement of the block."""
    for statement in block:
        if isinstance(statement, ast.Assign) and statement.value is node.syntax and isinstance(node.syntax, ast.Call):
            target = statement.targets[0]
            plain = len(node.syntax.args) == 1 and len(statement.targets) == 1 and isinstance(target, ast.Name)
            if plain and isinstance(target, ast.Name):
                return Pass(statement, target.id, ast.unparse(node.syntax.func), node.syntax)
    return None


def _together(part: LibraryInstance, first: Pass, second: Pass) -> str | None:
    """One call that gives both, or None where the second cannot be made at the place of the first."""
    module: Module | None = part.origin[1] if part.origin is not None else None
    made = part.origin[0] if part.origin is not None else None
    given, other = ast.unparse(first.call.args[0]), ast.unparse(second.call.args[0])
    if first.statement.lineno > second.statement.lineno or given != other or module is None:
        return None
    if not isinstance(made, ast.Call) or not isinstance(first.call.args[0], (ast.Name, ast.Attribute)):
        return None
    options = [ast.unparse(keyword) for keyword in (second.call.keywords or first.call.keywords)]
    model = f"{ast.unparse(made.func)}({second.model}.inputs, [{first.model}.output, {second.model}.output])"
    return f"{first.name}, {second.name} = {model}({', '.join([given, *options])})"
