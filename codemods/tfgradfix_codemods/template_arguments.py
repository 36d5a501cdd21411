"""Which argument of a call goes to which parameter of a row, and what is known of it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix.model import Operand
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.nodes import keyword_of, source, unpacks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tfgradfix.analyse.facts.rows import Parameter, Row
    from tfgradfix.model import Finding

UNKNOWN = Operand("unknown")

#: The class of a dtype that is not told by the beginning of its name.
_CLASSES = {
    "int": "integer",
    "uint": "integer",
    "bool": "bool",
    "float": "float",
    "bfloat": "float",
    "complex": "complex",
}


@dataclass(frozen=True)
class NeedsName(Decline):
    """A refusal that would not be one if the expression had a name."""


@dataclass(frozen=True)
class Argument:
    """One argument: its expression, what the analysis knows of it, and where it stood (None: a method's receiver)."""

    node: cst.BaseExpression
    operand: Operand = UNKNOWN
    place: cst.Arg | None = None


@dataclass(frozen=True)
class Arguments:
    """The arguments of one call by parameter; ``given`` leaves out defaults that are written out.

    ``scope`` is what stands before the function's name: `np.random` of `np.random.normal(...)`.
    """

    row: Row
    given: Mapping[str, tuple[Argument, ...]]
    scope: cst.BaseExpression | None = None

    def one(self, parameter: str) -> Argument | None:
        """The argument of a parameter, when it was given exactly one."""
        found = self.given.get(parameter, ())
        return found[0] if len(found) == 1 else None

    def default(self, parameter: str) -> str | None:
        """The text of a parameter's default."""
        return next((known.default for known in self.row.parameters if known.name == parameter), None)


def bind(row: Row, node: cst.Call | cst.Attribute, finding: Finding) -> Arguments | Decline:
    """The arguments of ``node`` under the parameters of ``row``, or why they cannot be told."""
    receiver = _receiver(row, node)
    if isinstance(receiver, Decline):
        return receiver
    given: dict[str, tuple[Argument, ...]] = {}
    operands = dict(enumerate(finding.operands))
    if receiver is not None:
        given[row.parameters[0].name] = (Argument(receiver, operands.get(0, UNKNOWN)),)
    arguments = node.args if isinstance(node, cst.Call) else ()
    if unpacks(arguments):
        return Decline("arguments are unpacked by * or **, so their meaning is not known")
    for position, place in enumerate(arguments, start=len(given)):
        parameter = row.parameter_of(position, keyword_of(place))
        if parameter is None:
            return Decline(f"{row.symbol} has no parameter for {source(place.value)}")
        if not _is_default(parameter, place.value):
            found = Argument(place.value, _known(place.value, operands.get(position, UNKNOWN)), place)
            given[parameter.name] = (*given.get(parameter.name, ()), found)
    function = node.func if isinstance(node, cst.Call) else node
    return Arguments(row, given, function.value if isinstance(function, cst.Attribute) else None)


def _receiver(row: Row, node: cst.Call | cst.Attribute) -> cst.BaseExpression | Decline | None:
    """The object of a method or attribute; None for a function."""
    if not row.parameters or row.parameters[0].name != "self":
        return None
    if isinstance(node, cst.Attribute):
        return node.value
    if isinstance(node.func, cst.Attribute):
        return node.func.value
    return Decline("the method was stored under a name of its own, so its object is not at hand")


def _known(node: cst.BaseExpression, operand: Operand) -> Operand:
    """``operand``, or what a number or a list that is written out tells by itself."""
    if operand.kind != "unknown":
        return operand
    if isinstance(node, (cst.List, cst.ListComp, cst.Tuple)):
        return Operand("tuple" if isinstance(node, cst.Tuple) else "list")
    try:
        number = literal_of(node)
    except ValueError:
        return operand
    plain = isinstance(number, (int, float, complex)) and not isinstance(number, bool)
    return Operand("number", type(number).__name__, 0) if plain else operand


def _is_default(parameter: Parameter, value: cst.BaseExpression) -> bool:
    if parameter.default is None:
        return False
    try:
        return bool(literal_of(value) == ast.literal_eval(parameter.default)) and parameter.way != "rest"
    except ValueError:
        return False


def literal_of(node: cst.BaseExpression) -> object:
    """The value of a literal.

    Raises ValueError when ``node`` is not one.
    """
    try:
        return ast.literal_eval(source(node).strip())
    except (SyntaxError, TypeError) as error:
        raise ValueError(f"not a literal: {source(node)}") from error


def is_simple(node: cst.BaseExpression) -> bool:
    """Whether writing ``node`` twice costs next to nothing: names, constants, their items and slices."""
    if isinstance(node, cst.Attribute):
        return is_simple(node.value)
    if isinstance(node, cst.UnaryOperation):
        return is_simple(node.expression)
    if isinstance(node, (cst.Tuple, cst.List)):
        return all(is_simple(item.value) for item in node.elements)
    if isinstance(node, cst.Subscript):
        return is_simple(node.value) and all(map(is_simple, _bounds(node)))
    return isinstance(node, (cst.Name, cst.BaseNumber, cst.SimpleString))


def _bounds(node: cst.Subscript) -> list[cst.BaseExpression]:
    """The indices of a subscript, and the bounds of its slices."""
    found: list[cst.BaseExpression | None] = []
    for item in node.slice:
        part = item.slice
        found += [part.value] if isinstance(part, cst.Index) else [part.lower, part.upper, part.step]  # type: ignore[attr-defined]
    return [bound for bound in found if bound is not None]


def dtype_class(name: str | None) -> str | None:
    """The class of a dtype's name: "float", "complex", "integer" or "bool"; None for any other."""
    return None if name is None else _CLASSES.get(name.rstrip("0123456789"))
