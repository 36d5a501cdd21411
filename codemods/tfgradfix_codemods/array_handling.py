"""What code does with an array that it is given: compute, keep it, fill it, copy its numbers, or change its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeGuard

import libcst as cst

from tfgradfix_codemods.blocks import nodes_in
from tfgradfix_codemods.nodes import dotted_text
from tfgradfix_codemods.resolved_names import full_name

if TYPE_CHECKING:
    from tfgradfix_codemods.filled_arrays import Filled
    from tfgradfix_codemods.trees import Tree

#: Functions and methods that change an array in place.
FILLING: Final = frozenset(
    {"copyto", "put", "place", "putmask", "fill_diagonal", "put_along_axis", "shuffle", "at", "fill", "sort"}
    | {"itemset", "resize", "setfield", "byteswap", "readinto", "partition"}
)

#: Methods that keep what they are given.
KEEPING: Final = frozenset({"append", "extend", "insert", "add", "appendleft", "put_nowait", "setdefault", "update"})

#: Builtins that give one row after the other.
ITERATING: Final = frozenset({"zip", "enumerate", "iter", "reversed", "list", "tuple", "map", "filter", "sorted"})

#: What only computes with an array.
COMPUTING: Final = (
    cst.BinaryOperation,
    cst.UnaryOperation,
    cst.Comparison,
    cst.ComparisonTarget,
    cst.FormattedStringExpression,
    cst.Index,
    cst.Slice,
    cst.Return,
    cst.Expr,
    cst.Assert,
    cst.If,
    cst.While,
    cst.CompIf,
    cst.CompFor,
    cst.AugAssign,
    cst.AssignTarget,
)


def copies(target: cst.BaseExpression, tree: Tree, function: cst.CSTNode) -> bool:
    """Whether an assignment to ``target`` copies the numbers: into an array, or over a stretch."""
    if not isinstance(target, cst.Subscript):
        return False
    if any(isinstance(element.slice, cst.Slice) for element in target.slice):
        return True
    bindings = tree.bindings(function, inside=True).get(dotted_text(target.value) or "", ())
    makers = [full_name(one.value.func, tree.meanings) for one in bindings if isinstance(one.value, cst.Call)]
    return bool(makers) and all((maker or "").startswith("numpy.") for maker in makers)


def names_of(filled: Filled, function: cst.CSTNode) -> frozenset[str]:
    """The names by which an array is filled, and those that change places with them: `old, new = new, old`."""
    names = set(filled.names)
    swaps = [frozenset(names_in_display(node.value)) for node in nodes_in(function) if is_swap(node)]
    for _ in swaps:
        names |= {name for swapped in swaps if names & swapped for name in swapped}
    return frozenset(names)


def is_swap(node: cst.CSTNode) -> TypeGuard[cst.Assign]:
    """Whether a statement lets names change places."""
    if not isinstance(node, cst.Assign) or len(node.targets) != 1:
        return False
    before, after = names_in_display(node.value), names_in_display(node.targets[0].target)
    return bool(before) and len(set(before)) == len(before) and sorted(before) == sorted(after)


def names_in_display(node: cst.BaseExpression) -> list[str]:
    """The names of a tuple of nothing but names, else nothing."""
    if not isinstance(node, cst.Tuple):
        return []
    values = [element.value for element in node.elements]
    names = [value.value for value in values if isinstance(value, cst.Name)]
    return names if len(names) == len(values) else []
