"""The check that a rewrite leaves alone what no finding names."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tfgradfix.model import Finding

#: The fields of a compound statement that hold other statements.
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def changed_elsewhere(before: str, after: str, findings: Iterable[Finding]) -> ast.stmt | None:
    """The first statement of ``before`` that no finding names and that ``after`` does not hold in the same form.

    It may stand in another place there: some repairs move statements. Of a compound statement only the head counts;
    what is in its blocks counts for itself.

    Raises:
        SyntaxError: one of the texts is not Python.
    """
    tree = ast.parse(before)
    named = set(named_rows(tree, findings))
    left = Counter(ast.dump(head(statement)) for statement in statements(ast.parse(after)))
    for statement in statements(tree):
        if not named.isdisjoint(rows_of_head(statement)):
            continue
        form = ast.dump(head(statement))
        if not left[form]:
            return statement
        left[form] -= 1
    return None


def statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Every statement of a module, in source order."""
    found = (node for node in ast.walk(tree) if isinstance(node, ast.stmt))
    yield from sorted(found, key=lambda statement: (statement.lineno, statement.col_offset))


def named_rows(tree: ast.Module, findings: Iterable[Finding]) -> Iterator[int]:
    """The rows that the findings may change: their spans, and the whole of a compound statement that starts there.

    A finding's fact ``until`` names a later last row, its fact ``also`` single rows elsewhere.
    """
    # Only blanks stand before a compound statement, so that its column is the same in bytes and in characters.
    ends = {(node.lineno, node.col_offset + 1): node.end_lineno for node in statements(tree) if is_compound(node)}
    for finding in findings:
        start = finding.span.start
        end = ends.get((start.row, start.column)) or finding.span.end.row
        yield from range(start.row, max(end, int(finding.fact("until") or 0)) + 1)
        yield from (int(row) for row in (finding.fact("also") or "").split(",") if row)


def is_compound(statement: ast.stmt) -> bool:
    """Whether the statement has blocks."""
    return any(hasattr(statement, field) for field in BLOCKS)


def rows_of_head(statement: ast.stmt) -> range:
    """The rows of a simple statement, or those of a compound one down to its first block."""
    first = next((block[0] for field in BLOCKS if (block := getattr(statement, field, None))), None)
    if first is None:
        return range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
    below = getattr(first, "lineno", statement.lineno)
    return range(statement.lineno, max(below, statement.lineno + 1))


def head(statement: ast.stmt) -> ast.stmt:
    """A copy of the statement with its blocks emptied."""
    bare = copy.copy(statement)
    for field in BLOCKS:
        if hasattr(bare, field):
            setattr(bare, field, [])
    return bare
