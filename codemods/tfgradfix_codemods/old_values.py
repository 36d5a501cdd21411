"""The values that names had before an `if`, where its branches leave them alone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.branch_values import RETURNED
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.names_read import names_read

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tfgradfix_codemods.branch_values import Outcome
    from tfgradfix_codemods.sites import Site


def with_old_values(outcomes: Sequence[Outcome], site: Site) -> Sequence[Outcome] | Decline:
    """``outcomes`` with the value that a name had before where a branch does not change it.

    A name that the branches only add to needs none: there the term is chosen and not the sum.
    """
    whole = list(outcomes)
    for name in result_names(outcomes):
        added = [outcome.added.get(name) for outcome in outcomes]
        signs = {type(term[0]) for term in added if term is not None}
        changed = [name in outcome.values for outcome in outcomes]
        if len(signs) == 1 and [term is not None for term in added] == changed:
            continue
        if not all(changed) and not site.has_value(name):
            return Decline(f"`{name}` may have no value where no branch gives it one")
        whole = [replace_value(outcome, name) for outcome in whole]
    return whole


def read_everywhere(outcomes: Sequence[Outcome]) -> Mapping[str, frozenset[str]]:
    """For each name whose values meet, and what is returned, the names that all branches compute it from.

    The gradient flows through those whatever branch is taken.
    """
    found: dict[str, frozenset[str]] = {}
    for name in result_names(outcomes):
        reads = [names_read(outcome.values[name]) for outcome in outcomes if name in outcome.values]
        found[name] = frozenset.intersection(*reads) if len(reads) == len(outcomes) else frozenset()
    returned = [names_read(outcome.returned) for outcome in outcomes if outcome.returned is not None]
    found[RETURNED] = frozenset.intersection(*returned) if len(returned) == len(outcomes) else frozenset()
    return found


def replace_value(outcome: Outcome, name: str) -> Outcome:
    """``outcome`` with the last value of ``name`` written out, whether or not the branch changes it."""
    added = {other: term for other, term in outcome.added.items() if other != name}
    values = dict(outcome.values)
    values.setdefault(name, cst.Name(name))
    return replace(outcome, values=values, added=added)


def result_names(outcomes: Sequence[Outcome]) -> list[str]:
    """The names whose values meet, in the order in which the branches first give them one."""
    return list(dict.fromkeys(name for outcome in outcomes for name in outcome.values))
