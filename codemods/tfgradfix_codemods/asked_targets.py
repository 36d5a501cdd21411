"""Finds the gradients that are asked in a statement, what they are asked of, and the lines that compute it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.blocks import nodes_in, path_to
from tfgradfix_codemods.effects import roots
from tfgradfix_codemods.known_calls import CallKind, kind_of
from tfgradfix_codemods.nodes import argument, dotted_text
from tfgradfix_codemods.surroundings import names_bound

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tfgradfix_codemods.lifting import Setting

#: What runs its inside more than once, or at another time.
LOOPS: Final = (cst.For, cst.While, cst.BaseComp, cst.Lambda, cst.FunctionDef)


@dataclass(frozen=True)
class Asked:
    """The targets of gradient calls that ask for the same in the same loop.

    ``lines`` are the statements before the first of them, in the same compound statement, that it is computed by;
    ``name`` is what it should be called where it has no name.
    """

    expressions: tuple[cst.BaseExpression, ...]
    tape: str | None
    lines: tuple[cst.SimpleStatementLine, ...] = ()
    name: str = "target"

    @property
    def is_name(self) -> bool:
        """Whether the target is a plain name, computed elsewhere."""
        return isinstance(self.expressions[0], cst.Name)


def gradient_calls(node: cst.CSTNode, setting: Setting) -> list[cst.Call]:
    """The calls in ``node`` that ask a tape for a gradient."""
    calls = (inner for inner in nodes_in(node) if isinstance(inner, cst.Call))
    return [call for call in calls if kind_of(call, setting.knowledge.surroundings) is CallKind.GRADIENT]


def asked_in(statement: cst.CSTNode, tape: str | None, setting: Setting) -> tuple[Asked, ...]:
    """What findings say is not recorded of what is asked of ``tape`` in ``statement``."""
    found: list[Asked] = []
    for call in gradient_calls(statement, setting):
        given = argument(call.args, 0, "target")
        receiver = dotted_text(cst.ensure_type(call.func, cst.Attribute).value)
        other = bool(tape) and receiver != tape and not any(named is call for named in setting.named)
        if given is None or given.star or other:
            continue
        asked = Asked((given.value,), receiver, lines_behind(statement, given.value, receiver, setting))
        if not is_concerned(statement, call, asked, setting):
            continue
        same = next((number for number, one in enumerate(found) if is_same(statement, one, asked)), None)
        if same is None:
            found.append(asked)
        else:
            found[same] = replace(found[same], expressions=(*found[same].expressions, given.value))
    return tuple(found)


def lines_behind(
    statement: cst.CSTNode, target: cst.BaseExpression, tape: str | None, setting: Setting
) -> tuple[cst.SimpleStatementLine, ...]:
    """The lines of ``statement``, in order, that ``target`` is computed by since there is a ``tape``."""
    wanted = set(setting.effects(target).reads)
    found: list[cst.SimpleStatementLine] = []
    for line in reversed(list(lines_before(statement, target))):
        effects = setting.effects(line)
        if tape is not None and (roots({tape}) & effects.binds or tape in effects.touches):
            break
        if effects.binds & wanted:
            wanted |= effects.reads
            found.append(line)
    return tuple(reversed(found))


def lines_before(statement: cst.CSTNode, target: cst.CSTNode) -> Iterator[cst.SimpleStatementLine]:
    """The simple statements of ``statement`` that stand above the one that holds ``target``."""
    for node in nodes_in(statement):
        if isinstance(node, cst.SimpleStatementLine):
            if path_to(node, target) is not None:
                return
            yield node


def is_concerned(statement: cst.CSTNode, call: cst.Call, asked: Asked, setting: Setting) -> bool:
    """Whether a finding is about ``call``: about itself, a line behind it, or the loop that computes its target."""
    if any(named is call for named in setting.named):
        return True
    small = [part for line in asked.lines for part in line.body]
    if any(named is part for named in setting.named for part in small):
        return True
    if not any(named is statement for named in setting.named):
        return False
    return bool(asked.lines) or not is_made_before(statement, asked.expressions[0], setting)


def is_made_before(statement: cst.CSTNode, target: cst.BaseExpression, setting: Setting) -> bool:
    """Whether ``target`` is an object that is there before ``statement``, or an element of one that it runs over."""
    if isinstance(target, (cst.List, cst.Tuple)):
        return all(is_made_before(statement, element.value, setting) for element in target.elements)
    turns = [step for step in path_to(statement, target) or () if isinstance(step, cst.For)]
    iterated = [step for step in turns if any(step is one for one in setting.iterated)]
    runs = any(isinstance(target, cst.Name) and target.value in names_bound(step.target) for step in iterated)
    return dotted_text(target) is not None and not runs


def is_same(statement: cst.CSTNode, one: Asked, other: Asked) -> bool:
    """Whether two targets are written alike and stand in the same loops."""
    first, second = one.expressions[0], other.expressions[0]
    return first.deep_equals(second) and same_nodes(loops_round(statement, first), loops_round(statement, second))


def loops_round(statement: cst.CSTNode, target: cst.CSTNode) -> list[cst.CSTNode]:
    """The loops between ``statement`` and ``target``."""
    return [step for step in path_to(statement, target) or () if isinstance(step, LOOPS)]


def same_nodes(nodes: Sequence[cst.CSTNode], others: Sequence[cst.CSTNode]) -> bool:
    """Whether the two are the very same nodes."""
    return len(nodes) == len(others) and all(node is other for node, other in zip(nodes, others, strict=True))
