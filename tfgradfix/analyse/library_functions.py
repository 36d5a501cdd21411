"""Library functions that are handed on as values: ``{"tanh": np.tanh}``, ``partial(np.maximum, 0.0)``, ``map(f, x)``.

Where such a function is called, the text names a parameter or an item of a table; what can be rewritten is the place
that names the function.
"""

from __future__ import annotations

import ast
from collections import defaultdict

from tfgradfix.analyse.modules import Module
from tfgradfix.analyse.objects import LibraryName
from tfgradfix.analyse.scopes import Frame
from tfgradfix.analyse.values import Value

Mention = tuple[ast.expr, Module]


class LibraryFunctions:
    """Where the functions of libraries are named, and what they are given where they are called by another name."""

    def __init__(self) -> None:
        self._called: dict[int, set[str]] = defaultdict(set)
        self._mentions: dict[str, dict[int, Mention]] = defaultdict(dict)
        self._given: dict[str, dict[tuple[int, tuple[Value, ...]], None]] = defaultdict(dict)
        self._imported: set[tuple[int, str]] = set()

    def note_import(self, module: Module, name: str) -> None:
        """``from library import name``."""
        self._imported.add((id(module), name))

    def names_library(self, frame: Frame, name: str) -> bool:
        """Whether a name is Python's own, or what the module imports under it."""
        return frame.lookup(name) is None or self.is_imported(frame.module, name)

    def is_imported(self, module: Module, name: str) -> bool:
        """Whether a module binds a name by importing it from somewhere."""
        return (id(module), name) in self._imported

    def mention(self, syntax: ast.expr, module: Module, value: Value) -> None:
        """An expression that names what a library has under that name."""
        for ref in value.refs:
            if isinstance(ref, LibraryName):
                self._mentions[ref.label][id(syntax)] = (syntax, module)

    def call(self, syntax: ast.expr, function: Value) -> None:
        """An expression that names a library function and stands before the parentheses of a call."""
        self._called[id(syntax)] |= {ref.label for ref in function.refs if isinstance(ref, LibraryName)}

    def is_direct(self, label: str, syntax: ast.AST) -> bool:
        """Whether a call names the function itself."""
        return isinstance(syntax, ast.Call) and label in self._called.get(id(syntax.func), ())

    def note_call(self, label: str, syntax: ast.AST, arguments: list[Value]) -> None:
        """A call under another name, with what it is given."""
        self._given[label][id(syntax), tuple(arguments)] = None

    def given(self, label: str) -> list[tuple[Value, ...]]:
        """What a function is given, call by call, where it is called under other names."""
        return [arguments for _, arguments in self._given[label]]

    def values(self, label: str) -> list[Mention]:
        """Where a function is named as a value, and not to be called at once."""
        return [place for key, place in self._mentions[label].items() if key not in self._called]
