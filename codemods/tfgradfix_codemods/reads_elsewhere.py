"""Where a name is read in a scope."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.every_name import names_in
from tfgradfix_codemods.names_of_statements import names_of_comprehension
from tfgradfix_codemods.surroundings import names_bound

if TYPE_CHECKING:
    from collections.abc import Iterator


def reads_of(name: str, node: cst.CSTNode) -> Iterator[cst.Name]:
    """Every place in ``node`` where ``name`` is read; attributes, keywords and assignments are none."""
    if isinstance(node, cst.Name):
        if node.value == name:
            yield node
        return
    for child in read_parts(node):
        yield from reads_of(name, child)


def read_parts(node: cst.CSTNode) -> list[cst.CSTNode]:
    """The children of ``node`` less names that are not read there."""
    if isinstance(node, (cst.Attribute, cst.Arg)):
        return [node.value]
    if isinstance(node, cst.AssignTarget) and isinstance(node.target, (cst.Name, cst.Tuple, cst.List)):
        return []
    if isinstance(node, (cst.For, cst.CompFor)):
        return [child for child in node.children if child is not node.target]
    if isinstance(node, (cst.Param, cst.AsName, cst.Global, cst.Nonlocal, cst.ImportAlias, cst.Annotation)):
        return [node.default] if isinstance(node, cst.Param) and node.default is not None else []
    return list(node.children)


def read_outside_loops(name: str, scope: cst.CSTNode) -> bool:
    """Whether ``scope`` reads its ``name`` in some place that no loop or comprehension over it holds."""
    return any(_read_outside(name, child) for child in read_parts(scope))


def _read_outside(name: str, node: cst.CSTNode) -> bool:
    if isinstance(node, cst.Name):
        return node.value == name
    if isinstance(node, cst.BaseComp) and name in names_of_comprehension(node.for_in):
        return False
    if isinstance(node, (cst.FunctionDef, cst.Lambda)) and name in names_in(node.params):
        return False
    parts = read_parts(node)
    if isinstance(node, cst.For) and name in names_bound(node.target):
        parts = [node.iter]
    return any(_read_outside(name, child) for child in parts)
