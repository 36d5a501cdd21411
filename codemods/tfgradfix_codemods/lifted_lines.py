"""Puts the target of a gradient into a statement of its own, before the outermost statement that allows it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.blocks import below_blank_lines, blank_lines, exchanged, path_to, replaced, without_blank_lines
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.effects import roots
from tfgradfix_codemods.fresh_names import FreshNames
from tfgradfix_codemods.inlined_targets import assignment
from tfgradfix_codemods.lifted_targets import lift
from tfgradfix_codemods.own_lines import in_indented_blocks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tfgradfix_codemods.asked_targets import Asked
    from tfgradfix_codemods.lifting import Lifted, Setting

Path = tuple[cst.CSTNode, ...]


@dataclass(frozen=True)
class LiftedLine:
    """A block with the new statement ``line`` in it, which was put before ``statement`` (as that was).

    ``on_top`` tells that the line is one of the block's own, and not of a block inside.
    """

    root: cst.IndentedBlock
    line: cst.SimpleStatementLine
    statement: cst.CSTNode
    on_top: bool


def lift_line(root: cst.IndentedBlock, asked: Asked, widest: bool, setting: Setting) -> LiftedLine | Decline:
    """Bind what ``asked`` asks for in a statement as far out as may be (not ``widest``: in the same block)."""
    root = in_indented_blocks(root, asked.expressions[0]) if not widest else root
    path = path_to(root, asked.expressions[0]) or ()
    places = [number for number in range(1, len(path)) if isinstance(path[number - 1], cst.IndentedBlock)]
    within = loop_that_binds(asked, path) if asked.is_name and asked.lines else len(path)
    places = [number for number in (places if widest else places[-1:]) if number <= within]
    reason = Decline("the target is a name that no loop binds")
    for number in places:
        if asked.tape is not None and setting.effects(path[number]).binds & roots({asked.tape}):
            continue
        names = FreshNames(setting.names.taken)
        result = lift_from(path[number:], asked, replace(setting, names=names))
        if not isinstance(result, Decline):
            setting.names.taken |= names.taken
            return put(root, path[number], result, on_top=number == 1)
        reason = result
    suited = in_indented_blocks(root, asked.expressions[0])
    return reason if suited is root else lift_line(suited, asked, widest, setting)


def loop_that_binds(asked: Asked, path: Path) -> int:
    """The place in ``path`` of the innermost `for` that computes the name that is asked for; 0 for none."""
    name = asked.expressions[0]
    loops = [number for number, step in enumerate(path) if isinstance(step, cst.For) and binds(step, name)]
    return max(loops, default=0)


def binds(loop: cst.For, name: cst.BaseExpression) -> bool:
    """Whether a plain assignment in the block of ``loop`` binds ``name``."""
    found = [assignment(line) for line in loop.body.body]
    return isinstance(name, cst.Name) and any(one is not None and one[0] == name.value for one in found)


def lift_from(path: Path, asked: Asked, setting: Setting) -> Lifted | Decline:
    """Bring the target out of the first node of ``path``, and put its name wherever the same is asked for there."""
    first, *others = asked.expressions
    statement = path[0]
    if any(path_to(statement, other) is None for other in others):
        return Decline("the same target is asked for elsewhere too")
    fresh = not isinstance(first, cst.Name) or not asked.lines
    name = setting.names.name(asked.name).value if fresh else cst.ensure_type(first, cst.Name).value
    for other in others:
        statement, became = exchanged(statement, other, cst.Name(name))
        setting = replace(setting, named=traced(setting.named, became), iterated=traced(setting.iterated, became))
    return lift(path_to(statement, first) or path, name, setting)


def traced(nodes: Sequence[cst.CSTNode], became: Mapping[int, cst.CSTNode]) -> Path:
    """``nodes`` as they are after an exchange."""
    return tuple(became.get(id(node), node) for node in nodes)


def put(root: cst.IndentedBlock, statement: cst.CSTNode, lifted: Lifted, on_top: bool) -> LiftedLine:
    """Put the new statement before the old one. In a block inside, blank lines stay above both."""
    line = lifted.line
    new = lifted.node
    if not on_top and isinstance(new, (cst.SimpleStatementLine, cst.BaseCompoundStatement)):
        line = cst.ensure_type(below_blank_lines(blank_lines(new), line), cst.SimpleStatementLine)
        new = without_blank_lines(new)
    return LiftedLine(replaced(root, statement, cst.FlattenSentinel([line, new])), line, statement, on_top)
