"""Puts masks, steps and choices in order as statements, with the comments that stood among the branches."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.choices import Chosen, candidate
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.mask_names import with_masks
from tfgradfix_codemods.names_read import names_read
from tfgradfix_codemods.new_lines import Lines, assignment, line, standing
from tfgradfix_codemods.old_values import result_names
from tfgradfix_codemods.straight_lines import Meeting, added_term, choice_among, refusal_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix_codemods.branch_values import Step
    from tfgradfix_codemods.chains import Branch
    from tfgradfix_codemods.fresh_names import FreshNames

#: From this number of tests on, the choices are made one after another and not inside each other.
MANY: Final = 3


def assigned_lines(branches: Sequence[Branch], meeting: Meeting, fresh: FreshNames) -> Lines | Decline:
    """The statements for branches that give names values."""
    names = result_names(meeting.outcomes)
    if not names:
        return Decline("the branches give nothing that is used later")
    chosen: list[tuple[str, cst.BaseAugOp | None, Chosen]] = []
    for name in names:
        addition = added_term(name, meeting)
        values = [outcome.values.get(name, cst.Name(name)) for outcome in meeting.outcomes]
        refusal = refusal_of(values, meeting.site)
        if refusal is not None:
            return refusal
        chosen.append((name, *addition) if addition is not None else (name, None, choice_among(values, meeting)))
    if len(names) == 1 and chosen[0][1] is None and is_long(meeting):
        return whole(branches, meeting, one_after_another(names[0], meeting, fresh), fresh)
    if needs_old_values(chosen):
        if any(operator is not None for _, operator, _ in chosen):
            return Decline("the names that the branches change depend on each other")
        return whole(branches, meeting, [together([(name, value) for name, _, value in chosen])], fresh)
    return whole(
        branches, meeting, [assignment(name, operator, value.value) for name, operator, value in chosen], fresh
    )


def returned_lines(branches: Sequence[Branch], meeting: Meeting, fresh: FreshNames) -> Lines | Decline:
    """The statements for branches that return."""
    values = [outcome.returned for outcome in meeting.outcomes if outcome.returned is not None]
    if len(values) < len(meeting.outcomes):
        return Decline("a branch returns nothing")
    if result_names(meeting.outcomes):
        return Decline("a branch changes a name that outlives the function")
    if all(isinstance(value, cst.Tuple) for value in values):
        return returned_tuple(branches, meeting, [value for value in values if isinstance(value, cst.Tuple)], fresh)
    refusal = refusal_of(values, meeting.site)
    if refusal is not None:
        return refusal
    if is_long(meeting):
        return whole(branches, meeting, one_after_another(None, meeting, fresh), fresh)
    return whole(branches, meeting, [line(cst.Return(standing(choice_among(values, meeting).value)))], fresh)


def returned_tuple(
    branches: Sequence[Branch], meeting: Meeting, values: Sequence[cst.Tuple], fresh: FreshNames
) -> Lines | Decline:
    """`return a, b` in every branch: each element is chosen by itself."""
    if len({len(value.elements) for value in values}) > 1:
        return Decline("the branches return tuples of different lengths")
    elements = []
    for column in zip(*(value.elements for value in values), strict=True):
        options = [element.value for element in column]
        refusal = refusal_of(options, meeting.site)
        if refusal is not None:
            return refusal
        elements.append(column[0].with_changes(value=choice_among(options, meeting).value))
    return whole(branches, meeting, [line(cst.Return(values[0].with_changes(elements=elements)))], fresh)


def is_long(meeting: Meeting) -> bool:
    """Whether one expression with all choices would be hard to read."""
    return len(meeting.conditions) >= MANY and not any(condition.python for condition in meeting.conditions)


def one_after_another(name: str | None, meeting: Meeting, fresh: FreshNames) -> Lines:
    """The choices from the last test to the first, each a statement; ``name`` is None for a `return`."""
    values = [outcome.returned if name is None else outcome.values.get(name) for outcome in meeting.outcomes]
    options = [candidate(value if value is not None else cst.Name(name or ""), meeting.site) for value in values]
    *before, last = options
    read = [option.value for option in before] + [condition.mask for condition in meeting.conditions]
    reread = name is None or any(name in names_read(node) for node in read)
    running = fresh.name(name or "result") if reread else cst.Name(name or "")
    lines: Lines = []
    for condition, option in reversed(list(zip(meeting.conditions, before, strict=True))):
        step = replace(meeting, conditions=(condition,))
        last = replace(step.nested([option, last]), value=step.nested([option, last]).value)
        is_first_test = condition is meeting.conditions[0]
        if is_first_test and name is None:
            lines.append(line(cst.Return(last.value)))
        else:
            target = name if is_first_test and name is not None else running.value
            lines.append(assignment(target, None, last.value))
        last = replace(last, value=running)
    return lines


def needs_old_values(chosen: Sequence[tuple[str, cst.BaseAugOp | None, Chosen]]) -> bool:
    """Whether a choice reads a name that an earlier one has changed by then."""
    return any(
        name in names_read(value.value)
        for position, (name, _, _) in enumerate(chosen)
        for _, _, value in chosen[position + 1 :]
    )


def together(chosen: Sequence[tuple[str, Chosen]]) -> cst.SimpleStatementLine:
    """`a, b = x, y`."""
    targets = cst.Tuple([cst.Element(cst.Name(name)) for name, _ in chosen], lpar=[], rpar=[])
    values = cst.Tuple([cst.Element(value.value) for _, value in chosen], lpar=[], rpar=[])
    return line(cst.Assign([cst.AssignTarget(targets)], values))


def whole(branches: Sequence[Branch], meeting: Meeting, choices: Lines, fresh: FreshNames) -> Lines:
    """Masks, steps and ``choices`` with all comments, masks that are used once moved to where they are used."""
    steps: Lines = []
    comments: list[cst.EmptyLine] = []
    for position, (branch, outcome) in enumerate(zip(branches, meeting.outcomes, strict=True)):
        above = branch.comments if position > 0 else ()
        kept = [empty for empty in above if empty.comment is not None]
        lines = [step_line(step) for step in outcome.steps]
        if lines and kept:
            lines[0] = lines[0].with_changes(leading_lines=[*kept, *lines[0].leading_lines])
        else:
            comments += kept
        comments += [*outcome.comments, *branch.trailing]
        steps += lines
    choices = [choices[0].with_changes(leading_lines=comments), *choices[1:]]
    # The guards are made of the conditions, which therefore have to stand above them.
    lines = with_masks(meeting.conditions, with_masks(meeting.guards, [*steps, *choices], fresh), fresh)
    lines[0] = lines[0].with_changes(leading_lines=[*branches[0].comments, *lines[0].leading_lines])
    return lines


def step_line(step: Step) -> cst.SimpleStatementLine:
    """A step as a statement with its comments."""
    return assignment(step.name, None, step.value).with_changes(
        leading_lines=step.above, trailing_whitespace=step.behind
    )
