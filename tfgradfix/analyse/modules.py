"""The modules of a program: their trees, parents, positions in characters, and which import means which file."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Final

from tfgradfix.discover.files import may_matter
from tfgradfix.model import Position, Span

#: Names by which a gradient is asked for.
ASKING: Final = frozenset(
    {"gradient", "gradients", "jacobian", "batch_jacobian", "minimize", "compile", "GradientTape"}
)
#: Names of methods that too many classes have to tell anything.
DULL: Final = frozenset(
    {"__init__", "__call__", "call", "build", "get_config", "from_config", "update", "get", "run", "step"}
)


def _collect_names(node: ast.AST, inside: list[set[str]], found: dict[int, tuple[str, set[str]]]) -> None:
    """Enter each function's name and every name and attribute that it mentions, nested functions included."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        used: set[str] = set()
        found[id(node)] = (node.name, used)
        inside = [*inside, used]
    elif inside and isinstance(node, (ast.Attribute, ast.Name)):
        name = node.attr if isinstance(node, ast.Attribute) else node.id
        for used in inside:
            used.add(name)
    for child in ast.iter_child_nodes(node):
        _collect_names(child, inside, found)


class Module:
    """One file of the program, parsed."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.tree = ast.parse(text)
        self.lines = re.split(r"\r\n|\r|\n", text)
        self._parents: dict[int, ast.AST] | None = None

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node that holds ``node``."""
        if self._parents is None:
            self._parents = {id(child): outer for outer in ast.walk(self.tree) for child in ast.iter_child_nodes(outer)}
        return self._parents.get(id(node))

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The innermost statement that holds ``node`` (itself, when it is one)."""
        current: ast.AST | None = node
        while current is not None and not isinstance(current, ast.stmt):
            current = self.parent(current)
        return current

    def position(self, line: int, column: int) -> Position:
        """A row and byte column of ``ast`` as a row and character column, both from 1."""
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        characters = column if text.isascii() else len(text.encode()[:column].decode(errors="ignore"))
        return Position(line, characters + 1)

    def span(self, node: ast.AST) -> Span:
        """Where a node stands in the file."""
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        end_line, end_column = getattr(node, "end_lineno", line), getattr(node, "end_col_offset", column)
        return Span(str(self.path), self.position(line, column), self.position(end_line, end_column))

    def source(self, node: ast.AST) -> str:
        """The text of a node on one line, cut short for messages."""
        text = " ".join((ast.get_source_segment(self.text, node) or "").split())
        return text if len(text) <= 60 else text[:57] + "..."


class Program:
    """All modules of a program and the way from an import to a file."""

    def __init__(self, sources: Mapping[Path, str]) -> None:
        self.modules = {path: Module(path, text) for path, text in sources.items()}
        #: Where a search begins; the other modules are run when they are imported.
        self.starts = [module for module in self.modules.values() if may_matter(module.text.encode())]
        self._asking: set[int] | None = None
        # A notebook cannot be imported; it may lie beside a module of the same name.
        self._by_parts = {
            self._parts(path): module for path, module in self.modules.items() if PurePath(path).suffix != ".ipynb"
        }

    def asks(self, function: ast.AST) -> bool:
        """Whether a function may lead to a gradient call, by the names in it and in what it names, and so on."""
        if self._asking is None:
            self._asking = self._functions_that_ask()
        return id(function) in self._asking

    def asks_itself(self, function: ast.AST) -> bool:
        """Whether a gradient is asked for in the text of a function."""
        used = {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)}
        return bool(used & ASKING)

    def _functions_that_ask(self) -> set[int]:
        names: dict[int, tuple[str, set[str]]] = {}
        for module in self.modules.values():
            _collect_names(module.tree, [], names)
        asking = {key for key, (_, used) in names.items() if used & ASKING}
        known = {name for key, (name, _) in names.items() if key in asking} - DULL
        growing = True
        while growing:
            found = {key for key, (_, used) in names.items() if key not in asking and used & known}
            asking |= found
            known |= {names[key][0] for key in found} - DULL
            growing = bool(found)
        return asking

    @staticmethod
    def _parts(path: Path) -> tuple[str, ...]:
        parts = PurePath(path).with_suffix("").parts
        return parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts

    def resolve(self, importer: Module, name: str, level: int) -> Module | None:
        """The module that ``import name`` (``level`` dots) in ``importer`` brings, if the program holds it.

        An absolute name is looked for beside the importer and in each folder above it, nearest first:
        scripts see their neighbours, packages their root.
        """
        wanted = tuple(name.split(".")) if name else ()
        folder = tuple(PurePath(importer.path).parent.parts)
        if level:
            base = folder[: len(folder) - (level - 1)]
            return self._by_parts.get(base + wanted)
        if not wanted:
            return None
        for depth in range(len(folder), -1, -1):
            for middle in ((), ("src",)):
                found = self._by_parts.get(folder[:depth] + middle + wanted)
                if found is not None and found is not importer:
                    return found
        return None

    def is_package(self, name: str, importer: Module, level: int) -> bool:
        """Whether ``name`` is a folder of the program (a package, with or without ``__init__``)."""
        folder = tuple(PurePath(importer.path).parent.parts)
        base = folder[: len(folder) - (level - 1)] if level else folder
        wanted = tuple(name.split(".")) if name else ()
        prefixes = [base + wanted] if level else [folder[:depth] + wanted for depth in range(len(folder), -1, -1)]
        return any(parts[: len(prefix)] == prefix for prefix in prefixes for parts in self._by_parts if wanted or level)
