"""Which argument of a call goes to which parameter of a row, and what holds of it."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix.model import Operand
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.nodes import keyword_of, source, unpacks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tfgradfix.analyse.facts.rows import Condition, Parameter, Row
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
class Argument:
    """One argument: its expression, what the analysis knows of it, and where it stood (None: a method's receiver)."""

    node: cst.BaseExpression
    operand: Operand = UNKNOWN
    place: cst.Arg | None = None


@dataclass(frozen=True)
class Arguments:
    """The arguments of one call by parameter; ``given`` leaves out defaults that are written out."""

    row: Row
    given: Mapping[str, tuple[Argument, ...]]

    def one(self, parameter: str) -> Argument | None:
        """The argument of a parameter, when it was given exactly one."""
        found = self.given.get(parameter, ())
        return found[0] if len(found) == 1 else None

    def hold(self, condition: Condition) -> bool:
        """Whether ``condition`` is known to hold."""
        return _TESTS[condition.test](self, condition)

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
    return Arguments(row, given)


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
    """``operand``, or what a number that is written out tells by itself."""
    if operand.kind != "unknown":
        return operand
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
    """Whether writing ``node`` twice costs nothing and means the same: names, constants, items of such."""
    if isinstance(node, cst.Attribute):
        return is_simple(node.value)
    if isinstance(node, cst.UnaryOperation):
        return is_simple(node.expression)
    if isinstance(node, (cst.Tuple, cst.List)):
        return all(is_simple(item.value) for item in node.elements)
    if isinstance(node, cst.Subscript):
        indices = [item.slice.value for item in node.slice if isinstance(item.slice, cst.Index)]
        return is_simple(node.value) and len(indices) == len(node.slice) and all(map(is_simple, indices))
    return isinstance(node, (cst.Name, cst.BaseNumber, cst.SimpleString))


def dtype_class(name: str | None) -> str | None:
    """The class of a dtype's name: "float", "complex", "integer" or "bool"; None for any other."""
    return None if name is None else _CLASSES.get(name.rstrip("0123456789"))


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


def _operand(test: Callable[[Operand], object]) -> Callable[[Arguments, Condition], bool]:
    """A test on what is known of the one operand."""

    def holds(arguments: Arguments, condition: Condition) -> bool:
        argument = arguments.one(condition.parameter)
        return argument is not None and test(argument.operand) in condition.values

    return holds


_TESTS: dict[str, Callable[[Arguments, Condition], bool]] = {
    "given": lambda arguments, condition: condition.parameter in arguments.given,
    "absent": lambda arguments, condition: condition.parameter not in arguments.given,
    "equals": _equals,
    "literal": _is_literal,
    "kind": _operand(lambda operand: operand.kind),
    "rank": _operand(lambda operand: operand.rank if operand.rank is not None else "unknown"),
    "dtype": _operand(lambda operand: dtype_class(operand.dtype)),
    "display": _shown,
    "count": lambda arguments, condition: len(arguments.given.get(condition.parameter, ())) in condition.values,
}
