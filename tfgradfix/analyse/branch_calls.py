"""What branches are made of: which tests are tensors, and which NumPy calls go with a branch that becomes a mask."""

from __future__ import annotations

import ast
from typing import Final

from tfgradfix.analyse.breaks import Break, tensors_after
from tfgradfix.analyse.events import Branch
from tfgradfix.analyse.graph import Effect, Graph, Mode, Node
from tfgradfix.analyse.interpret import Interpreter
from tfgradfix.analyse.values import NUMBERS, TENSORS, Kind, Value

#: Functions that may not be finite where a branch is not taken: only TensorFlow's can be guarded there.
RISKY: Final = frozenset(
    f"numpy.{name}" for name in ("arccos", "arcsin", "log", "log10", "log1p", "log2", "power", "reciprocal", "sqrt")
)


def after_masks(interpreter: Interpreter, found: Break) -> set[int]:
    """The nodes that hold a tensor after the repair, those included that branches on tensors leave behind."""
    rewritten = set(found.mended) | found.symbolic
    while True:
        after = tensors_after(interpreter.graph, rewritten)
        masked = {
            result
            for branch in interpreter.branches.values()
            if is_to_be_rewritten(branch, found)
            and any(
                is_tensor_test(interpreter.graph, value, test_calls(interpreter.graph, value), after)
                for _, value in branch.tests
            )
            for result in branch.results
        }
        if masked <= rewritten:
            return after
        rewritten |= masked


def is_to_be_rewritten(branch: Branch, found: Break) -> bool:
    """Whether a branch is in the way of a gradient call, or in code that is being repaired anyway."""
    if branch.mode is Mode.AUTOGRAPH or not branch.results & found.paths.relevant:
        return False
    return branch.mode is Mode.SYMBOLIC or found.broken


def test_calls(graph: Graph, test: Value) -> list[int]:
    """The NumPy calls that make a test out of tensors, without an explicit detachment on the way."""
    found: list[int] = []
    seen: set[int] = set()
    pending = list(test.nodes)
    while pending:
        number = pending.pop()
        node = graph[number]
        if number in seen or node.value.is_only(TENSORS):
            continue
        seen.add(number)
        if Effect.DETACH in node.incoming.values():
            return []
        if node.code in ("TGF101", "TGF102"):
            found.append(number)
        pending += [origin for origin, effect in node.incoming.items() if effect is not Effect.CONTROL]
    touches = any(graph[origin].value.is_only(TENSORS) for number in seen for origin in graph[number].incoming)
    return sorted(found) if touches else []


def is_tensor_test(graph: Graph, value: Value, calls: list[int], after: set[int]) -> bool:
    """Whether a test is, or becomes, a tensor; ``and``, ``or``, ``not`` are when one of their operands is."""
    if value.is_only(TENSORS) and value.nodes:
        return is_truth(graph, value)
    for number in value.nodes:
        node = graph[number]
        if node.symbol in ("operator.and", "operator.or", "operator.not"):
            return any(is_tensor_test(graph, operand, test_calls(graph, operand), after) for operand in node.operands)
    # What may be anything (a string compared with a name) is no tensor for certain.
    return bool(calls) or (bool(value.nodes) and value.nodes <= after and not value.may_be(Kind.UNKNOWN))


def is_truth(graph: Graph, value: Value) -> bool:
    """Whether a tensor is made to be asked: by a comparison, or by a computation.

    What a layer is given may be a list or dict of tensors as well, and then the test asks whether there are any.
    """
    return value.dtype == "bool" or all(
        graph[number].symbol.startswith(("tensorflow.", "operator.", "numpy.", "keras.")) for number in value.nodes
    )


def risky_calls(graph: Graph, branch: Branch, after: set[int]) -> list[int]:
    """The NumPy calls on tensors in a branch that have to be guarded, where their values meet tensors and numbers."""
    test = {id(node) for node in ast.walk(branch.syntax.test)}
    inside = {id(node) for node in ast.walk(branch.syntax)} - test
    return sorted(
        node.id
        for node in graph.nodes
        if node.symbol in RISKY
        and node.context is branch.context
        and id(node.syntax) in inside
        and all(_is_tensor_or_number(value, after) for value in node.operands)
        and any(not value.is_only(NUMBERS) for value in node.operands)
        and _meets_tensors(graph, node, branch, after | {node.id})
    )


def _meets_tensors(graph: Graph, node: Node, branch: Branch, after: set[int]) -> bool:
    """Whether all that a value is put together with, up to the end of the branch, takes a tensor as well."""
    seen = {node.id}
    pending = [node.id]
    while pending:
        for number in graph[pending.pop()].outgoing:
            use = graph[number]
            if number in seen or number in branch.results or use.incoming.keys() & seen == set():
                continue
            known = after | seen
            if not use.symbol.startswith("operator.") or not all(
                _is_tensor_or_number(value, known) for value in use.operands
            ):
                return False
            seen.add(number)
            pending.append(number)
    return True


def _is_tensor_or_number(value: Value, after: set[int]) -> bool:
    if value.is_only(NUMBERS) or value.is_only(TENSORS):
        return True
    return bool(value.nodes) and value.nodes <= after
