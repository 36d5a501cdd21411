"""Gets the statements and expressions that make up a gradient's target recorded by the tape it is asked of.

Each is moved to the end of the tape's block. Where that could make a difference, the tape is opened once more round it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.asked_targets import Asked, asked_in, gradient_calls
from tfgradfix_codemods.blocks import nodes_in, path_to, replaced, statements_of
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.lifted_lines import LiftedLine, lift_line
from tfgradfix_codemods.made_of_gradients import is_made_of_gradients
from tfgradfix_codemods.own_lines import on_own_lines
from tfgradfix_codemods.recording import Work, recorded_by
from tfgradfix_codemods.targets_of_loops import as_list, iterated_part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix_codemods.blocks import Statement
    from tfgradfix_codemods.lifting import Setting


def record_targets(
    root: cst.IndentedBlock, tape_at: Sequence[int] | None, tape: str | None, setting: Setting
) -> cst.IndentedBlock | Decline:
    """``root`` with all that findings name (``setting.named``) recorded by ``tape``.

    ``tape_at`` is the way from ``root`` to the tape's `with` statement, or None when nothing can be moved there.
    """
    setting, root = separated(root, setting)
    work = Work(root)
    for number, statement in enumerate(statements_of(root)):
        inside = [node for node in setting.named if path_to(statement, node) is not None]
        if inside and tape_at is not None and number <= tape_at[0]:
            return Decline("it does not stand behind the tape's block")
        result = plan(work, statement, tape, setting) if inside else work
        if isinstance(result, Decline):
            return result
        work = result
    return finish(work, tape_at, tape, setting)


def separated(root: cst.IndentedBlock, setting: Setting) -> tuple[Setting, cst.IndentedBlock]:
    """``root`` with the named statements and the gradient calls in the named loops on lines of their own."""
    calls = [call for node in setting.named for call in gradient_calls(node, setting) if call is not node]
    root, nodes = on_own_lines(root, (*setting.named, *setting.iterated, *calls))
    ends = len(setting.named), len(setting.named) + len(setting.iterated)
    return replace(setting, named=nodes[: ends[0]], iterated=nodes[ends[0] : ends[1]]), root


def plan(work: Work, statement: Statement, tape: str | None, setting: Setting) -> Work | Decline:
    """Say what becomes of a statement of the block that findings name, or that holds what they name."""
    asked = asked_in(statement, tape, setting)
    if not asked and any(path_to(statement, call) for call in setting.named if isinstance(call, cst.Call)):
        return Decline("it cannot be seen what the gradient is asked of")
    if not asked:
        return replace(work, moving=(*work.moving, statement))
    loop = next((one for one in setting.iterated if path_to(statement, one) is not None), None)
    if not isinstance(loop, cst.For):
        return plan_asked(work, statement, asked, setting)
    result = plan_asked(work, statement, asked, setting) if is_computed(asked) else None
    if isinstance(result, Work) and result.moving != work.moving:
        return result
    apart = plan_taken_apart(work, statement, loop, asked, setting)
    if isinstance(apart, Decline):
        return apart
    work, statement, setting = apart
    return plan(work, statement, tape, setting) if asked_in(statement, tape, setting) else work


def is_computed(asked: Sequence[Asked]) -> bool:
    """Whether there is one target, and it is more than a name."""
    return len(asked) == 1 and bool(asked[0].lines or not asked[0].is_name)


def plan_taken_apart(
    work: Work, statement: Statement, loop: cst.For, asked: Sequence[Asked], setting: Setting
) -> tuple[Work, Statement, Setting] | Decline:
    """Take apart the tensor that ``loop`` runs over, before the loop; what is left of ``statement`` then."""
    readers = [node for one in asked for node in (*one.expressions, *one.lines)]
    part = iterated_part(loop, readers, setting)
    if part is None:
        return Decline("it cannot be seen which tensor the loop takes apart")
    number = next(number for number, one in enumerate(work.root.body) if one is statement)
    listed = as_list(part, setting)
    wanted = Asked((listed,), asked[0].tape, name="targets")
    result = lift_line(replaced(work.root, part, listed), wanted, True, setting)
    if isinstance(result, Decline):
        return result
    left = statements_of(result.root)[number + 1 if result.on_top else number]
    iterated = tuple(one for one in setting.iterated if one is not loop)
    known = replace(setting, named=traced(setting.named, statement, left), iterated=traced(iterated, statement, left))
    return replace(work.with_line(result), tapes=work.tapes | {asked[0].tape}), left, known


def traced(nodes: Sequence[cst.CSTNode], before: cst.CSTNode, after: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
    """``nodes`` as they are in ``after``, which has as many nodes of each kind as ``before``, in the same order."""
    found: list[cst.CSTNode] = []
    for node in nodes:
        alike, others = ([one for one in nodes_in(root) if type(one) is type(node)] for root in (before, after))
        number = next((number for number, one in enumerate(alike) if one is node), None)
        found.append(node if number is None else others[number])
    return tuple(found)


def plan_asked(work: Work, statement: Statement, asked: Sequence[Asked], setting: Setting) -> Work | Decline:
    """Bring out what is asked for, or have the lines that compute it recorded where they stand."""
    widest = len(asked) == 1 or isinstance(statement, cst.SimpleStatementLine)
    standing: list[cst.CSTNode] = []
    waiting = [*asked]
    while waiting:
        one = waiting.pop(0)
        result = lift_line(work.root, one, widest, setting)
        if isinstance(result, LiftedLine):
            work = work.with_line(result)
            standing += [line for line in one.lines if path_to(result.statement, line) is None]
        elif one.is_name and one.lines:
            standing += one.lines
        elif len(one.expressions) > 1:
            waiting = [*each(one), *waiting]
        else:
            return result
    work = replace(work, tapes=work.tapes | {one.tape for one in asked})
    return replace(work, reopened=(*work.reopened, *dict.fromkeys(standing)))


def each(asked: Asked) -> list[Asked]:
    """The targets that are written alike, one by one."""
    return [replace(asked, expressions=(expression,)) for expression in asked.expressions]


def finish(
    work: Work, tape_at: Sequence[int] | None, tape: str | None, setting: Setting
) -> cst.IndentedBlock | Decline:
    """Record what was planned, unless it is made of gradients: the tape could not tell what these come from."""
    behind = statements_of(work.root)[0 if tape_at is None else tape_at[0] + 1 :]
    if any(is_made_of_gradients(one, behind, setting) for one in (*work.moving, *work.reopened)):
        return Decline("the target is made of a gradient that is asked for outside of the block")
    return recorded_by(tape, work, tape_at, setting)
