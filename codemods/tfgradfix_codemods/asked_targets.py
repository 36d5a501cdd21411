"""Finds, in a statement, the gradients that are asked of what findings name, and the expressions they ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.blocks import nodes_in, path_to
from tfgradfix_codemods.known_calls import CallKind, kind_of
from tfgradfix_codemods.nodes import argument, dotted_text
from tfgradfix_codemods.surroundings import names_bound

if TYPE_CHECKING:
    from tfgradfix_codemods.lifting import Setting

LOOPS = (cst.For, cst.While, cst.BaseComp, cst.Lambda, cst.FunctionDef)


@dataclass(frozen=True)
class Asked:
    """The target expressions of gradient calls that ask for the same in the same loop, and the tape they ask."""

    expressions: tuple[cst.BaseExpression, ...]
    tape: str | None

    @property
    def is_name(self) -> bool:
        """Whether the target is a plain name, computed elsewhere."""
        return isinstance(self.expressions[0], cst.Name)


def asked_in(statement: cst.CSTNode, setting: Setting) -> tuple[Asked, ...]:
    """What is asked of the named nodes in ``statement``, one entry for all calls that ask for the same."""
    found: list[Asked] = []
    for node in nodes_in(statement):
        target = target_of(node, setting)
        if target is None or not is_concerned(statement, node, target, setting):
            continue
        same = next((one for one in found if is_same(statement, one.expressions[0], target)), None)
        if same is not None:
            found[found.index(same)] = Asked((*same.expressions, target), same.tape)
        else:
            function = cst.ensure_type(cst.ensure_type(node, cst.Call).func, cst.Attribute)
            found.append(Asked((target,), dotted_text(function.value)))
    return tuple(found)


def target_of(node: cst.CSTNode, setting: Setting) -> cst.BaseExpression | None:
    """What ``node`` asks a gradient of, or None when it does not ask for one."""
    if not isinstance(node, cst.Call) or kind_of(node, setting.knowledge.surroundings) is not CallKind.GRADIENT:
        return None
    given = argument(node.args, 0, "target")
    return None if given is None or given.star else given.value


def is_concerned(statement: cst.CSTNode, node: cst.CSTNode, target: cst.BaseExpression, setting: Setting) -> bool:
    """Whether a finding names the call ``node``, or what binds a name that its target reads."""
    bound: set[str] = set()
    for named in setting.named:
        if named is node:
            return True
        if isinstance(named, cst.For):
            bound |= set(names_bound(named.target)) if path_to(named, node) else set()
        elif path_to(statement, named) is not None and not isinstance(named, cst.Call):
            bound |= setting.effects(named).binds
    return bool(bound & setting.effects(target).reads)


def is_same(statement: cst.CSTNode, one: cst.BaseExpression, other: cst.BaseExpression) -> bool:
    """Whether two targets are written alike and stand in the same loops."""
    if not one.deep_equals(other):
        return False
    loops, others = (
        [step for step in path_to(statement, target) or () if isinstance(step, LOOPS)] for target in (one, other)
    )
    return len(loops) == len(others) and all(step is twin for step, twin in zip(loops, others, strict=True))
