"""Sources of an integer dtype: which of them may be made floats where they are created."""

from __future__ import annotations

import ast
from typing import Final

from tfgradfix.analyse.drafts import Draft
from tfgradfix.analyse.graph import Graph, Node
from tfgradfix.analyse.values import NUMBERS
from tfgradfix.model import Level

_CREATED: Final = frozenset({"tensorflow.Variable", "tensorflow.constant", "tensorflow.convert_to_tensor"})
#: Uses that take the number as it is, whatever its dtype.
_SHOWN: Final = frozenset({"tensor.numpy", "builtins.float", "numpy.asarray", "numpy.array"})
_ARITHMETIC: Final = frozenset(f"operator.{name}" for name in ("Add", "Sub", "Mult", "Pow", "USub", "UAdd")) | {
    "tensorflow.square",
    "tensorflow.reduce_sum",
    "tensorflow.multiply",
    "tensorflow.add",
    "tensorflow.subtract",
}


def judge_integer(graph: Graph, number: int, draft: Draft) -> None:
    """Give the draft of an integer source its level, and the place and dtype of the repair if there is one."""
    node = graph[number]
    draft.level = Level.MANUAL
    if node.symbol not in _CREATED or not isinstance(node.syntax, ast.Call) or not _is_literal(node.syntax):
        return
    dtypes = _float_dtypes(graph, node)
    if dtypes is None or len(dtypes) > 1:
        return
    draft.syntax, draft.module = node.syntax, node.module
    draft.level = Level.SAFE if dtypes else Level.UNSAFE
    draft.facts["dtype"] = next(iter(dtypes), "float32")


def _is_literal(call: ast.Call) -> bool:
    """Whether a variable or constant is made of Python integers, without a dtype."""
    if len(call.args) != 1 or any(keyword.arg in ("dtype", "shape", None) for keyword in call.keywords):
        return False
    value = call.args[0]
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult) and isinstance(value.left, ast.List):
        value = value.left
    literals = [node for node in ast.walk(value) if not isinstance(node, (ast.expr_context, ast.unaryop))]
    return all(
        isinstance(node, (ast.List, ast.Tuple, ast.UnaryOp))
        or (isinstance(node, ast.Constant) and type(node.value) is int)
        for node in literals
    )


def _float_dtypes(graph: Graph, node: Node) -> set[str] | None:
    """The float dtypes that every use of an integer is cast to; None when some use may need the integer."""
    dtypes: set[str] = set()
    pending, seen = [node.id], {node.id}
    while pending:
        for use in (graph[number] for number in sorted(graph[pending.pop()].outgoing)):
            if use.id in seen or use.symbol in _SHOWN:
                continue
            seen.add(use.id)
            if use.symbol == "tensorflow.cast":
                if use.value.dtype is None or not use.value.dtype.startswith("float"):
                    return None
                dtypes.add(use.value.dtype)
            elif use.symbol == "tape.gradient":
                continue
            elif use.symbol in _ARITHMETIC and all(
                operand.is_only(NUMBERS) or operand.nodes <= seen for operand in use.operands
            ):
                pending.append(use.id)
            else:
                return None
    return dtypes
