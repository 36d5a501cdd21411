"""Drafts for lists that grow in a loop of the graph: what is appended there cannot be reached from outside."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfgradfix.analyse.breaks import Break
from tfgradfix.analyse.drafts import Draft, Drafts
from tfgradfix.analyse.interpret import Interpreter
from tfgradfix.analyse.modules import Module
from tfgradfix.model import Level

GraphLoop = ast.For | ast.AsyncFor | ast.While


def draft_graph_lists(interpreter: Interpreter, found: Break, event: int, drafts: Drafts) -> None:
    """Enter the loops of traced functions that append to a list of outside and lead to the target."""
    static = {id(draft.syntax) for draft in drafts if draft.code == "TGF302" and draft.level is Level.SAFE}
    for loop, module, results in interpreter.graph_loops.values():
        if not results & found.paths.relevant or id(getattr(loop, "iter", None)) in static:
            continue
        made = {call: _made_outside(module, loop, call) for call in _appends(loop)}
        appends = [call for call, statement in made.items() if statement is not None]
        function = _function(module, loop)
        if not appends or function is None:
            continue
        draft = Draft("TGF305", loop, module)
        lists: dict[str, set[str | None]] = {}
        for call in appends:
            lists.setdefault(_name(call), set()).add(_dtype(interpreter, call))
        if any(len(dtypes) != 1 or None in dtypes for dtypes in lists.values()):
            draft.level, draft.reason = Level.MANUAL, "the dtype of what it appends is not known"
        draft.facts = {"lists": ",".join(f"{name}:{next(iter(dtypes))}" for name, dtypes in sorted(lists.items()))}
        draft.facts["until"] = str(function.end_lineno or loop.lineno)
        draft.facts["also"] = ",".join(sorted({str(statement.lineno) for statement in made.values() if statement}))
        drafts.add(draft, event)


def _appends(loop: GraphLoop) -> Iterator[ast.Call]:
    """The calls of ``name.append(item)`` in a loop."""
    for node in ast.walk(ast.Module(loop.body, [])):
        if isinstance(node, ast.Call) and len(node.args) == 1 and _name(node) and node.func.attr == "append":  # type: ignore[attr-defined]
            yield node


def _name(call: ast.Call) -> str:
    return call.func.value.id if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) else ""


def _function(module: Module, node: ast.AST) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    outer: ast.AST | None = node
    while outer is not None and not isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef)):
        outer = module.parent(outer)
    return outer


def _made_outside(module: Module, loop: GraphLoop, call: ast.Call) -> ast.Assign | None:
    """The ``name = []`` in the same function, outside of the loop, that makes the list."""
    function = _function(module, loop)
    inside = {id(node) for node in ast.walk(loop)}
    for node in ast.walk(function) if function is not None else ():
        if isinstance(node, ast.Assign) and id(node) not in inside and isinstance(node.value, ast.List):
            named = any(isinstance(target, ast.Name) and target.id == _name(call) for target in node.targets)
            if named and not node.value.elts:
                return node
    return None


def _dtype(interpreter: Interpreter, call: ast.Call) -> str | None:
    value = interpreter.appended.get(id(call))
    dtype = value.dtype if value is not None and not value.refs else None
    return {"float": "float32", "int": "int32", "complex": "complex128"}.get(dtype or "", dtype)
