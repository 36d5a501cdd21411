"""Where in an expression a value or gradient may be NaN or infinite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.positive_values import constant, is_nonpositive, is_positive
from tfgradfix_codemods.side_effects import shortened
from tfgradfix_codemods.value_kinds import kind_of

if TYPE_CHECKING:
    from tfgradfix_codemods.operations import Operation
    from tfgradfix_codemods.sites import Site

DIVISIONS: Final = (cst.Divide, cst.FloorDivide, cst.Modulo)

#: Functions that are finite for every positive argument.
FINITE_IF_POSITIVE: Final = frozenset(
    {"log", "log1p", "log2", "log10", "sqrt", "rsqrt", "reciprocal", "lgamma", "digamma"}
)

#: Functions that are finite for every argument that is not above zero.
FINITE_IF_NONPOSITIVE: Final = frozenset({"exp", "exp2", "expm1"})

POWERS: Final = frozenset({"pow", "power"})


@dataclass(frozen=True)
class Danger:
    """One operand for which an operation may fail to be finite.

    ``position`` is that of the argument, or 0 and 1 for left and right of an operator; ``harmless`` a value for which
    nothing goes wrong; ``weak`` says that a Python number there takes the dtype of the other operand; ``division`` that
    the operand divides; ``helped`` that nothing goes wrong for any positive value.
    """

    argument: cst.BaseExpression
    position: int
    harmless: str = "1"
    weak: bool = False
    division: bool = False
    helped: bool = True


def danger_in(node: cst.BaseExpression, site: Site) -> Danger | Decline | None:
    """The operand of ``node`` itself for which it may fail to be finite; a refusal when there is no telling."""
    if isinstance(node, cst.BinaryOperation):
        if isinstance(node.operator, DIVISIONS):
            return denominator(node.right)
        return danger_in_power(node.left, node.right, site) if isinstance(node.operator, cst.Power) else None
    known = site.operation(node.func) if isinstance(node, cst.Call) else None
    if known is None or not isinstance(node, cst.Call):
        return None
    if known.name in POWERS or known.risk is not None:
        return danger_in_call(node, known, site)
    return None


def denominator(node: cst.BaseExpression) -> Danger:
    """The danger of dividing by ``node``."""
    return Danger(node, position=1, weak=True, division=True)


def danger_in_power(base: cst.BaseExpression, exponent: cst.BaseExpression, site: Site) -> Danger | None:
    """A power is finite for a whole exponent that is not negative, and for a positive base with a constant exponent."""
    number = constant(exponent, site)
    if number is not None and number >= 0 and number == int(number):
        return None
    if number is None and kind_of(base, site) in {"number", "bool"}:
        return Danger(exponent, position=1, weak=True, helped=False)
    return Danger(base, position=0, weak=True, helped=number is not None)


def danger_in_call(node: cst.Call, known: Operation, site: Site) -> Danger | Decline | None:
    """The argument for which a known function may fail to be finite."""
    position = 0 if known.risk is None else known.risk.position
    given = node.args[: 2 if known.name in POWERS else position + 1]
    if len(given) <= position or any(argument.keyword is not None for argument in given):
        return Decline(f"the arguments of `{shortened(node)}` are given by name")
    if known.risk is None:
        return danger_in_power(given[0].value, given[1].value, site)
    argument = given[position].value
    if known.name in FINITE_IF_NONPOSITIVE and is_nonpositive(argument, site):
        return None
    helped = known.risk.weak or known.name in FINITE_IF_POSITIVE
    found = Danger(argument, position, known.risk.harmless, known.risk.weak, known.risk.weak, helped)
    return found if known.makes_tensors else danger_in_data(node, found, site)


def danger_in_data(node: cst.Call, found: Danger, site: Site) -> Danger | Decline | None:
    """A function on data cannot be guarded: its argument has to be a number that hangs on no branch."""
    if constant(found.argument, site) is None and kind_of(found.argument, site) != "number":
        return Decline(f"`{shortened(node)}` may not be finite in a branch that is not taken")
    return None


def is_harmless(danger: Danger, site: Site) -> bool:
    """Whether the operand is one for which nothing goes wrong, whatever the data."""
    value = constant(danger.argument, site)
    if value is not None:
        return value != 0 if danger.division else value > 0 and danger.helped
    if danger.helped and is_positive(danger.argument, site):
        return True
    # Settings and data are not chosen by the test.
    return kind_of(danger.argument, site) in {"number", "bool", "ndarray"}
