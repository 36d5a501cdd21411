"""Tests whether the conditions of a form are known to hold of the arguments of a call."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.nodes import source
from tfgradfix_codemods.template_arguments import dtype_class, literal_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfgradfix.analyse.facts.rows import Condition
    from tfgradfix.model import Operand
    from tfgradfix_codemods.template_arguments import Arguments


def hold(arguments: Arguments, *conditions: Condition) -> bool:
    """Whether every one of ``conditions`` is known to hold."""
    return all(_TESTS[condition.test](arguments, condition) for condition in conditions)


def _given(arguments: Arguments, condition: Condition) -> bool:
    return condition.parameter in arguments.given


def _absent(arguments: Arguments, condition: Condition) -> bool:
    return condition.parameter not in arguments.given


def _counted(arguments: Arguments, condition: Condition) -> bool:
    return len(arguments.given.get(condition.parameter, ())) in condition.values


def _equals(arguments: Arguments, condition: Condition) -> bool:
    argument = arguments.one(condition.parameter)
    default = arguments.default(condition.parameter)
    try:
        value = ast.literal_eval(default or "") if argument is None else literal_of(argument.node)
    except (ValueError, SyntaxError):
        return argument is not None and source(argument.node) in _spellings(condition.values)
    return any(value == known and isinstance(value, bool) == isinstance(known, bool) for known in condition.values)


def _spellings(values: tuple[object, ...]) -> set[str]:
    """How the infinities are written, which have no literal."""
    infinities = {"inf": ("np.inf", "numpy.inf", "math.inf"), "-inf": ("-np.inf", "-numpy.inf", "-math.inf")}
    return {text for value in values if isinstance(value, str) for text in infinities.get(value, ())}


def _is_literal(arguments: Arguments, condition: Condition) -> bool:
    argument = arguments.one(condition.parameter)
    if argument is None:
        return False
    try:
        literal_of(argument.node)
    except ValueError:
        return False
    return True


def _shown(arguments: Arguments, condition: Condition) -> bool:
    argument = arguments.one(condition.parameter)
    return argument is not None and _display(argument.node) in condition.values


def _display(node: cst.BaseExpression) -> str:
    """How a list or tuple is written out, "flat" or "nested"; "" for anything else."""
    sequences = (cst.List, cst.Tuple, cst.ListComp)
    if isinstance(node, cst.ListComp):
        return "nested" if isinstance(node.elt, sequences) else "flat"
    if not isinstance(node, (cst.List, cst.Tuple)) or any(
        isinstance(item, cst.StarredElement) for item in node.elements
    ):
        return ""
    return "nested" if any(isinstance(item.value, sequences) for item in node.elements) else "flat"


def _same_rank(arguments: Arguments, condition: Condition) -> bool:
    names = (condition.parameter, *map(str, condition.values))
    found = [argument.operand.rank for name in names if (argument := arguments.one(name)) is not None]
    return len(found) == len(names) and found[0] is not None and len(set(found)) == 1


def _operand(test: Callable[[Operand], object]) -> Callable[[Arguments, Condition], bool]:
    """A test on what is known of the one operand."""

    def holds(arguments: Arguments, condition: Condition) -> bool:
        argument = arguments.one(condition.parameter)
        return argument is not None and test(argument.operand) in condition.values

    return holds


_TESTS: dict[str, Callable[[Arguments, Condition], bool]] = {
    "given": _given,
    "absent": _absent,
    "equals": _equals,
    "literal": _is_literal,
    "kind": _operand(lambda operand: operand.kind),
    "rank": _operand(lambda operand: operand.rank if operand.rank is not None else "unknown"),
    "dtype": _operand(lambda operand: dtype_class(operand.dtype)),
    "display": _shown,
    "count": _counted,
    "same_rank": _same_rank,
}
