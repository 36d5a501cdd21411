"""Arrays that one loop fills from the first row to the last: they are better made as a list and stacked.

`for i in range(n): rows[i] = value` with an array of `n` rows, nothing else assigned and nothing read in between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.array_handling import names_of
from tfgradfix_codemods.blocks import nodes_in
from tfgradfix_codemods.item_parts import Element, parts_of
from tfgradfix_codemods.names_read import names_read
from tfgradfix_codemods.nodes import argument, source
from tfgradfix_codemods.reads_elsewhere import reads_of
from tfgradfix_codemods.surroundings import names_bound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix_codemods.filled_arrays import Filled
    from tfgradfix_codemods.trees import Tree

#: Functions that make an array by its shape.
OF_SHAPE: Final = frozenset({"numpy.zeros", "numpy.empty", "numpy.ones", "numpy.full"})

#: What may leave a loop before its end, or a turn of it.
LEAVING: Final = (cst.Break, cst.Continue, cst.Return, cst.Yield, cst.FunctionDef, cst.Lambda)


def filling_loop(filled: Filled, tree: Tree, function: cst.CSTNode) -> cst.For | None:
    """The loop that fills the array row by row, or None where a list could not take its place."""
    if len(filled.makers) != 1 or len(filled.stores) != 1 or len(names_of(filled, function)) != 1:
        return None
    store = filled.stores[0]
    line = tree.parents[store.statement]
    block = tree.parents[line]
    loop = tree.parents[block]
    if not isinstance(loop, cst.For) or not isinstance(block, cst.IndentedBlock) or loop.orelse or loop.asynchronous:
        return None
    counter, count = counted(loop)
    parts = parts_of(store.target, store.kinds, filled.rank)
    if not isinstance(parts, tuple) or len(parts) != 1 or counter is None or not is_name(parts[0], counter):
        return None
    if count != first_size(filled):
        return None
    if any(isinstance(node, LEAVING) for node in nodes_in(loop)) or counter in tree.bindings(block):
        return None
    before = between(filled, tree, loop)
    if before is None or not is_stackable(filled) or is_needed_before(filled, [*before, loop], tree, function):
        return None
    return loop


def counted(loop: cst.For) -> tuple[str | None, str]:
    """The name that a loop counts with, and the text of how far it counts from 0."""
    call = loop.iter
    if not isinstance(call, cst.Call) or len(call.args) != 1 or call.args[0].keyword or call.args[0].star:
        return None, ""
    text = source(call.args[0].value)
    if source(call.func) == "range" and isinstance(loop.target, cst.Name):
        return loop.target.value, text
    if source(call.func) == "enumerate" and isinstance(loop.target, cst.Tuple):
        first = names_bound(loop.target.elements[0].value)
        return (first[0] if len(first) == 1 else None), f"len({text})"
    return None, ""


def is_name(part: object, name: str) -> bool:
    """Whether a part of an index is a name alone."""
    return isinstance(part, Element) and isinstance(part.place, cst.Name) and part.place.value == name


def first_size(filled: Filled) -> str | None:
    """The text of how many rows the array is made with."""
    maker = filled.makers[0]
    if maker.finding.symbol not in OF_SHAPE or not isinstance(maker.node, cst.Call):
        return None
    given = argument(maker.node.args, 0, "shape")
    if given is None:
        return None
    shape = given.value
    if isinstance(shape, (cst.Tuple, cst.List)):
        return source(shape.elements[0].value) if shape.elements else None
    return source(shape) if filled.rank == 1 else None


def between(filled: Filled, tree: Tree, loop: cst.For) -> Sequence[cst.CSTNode] | None:
    """The statements between where the array is made and the loop; None if they are not of one block."""
    assign = tree.parents[filled.makers[0].node]
    line = tree.parents[assign]
    block = tree.parents[loop]
    if not isinstance(block, (cst.IndentedBlock, cst.Module)) or tree.parents[line] is not block:
        return None
    if not isinstance(assign, cst.Assign) or len(assign.targets) != 1 or not isinstance(line, cst.SimpleStatementLine):
        return None
    body: list[cst.CSTNode] = list(block.body)
    start, end = body.index(line), body.index(loop)
    return body[start + 1 : end] if start < end and len(line.body) == 1 else None


def is_stackable(filled: Filled) -> bool:
    """Whether the values are tensors of the shape and dtype that a row has."""
    store, dtype = filled.stores[0], filled.makers[0].finding.fact("dtype")
    if store.value.kind not in ("tensor", "variable") or store.value.dtype not in (None, dtype):
        return False
    same_rank = None is not store.value.rank == (filled.rank or 0) - 1
    return filled.rank == 1 or store.fits == "yes" or (store.fits == "" and same_rank)


def is_needed_before(filled: Filled, statements: Sequence[cst.CSTNode], tree: Tree, function: cst.CSTNode) -> bool:
    """Whether something reads the array before it is full, or its size may be another when the loop begins."""
    base = filled.stores[0].base
    inside = {node for statement in statements for node in nodes_in(statement)}
    reads = [read for read in reads_of(filled.name, function) if read is not base]
    captured = (node for node in nodes_in(function) if isinstance(node, (cst.FunctionDef, cst.Lambda)))
    inner = {node for one in captured if one is not function for node in nodes_in(one)}
    if any(read in inside or read in inner for read in reads):
        return True
    needed = names_read(filled.makers[0].node)
    return any(not needed.isdisjoint(tree.bindings(statement)) for statement in statements)
