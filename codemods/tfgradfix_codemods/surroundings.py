"""What a module says about its names: imports, functions defined once, and names that stand for a literal."""

from __future__ import annotations

import builtins
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.resolved_names import full_name, imported_names

if TYPE_CHECKING:
    from collections.abc import Mapping

BUILTINS: Final = frozenset(dir(builtins))


@dataclass(frozen=True)
class Surroundings:
    """The names of one module whose meaning is the same wherever they are read.

    ``imports`` gives the full name of an imported one ("np": "numpy"), ``functions`` and ``methods`` the one definition
    of a function or method of that name; ``builtins`` are those that the module leaves alone, and ``constants`` the
    other names that never change: numbers and strings of the module, imports from the same package.
    """

    imports: Mapping[str, str]
    functions: Mapping[str, cst.FunctionDef]
    methods: Mapping[str, cst.FunctionDef]
    builtins: frozenset[str]
    constants: frozenset[str]

    def full_name(self, node: cst.BaseExpression) -> str | None:
        """``"numpy.random.normal"`` for ``np.random.normal``, or None when its first part is not imported."""
        if isinstance(node, cst.Name) and node.value in self.builtins:
            return f"builtins.{node.value}"
        return full_name(node, self.imports)

    def is_fixed(self, name: str) -> bool:
        """Whether ``name`` stands for the same value at any time."""
        return any(name in known for known in (self.imports, self.functions, self.builtins, self.constants))


def surroundings_of(module: cst.Module) -> Surroundings:
    """Read the names of a module."""
    names = _Names()
    module.visit(names)
    rebound = frozenset(names.bound)
    functions = {name: found[0] for name, found in names.functions.items() if len(found) == 1 and name not in rebound}
    methods = {name: found[0] for name, found in names.methods.items() if len(found) == 1}
    literals = {name for name in literals_of(module) if names.bound[name] == 1}
    return Surroundings(
        imports={name: full for name, full in imported_names(module).items() if name not in rebound},
        functions={name: found for name, found in functions.items() if name not in names.imported | names.classes},
        methods={name: found for name, found in methods.items() if name not in names.attributes},
        builtins=BUILTINS - rebound - names.imported - names.functions.keys() - names.classes,
        constants=frozenset(literals | (names.imported - rebound)),
    )


def literals_of(module: cst.Module) -> frozenset[str]:
    """The names to which the module itself assigns a literal."""
    found: set[str] = set()
    for line in module.body:
        for small in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            if isinstance(small, cst.Assign) and is_literal(small.value):
                found.update(target.target.value for target in small.targets if isinstance(target.target, cst.Name))
    return frozenset(found)


def is_literal(node: cst.BaseExpression) -> bool:
    """Whether ``node`` is a number, a string, or a tuple of such."""
    if isinstance(node, cst.Tuple):
        return all(is_literal(element.value) for element in node.elements)
    if isinstance(node, cst.UnaryOperation):
        return is_literal(node.expression)
    return isinstance(node, (cst.BaseNumber, cst.SimpleString))


class _Names(cst.CSTVisitor):
    """Collects imported names and definitions, and counts how often each name is bound otherwise, in any scope."""

    def __init__(self) -> None:
        super().__init__()
        self.imported: set[str] = set()
        self.functions: dict[str, list[cst.FunctionDef]] = defaultdict(list)
        self.methods: dict[str, list[cst.FunctionDef]] = defaultdict(list)
        self.classes: set[str] = set()
        self.attributes: set[str] = set()
        self.owners: list[type[cst.CSTNode]] = []
        self.bound: Counter[str] = Counter()

    def visit_ImportAlias(self, node: cst.ImportAlias) -> bool:
        self.imported.add(node.evaluated_alias or node.evaluated_name.split(".")[0])
        return False

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        (self.methods if self.owners[-1:] == [cst.ClassDef] else self.functions)[node.name.value].append(node)
        self.owners.append(cst.FunctionDef)

    def leave_FunctionDef(self, _node: cst.FunctionDef) -> None:
        self.owners.pop()

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        self.classes.add(node.name.value)
        self.owners.append(cst.ClassDef)

    def leave_ClassDef(self, _node: cst.ClassDef) -> None:
        self.owners.pop()

    def visit_Param(self, node: cst.Param) -> None:
        self.bound[node.name.value] += 1

    def visit_AssignTarget(self, node: cst.AssignTarget) -> None:
        if isinstance(node.target, cst.Attribute):
            self.attributes.add(node.target.attr.value)
        self.bound.update(names_bound(node.target))

    def visit_AnnAssign(self, node: cst.AnnAssign) -> None:
        self.bound.update(names_bound(node.target))

    def visit_AugAssign(self, node: cst.AugAssign) -> None:
        self.bound.update(names_bound(node.target))

    def visit_For(self, node: cst.For) -> None:
        self.bound.update(names_bound(node.target))

    def visit_CompFor(self, node: cst.CompFor) -> None:
        self.bound.update(names_bound(node.target))

    def visit_NamedExpr(self, node: cst.NamedExpr) -> None:
        self.bound.update(names_bound(node.target))

    def visit_AsName(self, node: cst.AsName) -> None:
        self.bound.update(names_bound(node.name))

    def visit_Global(self, node: cst.Global) -> None:
        self.bound.update(item.name.value for item in node.names)


def names_bound(target: cst.BaseExpression) -> tuple[str, ...]:
    """The names that an assignment to ``target`` binds, in source order."""
    if isinstance(target, cst.Name):
        return (target.value,)
    if isinstance(target, (cst.Tuple, cst.List)):
        return tuple(name for element in target.elements for name in names_bound(element.value))
    return ()
