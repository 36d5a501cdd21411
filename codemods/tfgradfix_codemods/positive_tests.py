"""What a test says about the sign of the values that it compares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.nodes import source
from tfgradfix_codemods.positive_values import constant

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tfgradfix_codemods.sites import Site


def found_positive(
    test: cst.BaseExpression, condition: cst.BaseExpression, site: Site
) -> Mapping[str, cst.BaseExpression]:
    """The text of everything that is positive when ``test`` holds, each with ``condition``."""
    is_and = isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And)
    found: dict[str, cst.BaseExpression] = {}
    if isinstance(test, cst.BooleanOperation) and is_and:
        for side in (test.left, test.right):
            found.update(found_positive(side, condition, site))
    elif isinstance(test, cst.Call) and source(test.func) == source(site.tensorflow("logical_and")):
        for argument in test.args:
            found.update(found_positive(argument.value, condition, site))
    elif isinstance(test, cst.Comparison) and len(test.comparisons) == 1 and is_lower_bound(test.comparisons[0], site):
        found[source(test.left)] = condition
    return found


def is_lower_bound(part: cst.ComparisonTarget, site: Site) -> bool:
    """Whether `... > bound` says of the left side that it is positive."""
    bound = constant(part.comparator, site)
    if bound is None:
        return False
    strict = isinstance(part.operator, cst.GreaterThan)
    return bound >= 0 if strict else isinstance(part.operator, cst.GreaterThanEqual) and bound > 0
