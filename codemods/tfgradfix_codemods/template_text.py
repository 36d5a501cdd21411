"""Turns the text of a form into nodes: placeholders become the source's own arguments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import libcst as cst
import libcst.matchers as m

from tfgradfix_codemods.nodes import atom, bare, dotted_text, operand

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_PLACEHOLDER = re.compile(r"\{(?P<name>\w+)(?::(?P<filter>\w+))?(?:\|(?P<default>[^}]*))?\}")
_PREFIX = "placeholder_"


@dataclass(frozen=True)
class Placeholder:
    """One ``{name:filter|default}`` of a form."""

    name: str
    filter: str
    default: str | None


@dataclass(frozen=True)
class Template:
    """The text of a form, parsed; the placeholder number 3 stands in it as the name ``placeholder_3``."""

    expression: cst.BaseExpression
    placeholders: tuple[Placeholder, ...]
    optional: frozenset[int]
    """The placeholders that are left out, with their keyword, when nothing was given."""


@cache
def parse(write: str) -> Template:
    """The template of a form's text.

    Raises ParserSyntaxError when the text is no expression.
    """
    found: list[Placeholder] = []

    def name_of(match: re.Match[str]) -> str:
        found.append(Placeholder(match["name"], match["filter"] or "", match["default"]))
        return f"{_PREFIX}{len(found) - 1}"

    expression = cst.parse_expression(_PLACEHOLDER.sub(name_of, write))
    keywords = m.findall(expression, m.Arg(keyword=m.Name()))
    numbers = [number_of(argument.value) for argument in keywords if isinstance(argument, cst.Arg)]
    return Template(expression, tuple(found), frozenset(number for number in numbers if number is not None))


def fill(
    template: Template,
    values: Mapping[int, tuple[cst.BaseExpression, ...]],
    tensorflow: Callable[[str], cst.BaseExpression],
) -> cst.BaseExpression:
    """The expression of ``template``, each placeholder replaced by its values; none: its argument is left out."""
    number = number_of(template.expression)
    if number is not None:
        return values[number][0]
    filled = template.expression.deep_clone().visit(_Fill(values, tensorflow))
    if not isinstance(filled, cst.BaseExpression):
        raise TypeError("a form has to be an expression")
    return filled


class _Fill(cst.CSTTransformer):
    """Puts values where placeholders stand, with parentheses where an operator would bind more tightly."""

    def __init__(
        self,
        values: Mapping[int, tuple[cst.BaseExpression, ...]],
        tensorflow: Callable[[str], cst.BaseExpression],
    ) -> None:
        super().__init__()
        self.values = values
        self.tensorflow = tensorflow

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        return not (dotted_text(node) or "").startswith("tf.")

    def leave_Attribute(self, original_node: cst.Attribute, updated_node: cst.Attribute) -> cst.BaseExpression:
        name = dotted_text(original_node) or ""
        if name.startswith("tf."):
            return self.tensorflow(name.removeprefix("tf."))
        return updated_node.with_changes(value=atom(updated_node.value))

    def visit_Arg(self, node: cst.Arg) -> bool:
        return number_of(node.value) is None

    def leave_Arg(
        self, original_node: cst.Arg, updated_node: cst.Arg
    ) -> cst.Arg | cst.FlattenSentinel[cst.Arg] | cst.RemovalSentinel:
        number = number_of(original_node.value)
        if number is None:
            return updated_node
        values = self.values[number]
        if not values:
            return cst.RemoveFromParent()
        return cst.FlattenSentinel([updated_node.with_changes(value=bare(value)) for value in values])

    def leave_Call(self, _original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        """Space the arguments as usual, whatever was left out."""
        arguments = [argument.with_changes(comma=_BETWEEN) for argument in updated_node.args]
        if arguments:
            arguments[-1] = arguments[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)
        return updated_node.with_changes(args=arguments)

    def visit_Element(self, node: cst.Element) -> bool:
        return number_of(node.value) is None

    def leave_Element(self, original_node: cst.Element, updated_node: cst.Element) -> cst.Element:
        number = number_of(original_node.value)
        return updated_node if number is None else updated_node.with_changes(value=bare(self.values[number][0]))

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        number = number_of(original_node)
        return updated_node if number is None else operand(self.values[number][0])


_BETWEEN = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))


def number_of(node: cst.BaseExpression) -> int | None:
    """The number of the placeholder that ``node`` stands for, if it is one."""
    if isinstance(node, cst.Name) and node.value.startswith(_PREFIX):
        return int(node.value.removeprefix(_PREFIX))
    return None
