"""The names that statements read, bind and change in place, and the statements that must stay where they are.

Names of comprehensions and lambdas are known inside these only, and do not count.
"""

from __future__ import annotations

from collections import Counter
from functools import singledispatchmethod
from typing import Final

import libcst as cst

from tfgradfix_codemods.every_name import names_in
from tfgradfix_codemods.nodes import dotted_text
from tfgradfix_codemods.surroundings import names_bound

#: Attributes that are the same as long as the object is.
STEADY: Final = frozenset({"shape", "dtype", "ndim", "rank", "name"})

#: Why a statement that ends the function must not be moved.
LEAVES: Final = "it leaves the function"


class NamesOfStatements:
    """Looks at statements and gathers names; what calls do is for a subclass."""

    def __init__(self) -> None:
        """Begin with nothing gathered."""
        self.reads: set[str] = set()
        self.binds: set[str] = set()
        self.touches: set[str] = set()
        self.stays: str | None = None
        self.guards = False
        self.local: Counter[str] = Counter()
        self.loops = 0

    def note(self, places: set[str], node: cst.BaseExpression) -> None:
        """Add the object that ``node`` names to ``places``, unless it is known inside a comprehension only."""
        place = place_of(node)
        if place is not None and not self.local[place.split(".")[0]]:
            places.add(place)

    def store(self, target: cst.BaseExpression) -> None:
        """Note an assignment to ``target``."""
        if isinstance(target, (cst.Tuple, cst.List)):
            for element in target.elements:
                self.store(element.value)
        elif isinstance(target, cst.Name):
            self.note(self.binds, target)
        else:
            self.note(self.touches, target)
            self.look(target)

    def call(self, node: cst.Call) -> None:
        """Note a call, whose arguments have been looked at."""
        self.look(node.func)

    @singledispatchmethod
    def look(self, node: cst.CSTNode) -> None:
        """Note what ``node`` does."""
        for child in node.children:
            self.look(child)

    @look.register
    def _(self, node: cst.Name) -> None:
        self.note(self.reads, node)

    @look.register
    def _(self, node: cst.Attribute) -> None:
        steady = node.attr.value in STEADY
        if steady or dotted_text(node) is None:
            self.look(node.value)
        if not steady:
            self.note(self.reads, node)

    @look.register
    def _(self, node: cst.Arg) -> None:
        self.look(node.value)

    @look.register
    def _(self, node: cst.Call) -> None:
        for argument in node.args:
            self.look(argument)
        self.call(node)

    @look.register
    def _(self, _node: cst.Annotation) -> None:
        """An annotation does nothing."""

    @look.register
    def _(self, node: cst.AssignTarget) -> None:
        self.store(node.target)

    @look.register
    def _(self, node: cst.AugAssign) -> None:
        self.look(node.value)
        self.look(node.target)
        self.store(node.target)

    @look.register
    def _(self, node: cst.AnnAssign) -> None:
        if node.value is not None:
            self.look(node.value)
            self.store(node.target)

    @look.register
    def _(self, node: cst.NamedExpr) -> None:
        self.look(node.value)
        self.store(node.target)

    @look.register
    def _(self, node: cst.AsName) -> None:
        self.store(node.name)

    @look.register(cst.For)
    @look.register(cst.While)
    def _(self, node: cst.For | cst.While) -> None:
        if isinstance(node, cst.For):
            self.look(node.iter)
            self.store(node.target)
        else:
            self.look(node.test)
        self.loops += 1
        self.look(node.body)
        self.loops -= 1
        if node.orelse is not None:
            self.look(node.orelse)

    @look.register
    def _(self, node: cst.BaseComp) -> None:
        own = names_of_comprehension(node.for_in)
        self.local.update(own)
        for child in node.children:
            self.look(child)
        self.local.subtract(own)

    @look.register
    def _(self, node: cst.CompFor) -> None:
        for part in (node.iter, *node.ifs, node.inner_for_in):
            if part is not None:
                self.look(part)

    @look.register
    def _(self, node: cst.Lambda) -> None:
        own = names_in(node.params)
        self.local.update(own)
        self.look(node.body)
        self.local.subtract(own)

    @look.register(cst.FunctionDef)
    @look.register(cst.ClassDef)
    def _(self, node: cst.FunctionDef | cst.ClassDef) -> None:
        self.binds.add(node.name.value)
        self.reads |= names_in(node)
        self.stays = "it defines a function or class"

    @look.register
    def _(self, node: cst.ImportAlias) -> None:
        self.stays = "it imports"
        self.binds.add(node.evaluated_alias or node.evaluated_name.split(".")[0])

    @look.register
    def _(self, node: cst.Return) -> None:
        self.guards = True
        self.stays = LEAVES
        if node.value is not None:
            self.look(node.value)

    @look.register(cst.Yield)
    @look.register(cst.Await)
    def _(self, _node: cst.Yield | cst.Await) -> None:
        self.guards = True
        self.stays = "it leaves the function for a while"

    @look.register(cst.Break)
    @look.register(cst.Continue)
    def _(self, _node: cst.Break | cst.Continue) -> None:
        if not self.loops:
            self.guards = True
            self.stays = "it ends a turn of the loop"

    @look.register(cst.Raise)
    @look.register(cst.Assert)
    def _(self, node: cst.Raise | cst.Assert) -> None:
        self.guards = True
        for child in node.children:
            self.look(child)

    @look.register
    def _(self, node: cst.Del) -> None:
        self.stays = "it deletes a name"
        self.binds |= names_in(node.target)

    @look.register(cst.Global)
    @look.register(cst.Nonlocal)
    def _(self, _node: cst.Global | cst.Nonlocal) -> None:
        self.stays = "it declares a name"

    @look.register
    def _(self, node: cst.Match) -> None:
        self.stays = "it is a match statement"
        self.binds |= names_in(node)


def place_of(node: cst.BaseExpression) -> str | None:
    """The dotted name of the object that ``node`` is, or is an element of."""
    while isinstance(node, cst.Subscript):
        node = node.value
    if isinstance(node, cst.Attribute):
        before = place_of(node.value)
        return None if before is None else f"{before}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else None


def names_of_comprehension(clause: cst.CompFor) -> tuple[str, ...]:
    """The names that a comprehension binds, those of its inner `for` included."""
    inner = () if clause.inner_for_in is None else names_of_comprehension(clause.inner_for_in)
    return (*names_bound(clause.target), *inner)
