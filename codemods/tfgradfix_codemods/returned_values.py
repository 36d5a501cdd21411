"""What a function of the same module returns, where its body can be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix_codemods.sites import Site


def called_function(function: cst.BaseExpression, site: Site) -> cst.FunctionDef | None:
    """The definition of a called function or method of `self`, if the module has one and no other of that name.

    A function with decorators other than `tf.function` is not what its body says, so it does not count.
    """
    found: Sequence[cst.CSTNode] = ()
    if isinstance(function, cst.Name):
        found = [binding.place for binding in site.values(function.value)]
    elif (
        isinstance(function, cst.Attribute) and isinstance(function.value, cst.Name) and function.value.value == "self"
    ):
        body = () if site.enclosing_class is None else site.enclosing_class.body.body
        named = [node for node in body if isinstance(node, cst.FunctionDef)]
        found = [node for node in named if node.name.value == function.attr.value]
    definition = found[0] if len(found) == 1 else None
    if not isinstance(definition, cst.FunctionDef) or definition.asynchronous is not None:
        return None
    decorators = {site.full_name(decorator.decorator) for decorator in definition.decorators}
    return definition if decorators <= {"tensorflow.function"} else None


def returned_values(function: cst.BaseExpression, site: Site) -> Sequence[tuple[cst.BaseExpression, Site]]:
    """The values that a called function may return, each with its place; empty when they are not all to be seen."""
    definition = called_function(function, site)
    if definition is None or definition in site.path:
        return ()
    visitor = _Returns()
    definition.body.visit(visitor)
    values = [node.value for node in visitor.found]
    if any(value is None for value in values):
        return ()
    return [(node.value, site.at(node)) for node in visitor.found if node.value is not None]


class _Returns(cst.CSTVisitor):
    """Gathers the `return` statements of one function, not those of functions inside it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[cst.Return] = []

    def visit_Return(self, node: cst.Return) -> None:
        self.found.append(node)

    def visit_FunctionDef(self, _node: cst.FunctionDef) -> bool:
        return False

    def visit_Lambda(self, _node: cst.Lambda) -> bool:
        return False
