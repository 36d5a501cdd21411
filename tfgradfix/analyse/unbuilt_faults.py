"""Drafts for lists of weights that are taken before the model has made them, and handed to a gradient call later."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import Final

from tfgradfix.analyse.breaks import Break
from tfgradfix.analyse.drafts import Draft, Drafts
from tfgradfix.analyse.events import Asked
from tfgradfix.analyse.interpret import Interpreter
from tfgradfix.analyse.modules import Module
from tfgradfix.analyse.placement import syntax_in
from tfgradfix.model import Level

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)


def draft_unbuilt(interpreter: Interpreter, found: Break, event: int, drafts: Drafts) -> None:
    """Enter the list of a gradient call's sources, where it was taken before the model was built."""
    early = interpreter.building.early()
    sources, tape = found.event.sources_syntax, found.event.tape
    if not early or found.event.asked is not Asked.TAPE or tape is None or tape.block is None:
        return
    assignment = _assignment(found.event.module, sources) if sources is not None else None
    if sources is None or assignment is None or not any(id(node) in early for node in ast.walk(assignment.value)):
        return
    draft = Draft("TGF209", tape.block, tape.module, source=ast.unparse(sources))
    renewed = _renewed(found.event.module, assignment, sources)
    here = syntax_in(found.event.syntax, found.event.context, tape.context) is found.event.syntax
    if any(node is found.event.syntax for node in ast.walk(tape.block)):
        draft.level, draft.reason = Level.MANUAL, "the gradient is asked for inside the tape's block"
    elif renewed is None or not here:
        draft.level = Level.MANUAL
        draft.reason = "what the list is made of has no name where the gradient is asked for"
    else:
        draft.facts = {"statement": f"{ast.unparse(sources)} = {renewed}"}
    drafts.add(draft, event)


def _assignment(module: Module, sources: ast.expr) -> ast.Assign | None:
    """The one statement that gives the list its name."""
    if isinstance(sources, ast.Name):
        same = [node for node in _own(_scope(module, sources)) if _binds(node, sources)]
    elif isinstance(sources, ast.Attribute) and isinstance(sources.value, ast.Name):
        owner = module.parent(_scope(module, sources))
        if not isinstance(owner, ast.ClassDef):
            return None
        same = [node for node in ast.walk(owner) if _binds(node, sources)]
    else:
        return None
    return same[0] if len(same) == 1 and isinstance(same[0], ast.Assign) and len(same[0].targets) == 1 else None


def _scope(module: Module, node: ast.AST) -> ast.AST:
    current: ast.AST | None = node
    while current is not None and not isinstance(current, _FUNCTIONS):
        current = module.parent(current)
    return current or module.tree


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope, without those of functions in it."""
    pending = list(ast.iter_child_nodes(scope))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (*_FUNCTIONS, ast.Lambda, ast.ClassDef)):
            pending += ast.iter_child_nodes(node)


def _binds(node: ast.AST, name: ast.expr) -> bool:
    """Whether a statement (or loop, or argument) gives a value to the name."""
    if isinstance(node, ast.Assign):
        return any(ast.unparse(target) == ast.unparse(name) for target in node.targets)
    if isinstance(node, ast.arg):
        return isinstance(name, ast.Name) and node.arg == name.id
    if isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.NamedExpr, ast.For, ast.comprehension)):
        return ast.unparse(node.target) == ast.unparse(name)
    return False


def _renewed(module: Module, assignment: ast.Assign, sources: ast.expr) -> str | None:
    """The list's expression as it can be written where the gradient is asked for, or None."""
    there, here = _scope(module, assignment), _scope(module, sources)
    if there is here:
        return _text(module, assignment.value)
    if not isinstance(there, _FUNCTIONS) or not isinstance(here, _FUNCTIONS):
        return None
    kept = _kept_as_attributes(there)
    receiver = here.args.args[0].arg if here.args.args else ""
    names: dict[str, str] = {}
    for node in ast.walk(assignment.value):
        if not isinstance(node, ast.Name):
            continue
        if there.args.args and node.id == there.args.args[0].arg:
            names[node.id] = receiver
        elif node.id in kept:
            names[node.id] = f"{receiver}.{kept[node.id]}"
        elif not _is_global(module, there, node.id):
            return None
    return _renamed(module, assignment.value, names)


def _kept_as_attributes(function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, str]:
    """Parameters of a method that it keeps unchanged: ``self.backbone = backbone``."""
    parameters = {argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)}
    stored = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return {
        node.value.id: node.targets[0].attr
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Name)
        and node.value.id in parameters - stored
        and len(node.targets) == 1
        and isinstance(node.targets[0], ast.Attribute)
        and isinstance(node.targets[0].value, ast.Name)
        and node.targets[0].value.id == function.args.args[0].arg
    }


def _is_global(module: Module, function: ast.AST, name: str) -> bool:
    """Whether a name that a function reads is the module's or Python's."""
    local = {
        node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    } | {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    return name not in local and (hasattr(builtins, name) or module.parent(function) is not module.tree)


def _text(module: Module, expression: ast.expr) -> str:
    """The text of an expression, on one line."""
    text = ast.get_source_segment(module.text, expression) or ""
    return text if text and "\n" not in text else ast.unparse(expression)


def _renamed(module: Module, expression: ast.expr, names: dict[str, str]) -> str:
    """The text of an expression with other expressions in the place of names."""
    text = _text(module, expression)
    tree = ast.parse(text, mode="eval").body
    read = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in names]
    written = text.encode()
    for node in sorted(read, key=lambda node: -node.col_offset):
        written = written[: node.col_offset] + names[node.id].encode() + written[node.end_col_offset :]
    return written.decode()
