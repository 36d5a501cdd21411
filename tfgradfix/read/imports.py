"""Which files of the project a module runs by importing."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tfgradfix.discover.modules import resolve_import

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def imported_files(path: Path, tree: ast.Module) -> tuple[Path, ...]:
    """The files of the project that the imports in ``tree``, the module in ``path``, lead to, in source order."""
    files: dict[Path, None] = {}
    for module, level in _imports(tree):
        files.update(dict.fromkeys(resolve_import(path, module, level)))
    files.pop(path, None)
    return tuple(files)


def _imports(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, 0
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            yield module, node.level
            for alias in node.names:
                # The name may be a module of the package.
                yield f"{module}.{alias.name}" if module else alias.name, node.level


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Every statement, in source order; imports stand in no expression, and most of a tree is expressions."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for block in ("cases", "finalbody", "orelse", "handlers", "body"):
            inner = getattr(node, block, None)
            if isinstance(inner, list):
                waiting += reversed(inner)
