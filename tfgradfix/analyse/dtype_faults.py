"""Drafts for operators in which tensors of two dtypes meet once the path is TensorFlow's."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Final

from tfgradfix.analyse.branch_calls import after_masks
from tfgradfix.analyse.breaks import Break, tensors_after
from tfgradfix.analyse.drafts import Draft, Drafts
from tfgradfix.analyse.graph import Graph, Mode, Node
from tfgradfix.analyse.interpret import Interpreter
from tfgradfix.analyse.promotion import promote
from tfgradfix.analyse.values import TENSORS, Kind, Value
from tfgradfix.model import Level

_CONVERSIONS: Final = ("tensorflow.constant", "tensorflow.convert_to_tensor")
_INEXACT: Final = ("float32", "float64", "complex64", "complex128")


def draft_dtypes(interpreter: Interpreter, found: Break, event: int, drafts: Drafts) -> None:
    """Enter every operator of a broken path at which NumPy would promote and TensorFlow would not."""
    if not found.broken and not interpreter.graph_ready:
        return
    after = after_masks(interpreter, found)
    for number in sorted(found.paths.relevant):
        node = interpreter.graph[number]
        if node.symbol in _CONVERSIONS and _converts_to_another(interpreter.graph, node, after):
            names = f"{dtype_after(interpreter.graph, node.operands[0], after)} and {node.value.dtype}"
            facts = {"side": "conversion", "dtype": node.value.dtype or ""}
            drafts.add(Draft("TGF114", node.syntax, node.module, names, nodes={number}, facts=facts), event)
        if not isinstance(node.syntax, ast.BinOp) or len(node.operands) != 2:
            continue
        meeting = _meeting(interpreter.graph, node, after, interpreter.graph_ready)
        if meeting is not None:
            side, dtype = meeting
            names = " and ".join(str(dtype_after(interpreter.graph, value, after)) for value in node.operands)
            drafts.add(
                Draft("TGF114", node.syntax, node.module, names, nodes={number}, facts={"side": side, "dtype": dtype}),
                event,
            )


def _converts_to_another(graph: Graph, node: Node, after: set[int]) -> bool:
    """Whether an array was converted to a dtype that the tensor in its place does not have."""
    value, wanted = node.operands[0], node.value.dtype
    if wanted not in _INEXACT or not value.nodes or not value.nodes <= after or value.is_only(TENSORS):
        return False
    return isinstance(node.syntax, ast.Call) and dtype_after(graph, value, after) not in (None, "float", "int", wanted)


def dtype_after(graph: Graph, value: Value, after: set[int], narrow: bool = False, depth: int = 20) -> str | None:
    """The dtype of a value once its path is TensorFlow's, where an array beside a tensor takes the tensor's dtype.

    ``narrow`` says that of two tensors the less exact one decides.
    """
    number = next(iter(value.nodes), -1)
    if len(value.nodes) != 1 or number not in after or not depth:
        return value.dtype
    node = graph[number]
    if node.symbol.startswith("operator.") and len(node.operands) == 2:
        left, right = (replace(v, dtype=dtype_after(graph, v, after, narrow, depth - 1)) for v in node.operands)
        tensors = _is_tensor(left, after), _is_tensor(right, after)
        if tensors[0] != tensors[1]:
            tensor, other = (left, right) if tensors[0] else (right, left)
            return _wanted(left, right) if other.dtype == "complex" else tensor.dtype
        return (_narrower(left, right) if narrow else _wanted(left, right)) or node.value.dtype
    taken_off = node.symbol.startswith("builtins.") or node.symbol == "ndarray.item"
    if node.operands and (taken_off or node.operands[0].dtype == node.value.dtype):
        return dtype_after(graph, node.operands[0], after, narrow, depth - 1)
    return node.value.dtype


def draft_shape_sums(interpreter: Interpreter, found: Break, event: int, drafts: Drafts) -> None:
    """Enter ``x.shape[:-1] + (…)`` where x becomes a tensor on a broken path: an array's shape was a tuple."""
    after = tensors_after(interpreter.graph, set(found.mended) | found.symbolic)
    for syntax, module, mode, nodes in interpreter.shape_sums:
        if nodes and nodes <= after and nodes & found.paths.relevant:
            draft = Draft("TGF115", syntax, module)
            if mode is not Mode.EAGER:
                draft.level, draft.reason = Level.MANUAL, "sizes may be unknown while tracing"
            drafts.add(draft, event)


def _meeting(graph: Graph, node: Node, after: set[int], graph_ready: bool) -> tuple[str, str] | None:
    """The side to cast and the dtype to cast it to, or None where nothing has to be done."""
    left, right = (replace(value, dtype=dtype_after(graph, value, after, graph_ready)) for value in node.operands)
    tensors = [_is_tensor(value, after) for value in node.operands]
    # Two tensors that meet today have one dtype, unless one of them was an array that is taken to be traced.
    met = graph_ready and all(value.is_only(TENSORS) for value in node.operands)
    if left.dtype == right.dtype or not (met or any(value.nodes and value.nodes <= after for value in node.operands)):
        return None
    if graph_ready and any(value.is_only(Kind.NUMBER) and value.dtype != "complex" for value in node.operands):
        return None  # a mask may make a tensor of a number, and decides its dtype
    wanted = _narrower(left, right) if graph_ready and all(tensors) else _wanted(left, right)
    if wanted is None:
        return None
    if all(tensors):
        return ("left" if right.dtype == wanted else "right", wanted) if wanted in (left.dtype, right.dtype) else None
    # A complex Python number, or an array of it, beside a real tensor.
    number, tensor = (right, left) if tensors[0] else (left, right)
    complex_number = number.dtype is not None and number.dtype.startswith("complex")
    if complex_number and tensor.dtype in ("float32", "float64"):
        return ("left" if tensors[0] else "right", wanted)
    return None


def _is_tensor(value: Value, after: set[int]) -> bool:
    return value.is_only(TENSORS) or (bool(value.nodes) and value.nodes <= after)


def _wanted(left: Value, right: Value) -> str | None:
    """The dtype that NumPy takes for both."""
    as_arrays = [
        Value(Kind.NUMBER if value.is_only(Kind.NUMBER) else Kind.NDARRAY, dtype=value.dtype) for value in (left, right)
    ]
    wanted = promote(as_arrays[0], as_arrays[1])
    return wanted if wanted in _INEXACT else None


def _narrower(left: Value, right: Value) -> str | None:
    """The dtype for two tensors that were arrays of data: NumPy's float64, which nobody chose, gives way."""
    inexact = [value.dtype for value in (left, right) if value.dtype in _INEXACT]
    named = sorted(inexact, key=lambda dtype: (not dtype.startswith("complex"), dtype))
    if left.dtype is None or right.dtype is None or not named:
        return None
    return named[0]
