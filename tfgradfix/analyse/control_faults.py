"""Drafts for Python control flow on tensors: branches, booleans, and loops over a static tf.range.

AutoGraph converts control flow inside ``tf.function``, so branches there are left alone. Code that Keras calls is
not converted and fails. Eager branches work; they are rewritten only as part of a repair, and may be declined.
"""

from __future__ import annotations

import ast

from tfgradfix.analyse.binding import is_bound, is_private
from tfgradfix.analyse.branch_calls import (
    after_masks,
    is_tensor_test,
    is_to_be_rewritten,
    is_truth,
    risky_calls,
    test_calls,
)
from tfgradfix.analyse.breaks import Break
from tfgradfix.analyse.describe import kind_name
from tfgradfix.analyse.drafts import Draft, Drafts
from tfgradfix.analyse.events import Branch, Loop
from tfgradfix.analyse.facts import rows
from tfgradfix.analyse.graph import Effect, Graph, Mode
from tfgradfix.analyse.interpret import Interpreter
from tfgradfix.analyse.modules import Module
from tfgradfix.analyse.values import TENSORS, Kind, Value
from tfgradfix.model import Level


def draft_control(interpreter: Interpreter, found: Break, event: int, drafts: Drafts) -> None:
    """Enter the branches, booleans and loops of a gradient call that have to be rewritten."""
    after = after_masks(interpreter, found)
    claimed: set[int] = set()
    counters: set[int] = set()
    for loop in interpreter.loops.values():
        if _range(interpreter, loop, found, event, drafts):
            counters |= _counters(interpreter.graph, loop)
    for branch in interpreter.branches.values():
        if not is_to_be_rewritten(branch, found):
            continue
        if isinstance(branch.syntax, ast.If) and _is_elif(branch):
            continue
        if _depends_on(interpreter.graph, branch, counters):
            continue  # once the counter is a Python number this is a Python branch; the next round tells
        _branch(interpreter, branch, after, event, drafts, claimed)
    _booleans(interpreter, found, after, claimed, event, drafts)


# Branches ----------------------------------------------------------------------------------------------------------


def _branch(
    interpreter: Interpreter, branch: Branch, after: set[int], event: int, drafts: Drafts, claimed: set[int]
) -> None:
    chain = _chain(interpreter, branch)
    tests = [(syntax, value) for link in chain for syntax, value in link.tests]
    rewritten = [test_calls(interpreter.graph, value) for _, value in tests]
    tensor = [
        is_tensor_test(interpreter.graph, value, calls, after)
        for (_, value), calls in zip(tests, rewritten, strict=True)
    ]
    if not any(tensor):
        return
    code = "TGF301" if isinstance(branch.syntax, ast.If) else "TGF303"
    draft = Draft(code, branch.syntax, branch.module, facts=_branch_facts(chain, tensor, after))
    if branch.mode is Mode.EAGER:
        draft.part = _part(branch)
    if draft.facts.get("form") == "return":
        draft.facts["until"] = str(_last_row(branch))
    draft.nodes |= branch.results
    drafts.add(draft, event)
    for (syntax, _), calls, is_tensor in zip(tests, rewritten, tensor, strict=True):
        claimed |= {id(inner) for inner in ast.walk(syntax)}
        for number in calls if is_tensor else ():
            _call(interpreter.graph, number, after, event, drafts, branch)
    if isinstance(branch.syntax, ast.If) and branch.mode is Mode.EAGER and all(tensor):
        for number in risky_calls(interpreter.graph, branch, after):
            _call(interpreter.graph, number, after, event, drafts, branch)


def _call(graph: Graph, number: int, after: set[int], event: int, drafts: Drafts, branch: Branch) -> None:
    """A NumPy call in a branch or its test becomes TensorFlow's together with the branch."""
    from tfgradfix.analyse.describe import operand

    node = graph[number]
    row = rows.row(node.symbol)
    level = Level.SAFE if row is not None and row.forms else Level.MANUAL
    draft = Draft(
        node.code,
        node.syntax,
        node.module,
        node.symbol,
        "the target's sources",
        level,
        nodes={number},
        operands=tuple(operand(value, after | {number}, set(), frozenset()) for value in node.operands),
    )
    if branch.mode is Mode.EAGER:
        draft.part = _part(branch)
    drafts.add(draft, event)


def _last_row(branch: Branch) -> int:
    """The last row of the function that an early return leaves: what follows becomes its other branch."""
    current: ast.AST | None = branch.syntax
    while current is not None and not isinstance(current, (ast.FunctionDef, ast.AsyncFunctionDef)):
        current = branch.module.parent(current)
    return getattr(current, "end_lineno", None) or branch.syntax.lineno


def _part(branch: Branch) -> str:
    """An eager branch works on tensors as it stands, so the unit does not depend on its rewrite."""
    return f"/branch-{branch.syntax.lineno}-{branch.syntax.col_offset}"


def _is_elif(branch: Branch) -> bool:
    parent = branch.module.parent(branch.syntax)
    return (
        isinstance(parent, ast.If)
        and parent.orelse == [branch.syntax]
        and branch.syntax.col_offset == parent.col_offset
    )


def _chain(interpreter: Interpreter, branch: Branch) -> list[Branch]:
    """The branch and the elifs that belong to it."""
    chain = [branch]
    current = branch.syntax
    while isinstance(current, ast.If) and len(current.orelse) == 1 and isinstance(current.orelse[0], ast.If):
        current = current.orelse[0]
        following = interpreter.branches.get((id(current), branch.context.id))
        if following is None:
            break
        chain.append(following)
    return chain


def _branch_facts(chain: list[Branch], tensor: list[bool], after: set[int]) -> dict[str, str]:
    head = chain[0]
    facts = {"tests": ",".join("tensor" if is_tensor else "array-bool" for is_tensor in tensor)}
    if isinstance(head.syntax, ast.IfExp):
        facts["kinds"] = f"body={kind_name(head.before[''], after)},orelse={kind_name(head.after[''], after)}"
        return facts
    module, statement = head.module, head.syntax
    names = sorted({name for link in chain for name in link.after if not is_private(module, statement, name)})
    facts["names"] = ",".join(names)
    facts["form"] = "return" if any(link.returns for link in chain) else "assign"
    facts["kinds"] = ",".join(
        f"{name}={kind_name(head.before[name], after) if _is_bound(head, name) else 'unbound'}" for name in names
    )
    dtypes = {
        value.dtype
        for link in chain
        for value in link.after.values()
        if value.dtype and value.dtype.startswith(("float", "complex")) and value.dtype != "float"
    }
    if len(dtypes) == 1:
        facts["dtype"] = dtypes.pop()
    return facts


def _is_bound(branch: Branch, name: str) -> bool:
    """Whether a name has a value before a branch on every way, the first pass of a loop included."""
    return name in branch.before and is_bound(branch.module, branch.syntax, name)


def _is_truth(graph: Graph, operand: Value, after: set[int]) -> bool:
    """Whether an operand is a truth value in a tensor, or a Python one beside it."""
    if operand.is_only(TENSORS):
        return bool(operand.nodes) and is_truth(graph, operand)
    return operand.is_only(Kind.BOOL | Kind.NDARRAY) or (bool(operand.nodes) and operand.nodes <= after)


# Booleans ----------------------------------------------------------------------------------------------------------


def _booleans(
    interpreter: Interpreter, found: Break, after: set[int], claimed: set[int], event: int, drafts: Drafts
) -> None:
    """``and``, ``or``, ``not`` and chained comparisons on symbolic tensors that no converted test contains."""
    for number in sorted(found.paths.relevant):
        node = interpreter.graph[number]
        if node.mode is not Mode.SYMBOLIC or id(node.syntax) in claimed or not _is_boolean(node.syntax):
            continue
        tensors = [v for v in node.operands if v.is_only(TENSORS) or (v.nodes and v.nodes <= after)]
        if tensors and all(_is_truth(interpreter.graph, operand, after) for operand in node.operands):
            drafts.add(Draft("TGF304", node.syntax, node.module, nodes={number}), event)


def _is_boolean(syntax: ast.AST) -> bool:
    if isinstance(syntax, ast.Compare):
        return len(syntax.ops) > 1
    return isinstance(syntax, ast.BoolOp) or (isinstance(syntax, ast.UnaryOp) and isinstance(syntax.op, ast.Not))


# Loops -------------------------------------------------------------------------------------------------------------


def _counters(graph: Graph, loop: Loop) -> set[int]:
    """The nodes of a loop's counter."""
    return set(loop.iterable.nodes) | {
        following
        for number in loop.iterable.nodes
        for following in graph[number].outgoing
        if graph[following].symbol == "iterate"
    }


def _depends_on(graph: Graph, branch: Branch, counters: set[int]) -> bool:
    nodes = [number for _, value in branch.tests for number in value.nodes]
    return bool(counters & graph.backward(nodes, lambda u, v, e: e is not Effect.CONTROL))


def _range(interpreter: Interpreter, loop: Loop, found: Break, event: int, drafts: Drafts) -> bool:
    """A loop over ``tf.range`` that cannot work in a graph although its bound is static."""
    if loop.mode is Mode.EAGER or not loop.results & found.paths.relevant:
        return False
    if loop.mode is Mode.AUTOGRAPH and not _needs_python_counter(interpreter, loop):
        return False
    call = loop.syntax.iter
    if not isinstance(call, ast.Call):
        return False
    draft = Draft("TGF302", call, loop.module, "tensorflow.range")
    bound = _static_bound(interpreter, call, loop)
    if bound is None and loop.mode is Mode.AUTOGRAPH and not _uses_counter(interpreter, loop):
        return False  # only lists are in the way
    if bound is None:
        draft.level, draft.reason = Level.MANUAL, "its bound is a tensor, and the loop's body needs a Python number"
    elif bound:
        draft.facts["bound"] = bound
    drafts.add(draft, event)
    return draft.level is Level.SAFE


def _needs_python_counter(interpreter: Interpreter, loop: Loop) -> bool:
    """Whether the body appends to a list of outside or uses the counter as a key, which a graph loop cannot."""
    if not isinstance(loop.syntax, (ast.For, ast.AsyncFor)):
        return False
    appends = any(
        isinstance(inner, ast.Call)
        and isinstance(inner.func, ast.Attribute)
        and inner.func.attr in ("append", "extend")
        for inner in ast.walk(ast.Module(loop.syntax.body, []))
    )
    return appends or _uses_counter(interpreter, loop)


def _uses_counter(interpreter: Interpreter, loop: Loop) -> bool:
    """Whether the body uses the counter as a Python number."""
    if not isinstance(loop.syntax, (ast.For, ast.AsyncFor)):
        return False
    targets = {node.id for node in ast.walk(loop.syntax.target) if isinstance(node, ast.Name)}
    for inner in ast.walk(ast.Module(loop.syntax.body, [])):
        if isinstance(inner, ast.Subscript) and id(inner) in interpreter.tensor_keys:
            return True
        if isinstance(inner, ast.FormattedValue) and any(
            isinstance(n, ast.Name) and n.id in targets for n in ast.walk(inner)
        ):
            return True
    return False


def _static_bound(interpreter: Interpreter, call: ast.Call, loop: Loop) -> str | None:
    """Empty when the arguments are Python numbers as they stand, a replacement when one has to change, else None."""
    values = [value for node in loop.iterable.nodes for value in interpreter.graph[node].operands]
    if values and all(value.is_only(Kind.NUMBER) for value in values):
        return ""
    if len(call.args) != 1 or call.keywords or loop.mode is not Mode.AUTOGRAPH:
        return None
    return static_dimension(loop.module, call.args[0], _has_signature(loop))


def _has_signature(loop: Loop) -> bool:
    """Whether some traced function round the loop fixes its input signature, so that sizes may be unknown."""
    for context in loop.context.chain():
        function = context.function.node if context.function is not None else None
        for decorator in getattr(function, "decorator_list", []):
            if isinstance(decorator, ast.Call) and any(
                k.arg in ("input_signature", "reduce_retracing") for k in decorator.keywords
            ):
                return True
    return False


def static_dimension(module: Module, syntax: ast.expr, signature: bool) -> str | None:
    """``tf.shape(x)[k]`` as ``x.shape[k]``, where the traced shape is static."""
    if signature or not isinstance(syntax, ast.Subscript) or not isinstance(syntax.value, ast.Call):
        return None
    call = syntax.value
    if not isinstance(call.func, ast.Attribute) or call.func.attr != "shape" or len(call.args) != 1 or call.keywords:
        return None
    if not isinstance(call.args[0], (ast.Name, ast.Attribute)) or not isinstance(syntax.slice, ast.Constant):
        return None
    return f"{ast.unparse(call.args[0])}.shape[{ast.unparse(syntax.slice)}]"
