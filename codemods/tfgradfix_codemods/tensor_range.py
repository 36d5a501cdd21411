"""A loop runs over `tf.range` although the number of its rounds is known.

What breaks:
    `for i in tf.range(n)` makes a tensor of every `i`: a list or a Python dict cannot be indexed with it in
    `tf.function`, where AutoGraph turns the loop into a graph loop that cannot append to lists, and values made in it
    are lost to the gradient.

Repair:
    `range(n)`, where `n` is a Python integer or a dimension that is known when the function is traced.

Left alone:
    Loops whose bound is a tensor; `tf.range` with floats or a dtype; `tf.range` that is not the iterable of a loop.

Example:
    >>> for i in tf.range(tf.shape(x)[0]):
    <<< for i in range(x.shape[0]):
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.base import Decline, GradientCommand, Level, Rule
from tfgradfix_codemods.nodes import dotted_text, keyword_of, unpacks, without_argument

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix.model import Finding

RULE: Final = Rule(code="TGF302", name="tensor-range", level=Level.SAFE)

#: What `tf.range` takes, in the order of `range`.
ORDER: Final = ("start", "limit", "delta")

#: What else it takes by keyword, and `range` does not.
OPTIONS: Final = frozenset({"dtype", "name"})

#: Integer dtypes, in which a loop counts as Python does.
INTEGERS: Final = ("int32", "int64")


class TensorRangeCommand(GradientCommand):
    """Loop over Python integers where the number of rounds is known."""

    DESCRIPTION = "for i in tf.range(n) becomes for i in range(n) where n is static"
    RULE = RULE

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        """Write `range`."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        return self.settle(finding, updated_node, python_range(updated_node, finding))


def python_range(call: cst.Call, finding: Finding) -> cst.Call | Decline:
    """`range` with the bounds of a `tf.range`; the analysis may give the last bound as a static expression."""
    if unpacks(call.args):
        return Decline("its arguments are unpacked, so that the bounds are not known")
    if isinstance(call.func, cst.Name) and call.func.value == "range":
        return Decline("range means TensorFlow's range here")
    if not 1 <= sum(keyword_of(argument) not in OPTIONS for argument in call.args) <= 3:
        return Decline("it is given something else than bounds and a step")
    if not all(keyword_of(argument) == "name" or counts(argument) for argument in call.args):
        return Decline("it counts in floats, or in a dtype of its own")
    for option in [argument for argument in call.args if keyword_of(argument) in OPTIONS]:
        call = without_argument(call, option)
    bounds = list(call.args)
    if any(argument.keyword is not None for argument in bounds):
        bounds = by_position(bounds)
    bound = finding.fact("bound")
    if bound is not None:
        last = 0 if len(bounds) == 1 else 1
        bounds[last] = bounds[last].with_changes(value=cst.parse_expression(bound))
    return call.with_changes(func=cst.Name("range", lpar=call.func.lpar, rpar=call.func.rpar), args=bounds)


def counts(argument: cst.Arg) -> bool:
    """Whether a bound is no float, or a dtype an integer one."""
    if keyword_of(argument) == "dtype":
        return (dotted_text(argument.value) or "").rpartition(".")[2] in INTEGERS
    value = argument.value.expression if isinstance(argument.value, cst.UnaryOperation) else argument.value
    return not isinstance(value, cst.Float)


def by_position(bounds: Sequence[cst.Arg]) -> list[cst.Arg]:
    """Bounds given by keyword, in the order in which `range` takes them."""
    given = {
        keyword_of(bound) or name: bound.value for name, bound in zip(("start", "limit", "delta"), bounds, strict=False)
    }
    if "limit" not in given:
        given = {"start": cst.Integer("0"), "limit": given["start"], "delta": given.get("delta", cst.Integer("1"))}
    return [cst.Arg(given[name]) for name in ("start", "limit", "delta") if name in given]
