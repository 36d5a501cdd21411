"""An `if` on tensors as straight-line code: every branch is evaluated, and `tf.where` chooses what comes of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.branch_values import Execution, Outcome
from tfgradfix_codemods.choices import ZERO, Chosen, candidate, choose
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.guarded_outcomes import Guarding, guard_of, made_harmless, taken
from tfgradfix_codemods.joined_kinds import NUMBERS
from tfgradfix_codemods.lookups import Memory
from tfgradfix_codemods.names_read import compared, names_read, sides
from tfgradfix_codemods.nodes import operand, source
from tfgradfix_codemods.old_values import read_everywhere, with_old_values
from tfgradfix_codemods.safe_branches import Helpers
from tfgradfix_codemods.value_kinds import kind_of
from tfgradfix_codemods.value_shapes import disagreement

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tfgradfix_codemods.chains import Branch
    from tfgradfix_codemods.conditions import Condition
    from tfgradfix_codemods.fresh_names import FreshNames
    from tfgradfix_codemods.sites import Site

#: Kinds of values that are no tensors and cannot become any.
NO_TENSORS: Final = frozenset({"string", "none", "list", "function"})


@dataclass(frozen=True)
class Meeting:
    """Where the branches of one `if` meet again: its masks, what each branch comes to, and the place.

    ``guards`` are the masks of branches that are taken where several conditions say so together.
    """

    conditions: tuple[Condition, ...]
    guards: tuple[Condition, ...]
    outcomes: tuple[Outcome, ...]
    site: Site

    def nested(self, options: Sequence[Chosen]) -> Chosen:
        """The choice among one value of each branch, as one expression."""
        result = options[-1]
        for condition, option in reversed(list(zip(self.conditions, options, strict=False))):
            if condition.python:
                value = cst.IfExp(test=condition.name, body=operand(option.value), orelse=result.value)
                result = Chosen(value, option.numbers and result.numbers)
            else:
                result = choose(condition.name, option, result, self.site)
        return result


def meet(
    branches: Sequence[Branch],
    conditions: tuple[Condition, ...],
    is_result: Callable[[str], bool],
    fresh: FreshNames,
    site: Site,
) -> Meeting | Decline:
    """Follow every branch and make what it computes harmless where it is not taken.

    Args:
        branches: one a condition and the `else`.
        conditions: the masks.
        is_result: tells the names that are read after the `if`.
        fresh: gives out names.
        site: the place of the `if`.
    """
    for condition in conditions:
        site = site.with_locals({condition.name.value: condition.mask})
    tests = [condition.test for condition in conditions if not condition.python]
    site = replace(site, one_element=compared(tests), tensors=compared_tensors(tests, site), memory=Memory())
    outcomes = followed(branches, conditions, is_result, fresh, site)
    if isinstance(outcomes, Decline):
        return outcomes
    masks = [taken(position, conditions, site) for position in range(len(branches))]
    safe_outcomes = all_harmless(outcomes, masks, conditions, fresh)
    if isinstance(safe_outcomes, Decline):
        return safe_outcomes
    local = {name: value for outcome in outcomes for name, value in outcome.site.local.items()}
    guards = tuple(mask for mask in masks if mask is not None and mask not in conditions)
    return Meeting(conditions, guards, safe_outcomes, site.with_locals(local))


def followed(
    branches: Sequence[Branch],
    conditions: Sequence[Condition],
    is_result: Callable[[str], bool],
    fresh: FreshNames,
    site: Site,
) -> Sequence[Outcome] | Decline:
    """What each branch comes to, the old values of names that it leaves alone included."""
    outcomes: list[Outcome] = []
    for position, branch in enumerate(branches):
        needed = needed_elsewhere(branches, conditions, position)
        outcome = Execution(site, is_result, needed, fresh).run(branch.body)
        if isinstance(outcome, Decline):
            return outcome
        outcomes.append(outcome)
    return with_old_values(outcomes, site)


def all_harmless(
    outcomes: Sequence[Outcome],
    masks: Sequence[Condition | None],
    conditions: Sequence[Condition],
    fresh: FreshNames,
) -> tuple[Outcome, ...] | Decline:
    """``outcomes`` with everything in them finite where their branches are not taken."""
    shared = read_everywhere(outcomes)
    found: list[Outcome] = []
    for position, (outcome, mask) in enumerate(zip(outcomes, masks, strict=True)):
        below_python = any(condition.python for condition in conditions[: position + 1])
        if below_python and outcome.steps:
            return Decline("a test in Python decides whether assignments in a branch can be evaluated")
        guard = None if mask is None else guard_of(position, mask, conditions, outcome.site)
        guarding = Guarding(guard, None if below_python else Helpers(fresh), outcome.site)
        made = made_harmless(outcome, guarding, shared)
        if isinstance(made, Decline):
            return made
        found.append(made)
    return tuple(found)


def compared_tensors(tests: Sequence[cst.BaseExpression], site: Site) -> frozenset[str]:
    """The text of what tests on tensors compare with a number: that has to be the tensor."""
    found: set[str] = set()
    for test in tests:
        plain = test.expression if isinstance(test, cst.UnaryOperation) else test
        parts = [] if isinstance(plain, (cst.BooleanOperation, cst.Call)) else list(sides(plain))
        others = [part for part in parts if kind_of(part, site) not in NUMBERS]
        if len(others) == 1:
            found.add(source(others[0]))
    return frozenset(found)


def needed_elsewhere(branches: Sequence[Branch], conditions: Sequence[Condition], position: int) -> frozenset[str]:
    """The names that tests and the other branches read."""
    others = [node for index, branch in enumerate(branches) if index != position for node in branch.body]
    return frozenset[str]().union(*(names_read(node) for node in (*others, *(known.test for known in conditions))))


def refusal_of(values: Sequence[cst.BaseExpression], site: Site) -> Decline | None:
    """Why `tf.where` cannot choose among ``values``, or None."""
    for value in values:
        if kind_of(value, site) in NO_TENSORS:
            return Decline("a branch gives something that is no tensor")
        refusal = disagreement(value, values[-1], site)
        if refusal is not None:
            return refusal
    return None


def choice_among(values: Sequence[cst.BaseExpression], meeting: Meeting) -> Chosen:
    """The choice among one value of each branch."""
    return meeting.nested([candidate(value, meeting.site) for value in values])


def added_term(name: str, meeting: Meeting) -> tuple[cst.BaseAugOp, Chosen] | None:
    """What to add to ``name`` and how, if the branches only add to it."""
    terms = [outcome.added.get(name) for outcome in meeting.outcomes]
    operators = [term[0] for term in terms if term is not None]
    if not operators:
        return None
    options = [ZERO if term is None else candidate(term[1], meeting.site) for term in terms]
    return operators[0], meeting.nested(options)
