"""Which names hold gradients, or what is computed from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.blocks import nodes_in, path_to
from tfgradfix_codemods.known_calls import CHANGING
from tfgradfix_codemods.names_of_statements import place_of
from tfgradfix_codemods.surroundings import names_bound

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tfgradfix_codemods.effects import Effects
    from tfgradfix_codemods.lifting import Setting


def is_made_of_gradients(node: cst.CSTNode, statements: Sequence[cst.CSTNode], setting: Setting) -> bool:
    """Whether ``node``, in one of ``statements``, reads a gradient that is asked for before it, or beside it."""
    number = next(number for number, one in enumerate(statements) if path_to(one, node) is not None)
    before = statements[: number if statements[number] is node else number + 1]
    return reads_any(setting.effects(node), places_of_gradients(before, setting))


def reads_any(effects: Effects, places: Collection[str]) -> bool:
    """Whether one of ``places``, or a part of one, is read; reading the whole object that has it does not count."""
    return any(read == place or read.startswith(f"{place}.") for read in effects.reads for place in places)


def places_of_gradients(statements: Sequence[cst.CSTNode], setting: Setting) -> frozenset[str]:
    """The names and attributes that ``statements`` give gradients to, directly or through others."""
    nodes = (node for one in statements for node in nodes_in(one))
    lines = [node for node in nodes if isinstance(node, (cst.SimpleStatementLine, cst.For))]
    known: frozenset[str] = frozenset()
    for _ in lines:
        before = known
        for line in lines:
            effects = setting.effects(line.iter if isinstance(line, cst.For) else line)
            if effects.tapes or reads_any(effects, known):
                known |= frozenset(places_given(line))
        if known == before:
            break
    return known


def places_given(line: cst.SimpleStatementLine | cst.For) -> Iterator[str]:
    """What a statement gives a value to, whole or in part: `x =`, `x[i] =`, `x.append(...)`, `for x in`."""
    if isinstance(line, cst.For):
        yield from names_bound(line.target)
        return
    for node in nodes_in(line):
        if isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.NamedExpr)):
            yield from places_in_target(node.target)
        elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute) and node.func.attr.value in CHANGING:
            yield from places_in_target(node.func.value)


def places_in_target(target: cst.BaseExpression) -> Iterator[str]:
    """What an assignment to ``target`` changes."""
    if isinstance(target, (cst.Tuple, cst.List)):
        for element in target.elements:
            yield from places_in_target(element.value)
    elif (place := place_of(target)) is not None:
        yield place
