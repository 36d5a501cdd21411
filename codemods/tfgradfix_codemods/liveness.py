"""Whether the value that a name has after a statement is read later in its function."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.names_read import mentions
from tfgradfix_codemods.sites import LOOPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix_codemods.sites import Site


class Fate(Enum):
    """What happens first to the value of a name in a run of statements."""

    READ = "it is read"
    GONE = "it is replaced, or the function ends"
    KEPT = "neither"


def is_read_after(name: str, site: Site) -> bool:
    """Whether the value of ``name`` behind the statement at ``site`` may be read, by inner functions also."""
    if is_module_name(name, site) or is_read_inside(name, site):
        return True
    for depth in range(len(site.path) - 1, 0, -1):
        above, below = site.path[depth - 1], site.path[depth]
        if isinstance(above, cst.IndentedBlock):
            position = next(index for index, node in enumerate(above.body) if node is below)
            fate = fate_in(name, above.body[position + 1 :])
            if fate is not Fate.KEPT:
                return fate is Fate.READ
        if isinstance(above, LOOPS) and fate_in(name, [above]) is Fate.READ:
            return True
        if isinstance(above, (cst.Try, cst.TryStar)) and mentions(above, name):
            return True
        if above is site.function:
            return False
    return True


def is_module_name(name: str, site: Site) -> bool:
    """Whether the name belongs to the module, where anything may read it."""
    bound = site.bindings.get(name, ())
    return isinstance(site.function, cst.Module) or any(binding.place is site.function for binding in bound)


def is_read_inside(name: str, site: Site) -> bool:
    """Whether a function inside the function reads the name, whenever it is called."""
    inner = _InnerFunctions()
    if isinstance(site.function, cst.FunctionDef):
        site.function.body.visit(inner)
    return any(mentions(function, name) for function in inner.found)


class _InnerFunctions(cst.CSTVisitor):
    """Gathers functions and lambdas."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[cst.CSTNode] = []

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        self.found.append(node)

    def visit_Lambda(self, node: cst.Lambda) -> None:
        self.found.append(node)


def fate_in(name: str, body: Sequence[cst.CSTNode]) -> Fate:
    """What happens first to the value of ``name`` in ``body``; in doubt, that it is read."""
    for statement in body:
        fate = fate_in_statement(name, statement)
        if fate is not Fate.KEPT:
            return fate
    return Fate.KEPT


def fate_in_statement(name: str, statement: cst.CSTNode) -> Fate:
    """What one statement does to the value of ``name``."""
    if isinstance(statement, cst.SimpleStatementLine):
        return fate_in(name, statement.body)
    if isinstance(statement, cst.Assign):
        targets = [target.target for target in statement.targets]
        others = [target for target in targets if not isinstance(target, cst.Name)]
        if mentions(statement.value, name) or any(mentions(target, name) for target in others):
            return Fate.READ
        return (
            Fate.GONE if any(isinstance(target, cst.Name) and target.value == name for target in targets) else Fate.KEPT
        )
    if isinstance(statement, (cst.Return, cst.Raise)):
        return Fate.READ if mentions(statement, name) else Fate.GONE
    if isinstance(statement, cst.If):
        return fate_in_if(name, statement)
    if isinstance(statement, LOOPS):
        return fate_in_loop(name, statement)
    if isinstance(statement, cst.With):
        head = any(mentions(item, name) for item in statement.items)
        return Fate.READ if head else fate_in(name, statement.body.body)
    return Fate.READ if mentions(statement, name) else Fate.KEPT


def fate_in_loop(name: str, statement: cst.For | cst.While) -> Fate:
    """What a loop does to the value of ``name``; it may run no times at all."""
    head = statement.iter if isinstance(statement, cst.For) else statement.test
    rest = statement.orelse.body.body if statement.orelse is not None else ()
    if mentions(head, name) or Fate.READ in {fate_in(name, statement.body.body), fate_in(name, rest)}:
        return Fate.READ
    return Fate.KEPT


def fate_in_if(name: str, statement: cst.If) -> Fate:
    """What an `if` does to the value of ``name``."""
    if mentions(statement.test, name):
        return Fate.READ
    fates = [fate_in(name, statement.body.body)]
    if isinstance(statement.orelse, cst.If):
        fates.append(fate_in_if(name, statement.orelse))
    elif statement.orelse is not None:
        fates.append(fate_in(name, statement.orelse.body.body))
    else:
        fates.append(Fate.KEPT)
    if Fate.READ in fates:
        return Fate.READ
    return Fate.GONE if set(fates) == {Fate.GONE} else Fate.KEPT
