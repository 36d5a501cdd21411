"""What a test says about the sign of the values that it compares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.nodes import source
from tfgradfix_codemods.positive_values import constant

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
    elif isinstance(test, cst.Comparison):
        left = test.left
        for part in test.comparisons:
            found.update(dict.fromkeys(positive_texts(left, part.operator, part.comparator, site), condition))
            left = part.comparator
    return found


def positive_texts(
    left: cst.BaseExpression, operator: cst.BaseCompOp, right: cst.BaseExpression, site: Site
) -> Iterator[str]:
    """The text of what is positive when one comparison holds: `x` for `x > 0` and `0 < x`, `-x` for `x < 0`."""
    low, high = constant(left, site), constant(right, site)
    if isinstance(operator, (cst.LessThan, cst.LessThanEqual)):
        left, right, low, high = right, left, high, low
    elif not isinstance(operator, (cst.GreaterThan, cst.GreaterThanEqual)):
        return
    # From here on `left` is above `right`.
    strict = isinstance(operator, (cst.GreaterThan, cst.LessThan))
    if high is not None and low is None and (high > 0 or (strict and high == 0)):
        yield source(left)
    if low is not None and high is None and (low < 0 or (strict and low == 0)):
        yield f"-{source(right)}"
