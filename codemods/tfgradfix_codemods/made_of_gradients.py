"""Which names hold gradients, or what is computed from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.blocks import nodes_in
from tfgradfix_codemods.effects import roots
from tfgradfix_codemods.known_calls import CHANGING
from tfgradfix_codemods.names_of_statements import place_of
from tfgradfix_codemods.surroundings import names_bound

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tfgradfix_codemods.lifting import Setting


def made_of_gradients(statements: Sequence[cst.CSTNode], setting: Setting) -> frozenset[str]:
    """The names that ``statements`` give gradients to, directly or through others."""
    lines = [
        node for one in statements for node in nodes_in(one) if isinstance(node, (cst.SimpleStatementLine, cst.For))
    ]
    known: frozenset[str] = frozenset()
    for _ in lines:
        before = known
        for line in lines:
            value = line.iter if isinstance(line, cst.For) else line
            effects = setting.effects(value)
            if effects.tapes or known & roots(effects.reads):
                known |= frozenset(names_given(line))
        if known == before:
            break
    return known


def names_given(line: cst.SimpleStatementLine | cst.For) -> Iterator[str]:
    """The names that a statement gives a value to, whole or in part: `x =`, `x[i] =`, `x.append(...)`, `for x in`."""
    if isinstance(line, cst.For):
        yield from names_bound(line.target)
        return
    for node in nodes_in(line):
        if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.NamedExpr)):
            yield from names_in_target(node.target)
        elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in CHANGING:
            yield from names_in_target(node.func.value)


def names_in_target(target: cst.BaseExpression) -> Iterator[str]:
    """The first names of what an assignment to ``target`` changes."""
    if isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from names_in_target(element.value)
    else:
        yield from roots({place_of(target) or ""})
