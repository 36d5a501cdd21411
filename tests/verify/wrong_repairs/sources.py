"""A program's text with its syntax, and replacements of single nodes in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Edit:
    """One change: from here to there in the text, rows from 1 and columns in UTF-8 bytes from 0, as `ast` counts."""

    row: int
    column: int
    end_row: int
    end_column: int
    old: str
    new: str


class Source:
    """A parsed text that can tell the text of its nodes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self.lines = text.encode().splitlines(keepends=True)
        self.parents = {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    def of(self, node: ast.AST) -> str:
        """The text of a node, parentheses round it not included."""
        return ast.get_source_segment(self.text, node) or ""

    def edit(self, node: ast.expr | ast.stmt, new: str) -> Edit:
        """Put ``new`` in the place of ``node``."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return Edit(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset, self.of(node), new)

    def apply(self, edit: Edit) -> str:
        """The text with one change.

        Raises:
            ValueError: another text than the edit expects stands there.
        """
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line))
        data = b"".join(self.lines)
        first, last = starts[edit.row - 1] + edit.column, starts[edit.end_row - 1] + edit.end_column
        if data[first:last].decode() != edit.old:
            raise ValueError(f"line {edit.row} reads {data[first:last].decode()!r}, not {edit.old!r}")
        return (data[:first] + edit.new.encode() + data[last:]).decode()

    def expressions(self) -> Iterator[ast.expr]:
        """All expressions that are read, outside annotations, decorators, defaults and f-strings."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.expr) and not self._is_apart(node):
                yield node

    def _is_apart(self, node: ast.AST) -> bool:
        while (parent := self.parents.get(node)) is not None:
            if isinstance(parent, (ast.JoinedStr, ast.arguments, ast.Assert)):
                return True
            if isinstance(parent, (ast.FunctionDef, ast.ClassDef)) and node not in parent.body:
                return True
            if isinstance(parent, (ast.Assign, ast.AugAssign)) and node is not parent.value:
                return True
            if isinstance(parent, ast.AnnAssign) and node is parent.annotation:
                return True
            node = parent
        return False


def called(node: ast.AST) -> str:
    """The last name of what a call calls, "" for anything else."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def is_tensorflow(node: ast.AST) -> bool:
    """Whether ``node`` calls ``tf.something``."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).startswith("tf.")
