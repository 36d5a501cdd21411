"""What an import binds: modules of the program are run, names of libraries are known by their path."""

from __future__ import annotations

import ast

from tfgradfix.analyse.core import Core
from tfgradfix.analyse.objects import Container
from tfgradfix.analyse.values import UNKNOWN, Kind, Value


class ImportStatements(Core):
    """Execute imports."""

    def _do_import(self, node: ast.Import) -> None:
        for alias in node.names:
            name = alias.name if alias.asname else alias.name.partition(".")[0]
            self.frame.bind(alias.asname or name, self.imported(name, 0))
            if "." in alias.name:
                self.imported(alias.name, 0)

    def _do_importfrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            if alias.name == "*":
                self._import_all(node)
            else:
                self.frame.bind(alias.asname or alias.name, self._member(node.module or "", node.level, alias.name))
                self.functions.note_import(self.frame.module, alias.asname or alias.name)

    def imported(self, name: str, level: int) -> Value:
        """The module of that name: one of the program, or a library's."""
        module = self.program.resolve(self.frame.module, name, level)
        if module is not None:
            self.run_module(module)
            return Value(Kind.MODULE, refs=frozenset({self.module_object(module)}))
        return self.library(name) if not level else UNKNOWN

    def _member(self, module_name: str, level: int, name: str) -> Value:
        module = self.program.resolve(self.frame.module, module_name, level)
        if module is not None:
            found = (self.run_module(module).names or {}).get(name)
            if found is not None:
                return found
        inner = f"{module_name}.{name}" if module_name else name
        if self.program.resolve(self.frame.module, inner, level) is not None:
            return self.imported(inner, level)
        return UNKNOWN if level or module is not None else self.library(inner)

    def _import_all(self, node: ast.ImportFrom) -> None:
        module = self.program.resolve(self.frame.module, node.module or "", node.level)
        if module is None:
            return
        names = self.run_module(module).names or {}
        listed = names.get("__all__")
        public = (
            {item.const for ref in listed.refs if isinstance(ref, Container) for item in ref.elements()}
            if listed
            else None
        )
        for name, value in list(names.items()):
            if name in public if public is not None else not name.startswith("_"):
                self.frame.bind(name, value)
