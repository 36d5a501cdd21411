"""A helper that serves data and the gradient path alike: the path gets a copy of its own.

This round only copies the function and lets the calls on the path go to the copy, which changes nothing; in the next
round the copy has callers with tensors only and is rewritten like any other function.
"""

from __future__ import annotations

import ast

from tfgradfix.analyse.drafts import Draft, Drafts
from tfgradfix.analyse.interpret import Interpreter
from tfgradfix.analyse.modules import Module
from tfgradfix.analyse.objects import Function
from tfgradfix.analyse.scopes import Context

SUFFIX = "_tensor"


def draft_twin(interpreter: Interpreter, drafts: Drafts, draft: Draft, data: int) -> bool:
    """Enter the copy of the helper that ``draft`` (on the path) and the node ``data`` have in common.

    Returns whether that can be done: the helper is a named function, and its calls on the path say its name.
    """
    contexts = [interpreter.graph[node].context for node in draft.nodes]
    links = [_shared_call(context, interpreter.graph[data].context) for context in contexts]
    if not links or any(link is None for link in links):
        return False
    planned = [_plan(interpreter, link) for link in links if link is not None]
    if any(plan is None for plan in planned):
        return False
    for event in draft.events:
        for plan in planned:
            for part in plan or ():
                drafts.add(Draft("TGF130", part.syntax, part.module, part.symbol, facts=dict(part.facts)), event)
    return True


def _shared_call(path: Context, data: Context) -> Context | None:
    """The outermost call on the path to a function that the data side calls too, from somewhere else."""
    common = {context.id for context in data.chain()}
    functions = {id(context.function.node) for context in data.chain() if context.function is not None}
    own = [context for context in path.chain() if context.id not in common]
    shared = [context for context in own if context.function is not None and id(context.function.node) in functions]
    return shared[-1] if shared else None


def _plan(interpreter: Interpreter, link: Context) -> list[Draft] | None:
    """The edits for one call: the copy, the call's new name, and the import of it where that is needed."""
    function, call = link.function, link.call
    if function is None or not isinstance(function.node, ast.FunctionDef) or not isinstance(call, ast.Call):
        return None
    caller = link.parent.function.module if link.parent is not None and link.parent.function is not None else None
    caller = caller or _module_of(interpreter, call)
    if caller is None:
        return None
    handed = _handed_on(function, caller, call)
    named: ast.expr = handed or call.func
    written = named.id if isinstance(named, ast.Name) else named.attr if isinstance(named, ast.Attribute) else None
    if written is None or not _is_definition(function, written, caller, named):
        return None
    name, local = function.node.name + SUFFIX, written + SUFFIX
    if _uses(function.module, name) or _uses(caller, local):
        return None
    symbol = function.node.name
    plan = [
        Draft("TGF130", function.node, function.module, symbol, facts={"role": "definition", "name": name}),
        Draft("TGF130", handed or call, caller, symbol, facts={"role": "call", "name": local}),
    ]
    if caller is not function.module and isinstance(named, ast.Name):
        statement = _import_of(caller, written)
        if statement is None:
            return None
        plan.append(Draft("TGF130", statement, caller, symbol, facts={"role": "import", f"import:{written}": "yes"}))
    return plan


def _handed_on(function: Function, caller: Module, call: ast.Call) -> ast.Name | None:
    """The argument by which a function is handed to what calls it (`tf.numpy_function(f, ...)`)."""
    for argument in call.args:
        if isinstance(argument, ast.Name) and _is_definition(function, argument.id, caller, argument):
            return argument
    return None


def _is_definition(function: Function, written: str, caller: Module, named: ast.expr) -> bool:
    """Whether a name is the function's own, or that of an import which says so."""
    if written == function.node.name:  # type: ignore[union-attr]
        return True
    return caller is not function.module and isinstance(named, ast.Name) and _import_of(caller, written) is not None


def _import_of(module: Module, name: str) -> ast.ImportFrom | None:
    for statement in module.tree.body:
        if isinstance(statement, ast.ImportFrom) and any(
            (alias.asname or alias.name) == name for alias in statement.names
        ):
            return statement
    return None


def _uses(module: Module, name: str) -> bool:
    """Whether a name stands anywhere in a module."""
    return any(
        getattr(node, "id", None) == name or getattr(node, "attr", None) == name or getattr(node, "name", None) == name
        for node in ast.walk(module.tree)
    )


def _module_of(interpreter: Interpreter, call: ast.AST) -> Module | None:
    for module in interpreter.program.modules.values():
        if any(node is call for node in ast.walk(module.tree)):
            return module
    return None
