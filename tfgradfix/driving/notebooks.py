"""What Python runs for a file: of a notebook its program, in which a name that only IPython gives is made up for.

The code cells are run in order and the first error ends the run, as "Run All" does. Rows keep their numbers.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from tfgradfix.read.source import Source, decode, is_notebook, parse

if TYPE_CHECKING:
    from pathlib import Path

_NAME: Final = "display"
#: Shows values as the notebook would, less the pictures.
_STAND_IN: Final = "display = print; "
_COMPOUND: Final = (
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.For, ast.AsyncFor, ast.While, ast.If, ast.With,
    ast.AsyncWith, ast.Try, ast.Match,
)  # fmt: skip


def program(path: Path, data: bytes) -> bytes:
    """What Python has to run for the file ``path`` that holds ``data``."""
    source = decode(path, data) if is_notebook(path) else None
    return _with_display(source).encode() if isinstance(source, Source) else data


def _with_display(source: Source) -> str:
    """The program, in which ``display`` is defined in front of a first plain statement if nothing else defines it."""
    tree = parse(source)
    if not isinstance(tree, ast.Module) or not _lacks_display(tree):
        return source.text
    for number, statement in enumerate(tree.body):
        first = number == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if not first and not future and not isinstance(statement, _COMPOUND):
            lines = source.text.split("\n")
            lines[statement.lineno - 1] = _STAND_IN + lines[statement.lineno - 1]
            return "\n".join(lines)
    return source.text


def _lacks_display(tree: ast.Module) -> bool:
    used = bound = False
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == _NAME:
            used |= isinstance(node.ctx, ast.Load)
            bound |= not isinstance(node.ctx, ast.Load)
        elif isinstance(node, ast.alias):
            bound |= (node.asname or node.name) == _NAME
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound |= node.name == _NAME
    return used and not bound
