"""The forms of an `if` on tensors: branches that give names values, branches that return, Python tests in front."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.arrangement import assigned_lines, returned_lines
from tfgradfix_codemods.chains import Branch, read_chain
from tfgradfix_codemods.conditions import conditions
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.joined_kinds import NUMBERS
from tfgradfix_codemods.kept_comments import keeps_comments
from tfgradfix_codemods.liveness import is_module_name, is_read_after, is_read_inside
from tfgradfix_codemods.masks import needs_python, protection
from tfgradfix_codemods.questions import Answer, Question
from tfgradfix_codemods.straight_lines import meet
from tfgradfix_codemods.value_kinds import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tfgradfix_codemods.sites import Site


#: An `else` of so many statements may be written twice.
SHORT: Final = 2


def answered(question: Question) -> Answer | Decline:
    """``question.node`` without tests on tensors, or why it has to stay."""
    if all(question.python):
        return Decline("none of its tests is on tensors")
    if question.python[0]:
        return behind_python_test(question)
    if is_split(question):
        return behind_first_operand(question)
    branches = read_chain(question.node)
    answer = (
        returning(question, branches)
        if any(branch.ends_in_return for branch in branches)
        else assigning(question, branches)
    )
    if isinstance(answer, Decline):
        return answer
    replaced = (question.written or question.node, *(question.following if answer.takes_following else ()))
    if not keeps_comments(replaced, answer.statements):
        return Decline("a comment stands inside an expression that goes")
    return answer


def behind_python_test(question: Question) -> Answer | Decline:
    """A chain that begins with a Python test keeps it; what stands behind `elif` is answered by itself."""
    rest = question.after_first_test()
    if rest is None:
        return Decline("none of its tests is on tensors")
    leaves = leaves_block(question.node.body)
    inner = answered(rest if leaves else replace(rest, following=()))
    if isinstance(inner, Decline):
        return inner
    if leaves:
        return replace(inner, statements=(question.node.with_changes(orelse=None), *inner.statements))
    if any(isinstance(statement, cst.SimpleStatementLine) and returns(statement) for statement in inner.statements):
        return Decline("some branches return and others go on")
    block = cst.Else(cst.IndentedBlock(list(inner.statements)))
    return replace(inner, statements=(question.node.with_changes(orelse=block),))


def is_split(question: Question) -> bool:
    """Whether the test is `a and b`, where `a` may be None or decides whether `b` can be evaluated."""
    test = question.node.test
    if not isinstance(test, cst.BooleanOperation) or not isinstance(test.operator, cst.And):
        return False
    rest = question.node.orelse
    short = rest is None or (isinstance(rest, cst.Else) and len(rest.body.body) <= SHORT)
    if not short:
        return False
    if needs_python(test.left, question.site):
        return True
    return kind_of(test.left, question.site) in NUMBERS and protection(test, question.site) is not None


def behind_first_operand(question: Question) -> Answer | Decline:
    """`if flag and tensor:` is `if flag:` round `if tensor:`, which is answered; both have the same `else`."""
    test = cst.ensure_type(question.node.test, cst.BooleanOperation)
    right = test.right.with_changes(lpar=[], rpar=[])
    inner = answered(replace(question, node=question.node.with_changes(test=right, leading_lines=[])))
    if isinstance(inner, Decline):
        return inner
    if inner.takes_following and len(question.following) > 1:
        return Decline("what follows would have to be written twice")
    left = test.left.with_changes(lpar=[], rpar=[])
    orelse = cst.ensure_type(question.node.orelse, cst.Else) if question.node.orelse is not None else None
    outer = cst.If(test=left, body=cst.IndentedBlock(list(inner.statements)), orelse=orelse)
    return Answer((outer.with_changes(leading_lines=question.node.leading_lines),))


def leaves_block(block: cst.BaseSuite) -> bool:
    """Whether the last statement of a block returns or raises."""
    last = block.body[-1] if block.body else None
    small = last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last
    return isinstance(small, (cst.Return, cst.Raise))


def returns(statement: cst.SimpleStatementLine) -> bool:
    """Whether a line returns."""
    return isinstance(statement.body[-1], cst.Return)


def assigning(question: Question, branches: Sequence[Branch]) -> Answer | Decline:
    """Branches that give names values."""
    site = question.site

    def is_result(name: str) -> bool:
        return name in question.wanted or is_read_after(name, site)

    masks = conditions(tests_of(branches), question.python, site)
    if isinstance(masks, Decline):
        return masks
    meeting = meet(branches, masks, is_result, question.fresh, site)
    if isinstance(meeting, Decline):
        return meeting
    lines = assigned_lines(branches, meeting, question.fresh)
    return lines if isinstance(lines, Decline) else Answer(tuple(lines))


def returning(question: Question, branches: Sequence[Branch]) -> Answer | Decline:
    """Branches that return; where the chain falls through, what follows is its last branch."""
    first = next((index for index, branch in enumerate(branches) if not branch.ends_in_return), None)
    takes_following = first is not None
    if first is not None and any(branch.ends_in_return for branch in branches[first:]):
        return Decline("some branches return and others go on")
    if first is not None and first < len(branches) - 1:
        rest = go_on(question, first)
        if isinstance(rest, Decline):
            return rest
        branches = (*branches[:first], Branch(None, rest))
    if takes_following:
        last = branches[-1]
        branches = (*branches[:-1], replace(last, body=(*last.body, *question.following)))
        if not branches[-1].ends_in_return:
            return Decline("what is returned otherwise does not stand behind it in the same block")
    masks = conditions(tests_of(branches), question.python[: len(branches) - 1], question.site)
    if isinstance(masks, Decline):
        return masks
    site = question.site
    meeting = meet(branches, masks, outlives(site), question.fresh, site)
    if isinstance(meeting, Decline):
        return meeting
    lines = returned_lines(branches, meeting, question.fresh)
    return lines if isinstance(lines, Decline) else Answer(tuple(lines), takes_following)


def go_on(question: Question, first: int) -> tuple[cst.BaseStatement, ...] | Decline:
    """The branches from number ``first`` on, which do not return, as straight-line code."""
    rest: Question | None = question
    for _ in range(first):
        rest = None if rest is None else rest.after_first_test()
    if rest is None:
        return Decline("some branches return and others go on")
    answer = answered(rest)
    return answer if isinstance(answer, Decline) else answer.statements


def outlives(site: Site) -> Callable[[str], bool]:
    """Tells the names that are read although the function has returned."""
    return lambda name: is_module_name(name, site) or is_read_inside(name, site)


def tests_of(branches: Sequence[Branch]) -> list[cst.BaseExpression]:
    """The tests of a chain."""
    return [branch.test for branch in branches if branch.test is not None]
