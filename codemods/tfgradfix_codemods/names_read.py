"""The names that an expression or statement reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.nodes import dotted_text, source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

JOINING_CALLS: Final = frozenset({"logical_and", "logical_or", "logical_not", "cast"})


class _Reads(cst.CSTVisitor):
    """Gathers names and chains of names from `self` (`self.limit`), but no keywords and no attributes of others."""

    def __init__(self, indices: bool = True, functions: bool = False) -> None:
        """Count names in ``indices``, and names of called ``functions``, or not."""
        super().__init__()
        self.names: list[str] = []
        self.indices = indices
        self.functions = functions

    def visit_Name(self, node: cst.Name) -> None:
        self.names.append(node.value)

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        text = dotted_text(node)
        if text is not None and text.startswith("self."):
            self.names.append(text)
            return False
        node.value.visit(self)
        return False

    def visit_AssignTarget(self, node: cst.AssignTarget) -> bool:
        return not isinstance(node.target, cst.Name)

    def visit_AnnAssign(self, node: cst.AnnAssign) -> bool:
        if node.value is not None:
            node.value.visit(self)
        return False

    def visit_Arg(self, node: cst.Arg) -> bool:
        node.value.visit(self)
        return False

    def visit_Subscript(self, node: cst.Subscript) -> bool:
        node.value.visit(self)
        return self.indices

    def visit_Call(self, node: cst.Call) -> bool:
        # The name of a called function is no value; what a method is called on is one.
        if self.functions or not isinstance(node.func, (cst.Name, cst.Attribute)):
            node.func.visit(self)
        elif isinstance(node.func, cst.Attribute):
            node.func.value.visit(self)
        for argument in node.args:
            argument.visit(self)
        return False


def names_read(node: cst.CSTNode, indices: bool = True) -> frozenset[str]:
    """The names that ``node`` reads; without ``indices``, those that only pick an element are left out."""
    visitor = _Reads(indices)
    node.visit(visitor)
    return frozenset(visitor.names)


def mentions(node: cst.CSTNode, name: str) -> bool:
    """Whether ``node`` reads ``name``, or calls it."""
    visitor = _Reads(functions=True)
    node.visit(visitor)
    return name in visitor.names


def compared(tests: Iterable[cst.BaseExpression]) -> frozenset[str]:
    """The text of what the tests compare: since a test is one yes or no, each of these has one element."""
    return frozenset(source(side) for test in tests for side in sides(test))


def sides(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """Both sides of each comparison in a test and what it takes for true or false, `and`, `or` and `not` followed."""
    if isinstance(test, cst.Comparison):
        yield from (test.left, *(part.comparator for part in test.comparisons))
    elif isinstance(test, cst.BooleanOperation):
        yield from (*sides(test.left), *sides(test.right))
    elif isinstance(test, cst.UnaryOperation):
        yield from sides(test.expression)
    elif isinstance(test, cst.Call) and source(test.func).rpartition(".")[2] in JOINING_CALLS:
        for argument in test.args:
            yield from sides(argument.value)
    elif isinstance(test, (cst.Name, cst.Attribute, cst.Subscript)):
        yield test
