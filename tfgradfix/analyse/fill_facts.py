"""What can be told of one item assignment: whether the value fits its place, what kind of index it has."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypeGuard

from tfgradfix.analyse.indexing import indexed_shape
from tfgradfix.analyse.objects import Container, elements_of
from tfgradfix.analyse.values import NUMBERS, TENSORS, Kind, Shape, Value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfgradfix.analyse.graph import Node


def statement_of(fill: Node) -> ast.AST:
    """The statement that assigns the item."""
    return fill.module.statement(fill.syntax) or fill.syntax


def position(fill: Node) -> tuple[int, int]:
    """Where the item stands: its line and column."""
    return (getattr(fill.syntax, "lineno", 0), getattr(fill.syntax, "col_offset", 0))


def fits(fills: Iterable[Node]) -> str:
    """Whether what is written certainly has the shape of the place it is written to ("yes", "no", or nothing)."""
    answers = {_fits_here(fill) for fill in fills}
    return answers.pop() if len(answers) == 1 else ""


def _fits_here(fill: Node) -> str:
    array, _, value = fill.operands
    place = _place(array.shape, fill.syntax)
    if place is None or value.shape is None:
        return ""
    return "yes" if _same(place, value.shape) else "no"


def _place(shape: Shape | None, item: ast.AST) -> Shape | None:
    """The shape of an item of an array; `array[i][j]` is an item of an item."""
    if not isinstance(item, ast.Subscript):
        return None
    if isinstance(item.value, ast.Subscript):
        shape = _place(shape, item.value)
    return indexed_shape(shape, item.slice)


def _same(place: Shape, value: Shape) -> bool:
    """Whether two shapes are the same; a size that is not known is taken to be none that has to be stretched."""
    if len(place) != len(value):
        return False
    return all(a == b or (None in (a, b) and b != 1) for a, b in zip(place, value, strict=True))


def index_kinds(node: Node) -> str:
    """What each part of an index is: "number", "slice", "array", "mask", "list" or "unknown", parted by colons.

    ``node`` reads or assigns an item: its operands are the array and the index. Nothing for an index in a name.
    """
    index = node.operands[1]
    is_display = isinstance(node.syntax, ast.Subscript) and isinstance(node.syntax.slice, ast.Tuple)
    values = _parts(index) if is_display else [index]
    return ":".join(_kind_of_part(value) for value in values)


def number_in_statement(fill: Node) -> int:
    """Which of the items that its statement assigns this is, counted from 0 in source order."""
    items = [node for target in _targets(statement_of(fill)) for node in ast.walk(target) if _is_assigned(node)]
    ordered = sorted((node.lineno, node.col_offset) for node in items)
    return ordered.index(position(fill))


def _targets(statement: ast.AST) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    return [statement.target] if isinstance(statement, (ast.AugAssign, ast.AnnAssign, ast.For, ast.AsyncFor)) else []


def _is_assigned(node: ast.AST) -> TypeGuard[ast.Subscript]:
    return isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)


def _parts(index: Value) -> list[Value]:
    containers = [ref for ref in index.refs if isinstance(ref, Container)]
    return elements_of(index) if len(containers) == 1 and containers[0].exact else []


def _kind_of_part(value: Value) -> str:
    if value.is_only(Kind.LIST):
        return "list"
    if value.is_only(Kind.OBJECT):
        return "slice"
    if value.dtype == "bool" and value.is_only(Kind.NDARRAY | TENSORS):
        return "mask"
    if value.is_only(Kind.NDARRAY | TENSORS) and value.rank != 0:
        return "array" if value.rank or value.is_only(Kind.NDARRAY) else "unknown"
    return "number" if value.is_only(NUMBERS | Kind.NDARRAY | TENSORS) else "unknown"
