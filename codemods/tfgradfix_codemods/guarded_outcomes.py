"""Makes what a branch computes harmless where the branch is not taken."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.branch_values import RETURNED, Outcome, Step
from tfgradfix_codemods.conditions import PLACEHOLDER, Condition
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.exposed_values import exposed
from tfgradfix_codemods.masks import is_boolean, negated
from tfgradfix_codemods.name_sources import sources_of
from tfgradfix_codemods.names_read import names_read
from tfgradfix_codemods.nodes import call
from tfgradfix_codemods.positive_tests import found_positive
from tfgradfix_codemods.safe_branches import Guard, Helpers, harmless
from tfgradfix_codemods.side_effects import side_effect

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tfgradfix_codemods.sites import Site


@dataclass(frozen=True)
class Guarding:
    """What makes one branch harmless: when it is taken, and where the names of guarded arguments come from.

    With no tensor to guard by, ``guard`` is None; where nothing may be assigned, ``helpers`` is None.
    """

    guard: Guard | None
    helpers: Helpers | None
    site: Site

    def step(self, step: Step) -> Sequence[Step] | Decline:
        """An assignment of the branch, behind those of the arguments that it needs."""
        # No gradient comes back through a mask.
        is_mask = is_boolean(step.value, self.site) and side_effect(step.value, self.site) is None
        value = step.value if is_mask else safe(step.value, self.guard, self.site, self.helpers)
        return value if isinstance(value, Decline) else [*self.assignments(), replace(step, value=value)]

    def assignments(self) -> Sequence[Step]:
        """The assignments of guarded arguments that have not been made yet."""
        return () if self.helpers is None else [Step(*helper) for helper in self.helpers.take()]


def made_harmless(outcome: Outcome, guarding: Guarding, shared: Mapping[str, frozenset[str]]) -> Outcome | Decline:
    """``outcome`` with everything in it finite where its branch is not taken.

    ``shared`` says which names the values of a name in all branches are computed from.
    """
    steps: list[Step] = []
    for step in outcome.steps:
        made = guarding.step(step)
        if isinstance(made, Decline):
            return made
        steps += made
    # Of a name that is added to only the term is chosen; the sum itself flows on either way.
    values = {**outcome.values, **{name: term for name, (_, term) in outcome.added.items()}}
    if outcome.returned is not None:
        values[RETURNED] = outcome.returned
    for name, old in values.items():
        value = safe(old, guarding.guard, guarding.site, guarding.helpers, shared.get(name, frozenset()))
        if isinstance(value, Decline):
            return value
        values[name] = value
    steps += guarding.assignments()
    added = {name: (operator, values[name]) for name, (operator, _) in outcome.added.items()}
    returned = values.pop(RETURNED, None)
    sums = {name: outcome.values[name] for name in added}
    return replace(outcome, steps=tuple(steps), values={**values, **sums}, added=added, returned=returned)


def safe(
    value: cst.BaseExpression,
    guard: Guard | None,
    site: Site,
    helpers: Helpers | None,
    shared: frozenset[str] = frozenset(),
) -> cst.BaseExpression | Decline:
    """``value`` with what it hides, ``shared`` names aside, written out and guarded.

    With no tensor to guard by it stays.
    """
    if guard is None:
        return value
    if isinstance(value, cst.Tuple):
        return safe_tuple(value, guard, site, helpers, shared)
    shown = exposed(value, guard, shared, site)
    return shown if isinstance(shown, Decline) else harmless(shown, guard, site, helpers)


def safe_tuple(
    value: cst.Tuple, guard: Guard, site: Site, helpers: Helpers | None, shared: frozenset[str]
) -> cst.BaseExpression | Decline:
    """A tuple with each element made safe."""
    elements = []
    for element in value.elements:
        new = safe(element.value, guard, site, helpers, shared)
        if isinstance(new, Decline):
            return new
        elements.append(element.with_changes(value=new))
    return value.with_changes(elements=elements)


def taken(position: int, conditions: Sequence[Condition], site: Site) -> Condition | None:
    """The mask of the branch at ``position``, as far as tensors decide; None when they do not.

    It is the mask of its own test when that is the first, and else made of this and those before.
    """
    own = conditions[position] if position < len(conditions) and not conditions[position].python else None
    earlier = [condition for condition in conditions[:position] if not condition.python]
    if not earlier:
        return own
    mask = negated(earlier[0].name, site)
    for condition in earlier[1:]:
        mask = call(site.tensorflow("logical_and"), mask, negated(condition.name, site))
    if own is not None:
        mask = call(site.tensorflow("logical_and"), mask, own.name)
    wanted = "otherwise" if own is None else "taken"
    test = conditions[-1].test if own is None else own.test
    name = cst.Name(f"{PLACEHOLDER}{wanted}_{position}")
    return Condition(test, mask, name, python=False, movable=True, wanted=wanted)


def guard_of(position: int, mask: Condition, conditions: Sequence[Condition], site: Site) -> Guard:
    """The guard of the branch at ``position``, which is taken where ``mask`` holds."""
    decided = frozenset[str]().union(*(names_read(condition.test, indices=False) for condition in conditions))
    decided -= site.meanings.keys()
    own = conditions[position] if position < len(conditions) and not conditions[position].python else None
    positive = {} if own is None else found_positive(own.test, own.name, site)
    return Guard(mask.name, positive, decided, sources_of(decided, site))
