"""Whether an expression can be evaluated although the program would not have: no side effects, nothing that fails.

A branch that is not taken is evaluated all the same once `tf.where` chooses. So everything in it has to be known: the
kinds of expression, and each function that it calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.names_read import names_read
from tfgradfix_codemods.nodes import source
from tfgradfix_codemods.operations import METHODS
from tfgradfix_codemods.returned_values import called_function

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tfgradfix_codemods.sites import Site

#: Expressions that do nothing but compute, as far as their operands do.
PLAIN: Final = (
    cst.Name,
    cst.Attribute,
    cst.BaseNumber,
    cst.SimpleString,
    cst.ConcatenatedString,
    cst.Ellipsis,
    cst.UnaryOperation,
    cst.BinaryOperation,
    cst.BooleanOperation,
    cst.Comparison,
    cst.IfExp,
    cst.Call,
    cst.Subscript,
    cst.Tuple,
    cst.List,
)


def side_effect(node: cst.BaseExpression, site: Site) -> Decline | None:
    """Why ``node`` must not be evaluated where the program would not, or None."""
    visitor = _Unevaluable(site)
    node.visit(visitor)
    return visitor.refusal


class _Unevaluable(cst.CSTVisitor):
    """Looks for the first thing in an expression that is not known to be harmless."""

    def __init__(self, site: Site) -> None:
        super().__init__()
        self.site = site
        self.refusal: Decline | None = None

    def on_visit(self, node: cst.CSTNode) -> bool:
        if self.refusal is None:
            self.refusal = self.examine(node)
        return self.refusal is None

    def examine(self, node: cst.CSTNode) -> Decline | None:
        """Why this one node stands in the way."""
        if isinstance(node, cst.BaseExpression) and not isinstance(node, PLAIN):
            return Decline(f"`{shortened(node)}` cannot be evaluated in a branch that is not taken")
        if isinstance(node, cst.Call):
            return self.examine_call(node)
        return None

    def examine_call(self, node: cst.Call) -> Decline | None:
        """Why a call stands in the way."""
        name = shortened(node.func)
        if any(argument.star for argument in node.args):
            return Decline(f"the arguments of `{name}` are unpacked, so their meaning is not known")
        if self.site.operation(node.func) is not None:
            return None
        if isinstance(node.func, cst.Attribute) and node.func.attr.value in METHODS:
            return None
        definition = called_function(node.func, self.site)
        if definition is None or definition in self.site.path or self.site.is_far:
            return Decline(f"it is not known what `{name}` does when its branch is not taken")
        for value, there in computed_values(definition, self.site):
            refusal = (
                Decline(f"`{name}` does more than compute a value") if value is None else side_effect(value, there)
            )
            if refusal is not None:
                return refusal
        return None


def computed_values(definition: cst.FunctionDef, site: Site) -> Iterator[tuple[cst.BaseExpression | None, Site]]:
    """Every expression that a function evaluates, with its place; None for a statement that does more."""
    for statement in statements_in(definition.body.body):
        if is_idle(statement):
            continue
        there = site.at(statement)
        if isinstance(statement, cst.If):
            yield statement.test, there
        elif isinstance(statement, (cst.Assign, cst.AnnAssign, cst.AugAssign, cst.Return)):
            yield statement.value if gives_names_values(statement) else None, there
        else:
            yield None, there


def statements_in(body: Sequence[cst.CSTNode]) -> Iterator[cst.CSTNode]:
    """The statements of a block, each small one by itself, and those in the branches of an `if` behind it."""
    for statement in body:
        if isinstance(statement, cst.SimpleStatementLine):
            yield from statement.body
            continue
        yield statement
        if isinstance(statement, cst.If):
            yield from statements_in(statement.body.body)
            if statement.orelse is not None:
                rest = statement.orelse
                yield from statements_in([rest] if isinstance(rest, cst.If) else rest.body.body)


def gives_names_values(node: cst.Assign | cst.AnnAssign | cst.AugAssign | cst.Return) -> bool:
    """Whether a statement returns, or changes plain names only."""
    if isinstance(node, cst.Return):
        return True
    targets = [target.target for target in node.targets] if isinstance(node, cst.Assign) else [node.target]
    return all(isinstance(target, cst.Name) for target in targets)


def is_idle(node: cst.CSTNode) -> bool:
    """Whether a statement does nothing: `pass`, a docstring, `...`."""
    if isinstance(node, cst.Expr):
        return isinstance(node.value, (cst.SimpleString, cst.ConcatenatedString, cst.Ellipsis, cst.BaseNumber))
    return isinstance(node, cst.Pass)


def risky_index(node: cst.BaseExpression, decided: frozenset[str], site: Site) -> Decline | None:
    """Why an element may not be there unless the tests say so: its index is among what they compare (``decided``)."""
    visitor = _Indices(site)
    node.visit(visitor)
    for index in visitor.found:
        if (names_read(index) - site.meanings.keys()) & decided:
            return Decline(f"the test may protect the index `{shortened(index)}`")
    return None


class _Indices(cst.CSTVisitor):
    """Gathers what picks elements: indices, those of `gather` and of the scatter functions. Slices cannot fail."""

    def __init__(self, site: Site) -> None:
        super().__init__()
        self.site = site
        self.found: list[cst.BaseExpression] = []

    def visit_Index(self, node: cst.Index) -> None:
        self.found.append(node.value)

    def visit_Call(self, node: cst.Call) -> None:
        known = self.site.operation(node.func)
        if known is not None and known.name == "gather":
            self.found.extend(argument.value for argument in node.args[1:])
        if known is not None and known.name.startswith("tensor_scatter_nd_"):
            self.found.extend(argument.value for argument in node.args[1:2])


def shortened(node: cst.CSTNode) -> str:
    """The text of ``node`` for a message, on one line and not too long."""
    text = " ".join(source(node).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
