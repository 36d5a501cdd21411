"""Drafts for memories of results: values that a model gave outside the tape, kept in a list and read inside of it.

REINFORCE remembers the log probability of each move and differentiates their sum when the episode is over. Inside the
tape they are numbers. What they were computed from is often kept beside them, and gives them again.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgradfix.analyse.breaks import Break
from tfgradfix.analyse.call_places import Function, Place
from tfgradfix.analyse.columns import Column, Columns
from tfgradfix.analyse.describe import source_name, steps
from tfgradfix.analyse.drafts import Draft, Drafts
from tfgradfix.analyse.graph import Node
from tfgradfix.analyse.interpret import Interpreter
from tfgradfix.analyse.memory_reads import MemoryRead, memory_read
from tfgradfix.analyse.objects import Tape
from tfgradfix.analyse.slices import NotWritableError, Writer


def draft_memories(interpreter: Interpreter, found: Break, event: int, drafts: Drafts) -> None:
    """Enter the reads of memories inside the tape; what was computed outside of it for them stays as it is."""
    tape = found.event.tape
    if tape is None or tape.block is None or not found.outside:
        return
    columns = Columns(interpreter.program)
    cut = [source for source in found.paths.sources if found.paths.cut(source)]
    entered = False
    for syntax, node in _reads(interpreter, found, tape) if cut else ():
        read = memory_read(columns, syntax, node.module)
        written = _written(columns, read) if read is not None else None
        if written is None:
            continue
        name, path = source_name(interpreter.graph, cut[0]), steps(found.paths, cut[0], node.id)
        drafts.add(Draft("TGF211", syntax, node.module, source=name, path=path, facts={"written": written}), event)
        entered = True
    if entered:
        _keep_outside(interpreter, found, tape)


def _reads(interpreter: Interpreter, found: Break, tape: Tape) -> Iterator[tuple[ast.expr, Node]]:
    """The names and attributes inside the tape that bring in what was computed outside."""
    graph = interpreter.graph
    for number in sorted(found.paths.relevant):
        node = graph[number]
        if tape not in node.tapes or not any(tape not in graph[before].tapes for before in node.incoming):
            continue
        for inner in ast.walk(node.syntax):
            if not isinstance(inner, (ast.Attribute, ast.Name)) or not isinstance(inner.ctx, ast.Load):
                continue
            if not isinstance(node.module.parent(inner), ast.Attribute):
                yield inner, node


def _keep_outside(interpreter: Interpreter, found: Break, tape: Tape) -> None:
    """Leave alone what happens outside the tape: it is computed again inside."""
    found.outside.clear()
    for number in [number for number in found.mended if tape not in interpreter.graph[number].tapes]:
        del found.mended[number]


def _written(columns: Columns, read: MemoryRead) -> str | None:
    """What computes the remembered values again where they are read, or None."""
    own = read.own.place
    waiting: list[tuple[Place, tuple[str, Function] | None]] = []
    if own.owner is read.reader.owner:
        waiting.append((own, None))
    if not isinstance(own.function, ast.Module):
        for caller, given in columns.calls(own.function):
            place = Place(own.module, own.function, own.statement, given)
            held = given["self"][0] if "self" in given else None
            if own.owner is read.reader.owner:
                waiting.append((place, (held.id, caller.function) if isinstance(held, ast.Name) else None))
            elif held is not None and ast.unparse(held) == read.prefix:
                waiting.append((place, None))
    for place, receiver in waiting:
        try:
            return _text(read, place, receiver)
        except NotWritableError:
            continue
    return None


def _text(read: MemoryRead, place: Place, receiver: tuple[str, Function] | None) -> str:
    """The values, each computed from what is remembered beside it."""
    kept = {
        (text if read.single else one.value.id): (one.value.id, _at(place, one))
        for text, one in read.beside.items()
        if isinstance(one.value, ast.Name)
    }
    texts = {one.value.id: text for text, one in read.beside.items() if isinstance(one.value, ast.Name)}
    used: dict[str, None] = {}
    value = ast.unparse(Writer(place, read.reader, kept, used, receiver).written(read.own.value))
    if not used:
        raise NotWritableError("nothing is remembered that it is computed from")
    if read.single:
        return value
    lists = [texts[name] for name in used]
    source = lists[0] if len(lists) == 1 else f"zip({', '.join(lists)})"
    return f"[{value} for {', '.join(used)} in {source}]"


def _at(place: Place, column: Column) -> Place:
    """Where a column grows, in the call that ``place`` is in."""
    return Place(place.module, place.function, column.place.statement, place.arguments)
