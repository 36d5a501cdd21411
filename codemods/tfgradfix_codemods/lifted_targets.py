"""Brings the target of a gradient out of the expression, comprehension or loop in which it is computed.

    `g = tape.gradient(loss[i], v)`                      target = loss[i]
    `[tape.gradient(y[i], v) for i in range(n)]`         targets = [y[i] for i in range(n)]

A target is computed earlier than before, and for all turns of a loop at once. So it may not pass a statement that could
change what it reads, nor come out of a place that is not always reached.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.blocks import nodes_in, replaced
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.iterables import clause_over, list_over, source_of
from tfgradfix_codemods.lifting import Lifted
from tfgradfix_codemods.names_of_statements import names_of_comprehension
from tfgradfix_codemods.targets_of_loops import as_list, out_of_loop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix_codemods.lifting import Setting


def lift(path: Sequence[cst.CSTNode], name: str, setting: Setting) -> Lifted | Decline:
    """Bring the last node of ``path`` out of the first; ``name`` stands for it there."""
    node, *below = path
    if isinstance(node, cst.BaseExpression) and not below:
        return Lifted(cst.Name(name), name, node) if can_move(node) else Decline("the target binds a name")
    inner = lift(below, name, setting)
    if isinstance(inner, Decline):
        return inner
    obstacle = obstacle_at(node, below[0])
    if obstacle is not None:
        return Decline(obstacle)
    if isinstance(node, cst.BaseComp) and not isinstance(below[0], cst.CompFor):
        return out_of_comprehension(node, below[0], inner, setting)
    if isinstance(node, cst.For) and below[0] is node.body:
        return out_of_loop(node, below[1], inner, setting)
    if isinstance(node, cst.With) and below[0] is node.body:
        return out_of_with(node, below[1], inner, setting)
    if setting.knowledge.conflict(setting.effects(computed_before(node, below[0])), setting.effects(inner.value)):
        return Decline("what stands before it in the statement may change the target")
    return replace(inner, node=replaced(node, below[0], inner.node))


def computed_before(node: cst.CSTNode, child: cst.CSTNode) -> list[cst.CSTNode]:
    """The parts of the expression ``node`` with calls in them that are computed before its part ``child``."""
    if not isinstance(node, cst.BaseExpression) or isinstance(node, cst.IfExp):
        return []
    before = takewhile(lambda one: one is not child, node.children)
    return [one for one in before if any(isinstance(inner, cst.Call) for inner in nodes_in(one))]


def can_move(target: cst.BaseExpression) -> bool:
    """Whether ``target`` binds no name and waits for nothing."""
    return not any(isinstance(node, (cst.NamedExpr, cst.Await, cst.Yield)) for node in nodes_in(target))


def obstacle_at(node: cst.CSTNode, child: cst.CSTNode) -> str | None:
    """Why what is in ``child`` of ``node`` cannot be computed before ``node``, or None."""
    if isinstance(node, (cst.Lambda, cst.FunctionDef, cst.ClassDef)):
        return "the gradient is asked for inside a function, which may run at any time"
    if isinstance(node, (cst.While, cst.Try, cst.TryStar, cst.Match)):
        return "the gradient is asked for in a block that does not just run once"
    always_reached = {cst.If: "test", cst.IfExp: "test", cst.BooleanOperation: "left"}
    first = always_reached.get(type(node))
    if first is not None and getattr(node, first) is not child:
        return "the gradient is not always asked for"
    if isinstance(node, cst.For) and child not in (node.body, node.iter):
        return "the gradient is asked for when the loop ends"
    if isinstance(node, cst.CompFor) and child is not node.iter:
        return "the gradient is asked for in a condition of a comprehension"
    return None


def out_of_comprehension(node: cst.BaseComp, child: cst.CSTNode, inner: Lifted, setting: Setting) -> Lifted | Decline:
    """Compute the targets of a comprehension in a list comprehension of their own."""
    part = whole_part(node.for_in, inner.value, setting)
    if part is not None:
        listed = setting.names.name(inner.plural).value
        return Lifted(replaced(node, part, cst.Name(listed)), listed, as_list(part, setting), levels=inner.levels + 1)
    clause = clause_over(node.for_in, setting)
    if isinstance(clause, Decline):
        return clause
    kept = replaced(node, child, inner.node)
    elements = [part for part in kept.children if not isinstance(part, cst.CompFor)]
    own = names_of_comprehension(clause)
    knowledge = setting.knowledge.owning(own)
    if knowledge.conflict(setting.effects(elements), setting.effects((inner.value, clause))):
        return Decline("what else the comprehension does may change its targets")
    used = [name for name in own if name in setting.effects(elements).reads]
    value, target, iterable, listed = list_over(clause, used, inner, setting)
    loop = cst.CompFor(target, iterable)
    return Lifted(replaced(kept, node.for_in, loop), listed, value, inner.comments, inner.levels + 1)


def whole_part(clause: cst.CompFor, target: cst.BaseExpression, setting: Setting) -> cst.BaseExpression | None:
    """What is taken apart by ``clause`` when ``target`` is an element of it and nothing else."""
    if not isinstance(target, cst.Name) or clause.inner_for_in is not None or clause.asynchronous is not None:
        return None
    return source_of(target.value, clause.target, clause.iter, setting.knowledge.surroundings)


def out_of_with(node: cst.With, statement: cst.CSTNode, inner: Lifted, setting: Setting) -> Lifted | Decline:
    """Compute the target before a `with` block that is not the tape's, past the statements that stand in it."""
    before: list[cst.CSTNode] = [*node.items]
    for line in node.body.body:
        if line is statement:
            break
        before.append(line)
    if setting.knowledge.conflict(setting.effects(before), setting.effects(inner.value)):
        return Decline("what stands before it in its block may change the target")
    return replace(inner, node=node.with_changes(body=inner.node))
