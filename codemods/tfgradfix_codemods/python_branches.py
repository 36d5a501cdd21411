"""An `if` on Python values inside a branch: Python goes on choosing, in a conditional expression for each name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.chains import read_chain
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.nodes import operand
from tfgradfix_codemods.side_effects import side_effect

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tfgradfix_codemods.branch_values import Execution
    from tfgradfix_codemods.chains import Branch


def python_choices(node: cst.If, execution: Execution) -> Mapping[str, cst.BaseExpression] | Decline:
    """The value of each name that ``node`` changes: `a if test else b`, all as seen before ``node``.

    Each value is written out whole, since an assignment would be made whatever the test says.
    """
    branches = read_chain(node)
    values: list[Mapping[str, cst.BaseExpression]] = []
    for branch in branches:
        refusal = None if branch.test is None else side_effect(branch.test, execution.site)
        inner = replace(
            execution, current=dict(execution.current), pending={}, added={}, steps=[], comments=[], inline=True
        )
        outcome = inner.run(branch.body) if refusal is None else refusal
        if isinstance(outcome, Decline):
            return outcome
        if outcome.returned is not None:
            return Decline("some branches return and others go on")
        values.append(outcome.values)
        kept = [line for line in branch.comments if line.comment is not None]
        execution.comments.extend([*kept, *outcome.comments, *branch.trailing])
    return joined(branches, values, execution)


def joined(
    branches: Sequence[Branch], values: Sequence[Mapping[str, cst.BaseExpression]], execution: Execution
) -> Mapping[str, cst.BaseExpression] | Decline:
    """The choice among the values of the branches for each name."""
    found: dict[str, cst.BaseExpression] = {}
    for name in dict.fromkeys(name for changed in values for name in changed):
        everywhere = all(name in changed for changed in values)
        if not everywhere and name not in execution.current and not execution.site.has_value(name):
            return Decline(f"`{name}` may have no value where no branch gives it one")
        before = execution.current.get(name, cst.Name(name))
        options = [changed.get(name, before) for changed in values]
        result = options[-1]
        for branch, option in reversed(list(zip(branches, options, strict=True))[:-1]):
            if branch.test is not None:
                test = operand(execution.seen(branch.test))
                result = cst.IfExp(test=test, body=operand(option), orelse=result)
        found[name] = result
    return found
