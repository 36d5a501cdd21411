"""The kinds of wrong repairs that change what a variable holds at which moment."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator
from typing import Final

from tests.verify.wrong_repairs.sources import Edit, Source, called

#: What makes a copy of a variable, so that a later update does not change it.
COPIES: Final = frozenset("identity numpy copy read_value value convert_to_tensor array constant".split())
UPDATES: Final = frozenset("assign assign_add assign_sub apply_gradients".split())


def snapshot_lost(source: Source) -> Iterator[Edit]:
    """The variable itself for a copy of it: a later update changes what was kept."""
    for node in source.expressions():
        if called(node) not in COPIES or not isinstance(node, ast.Call):
            continue
        of = node.func.value if isinstance(node.func, ast.Attribute) and not node.args else next(iter(node.args), None)
        if isinstance(of, (ast.Name, ast.Attribute)) and isinstance(
            source.parents.get(node), (ast.Assign, ast.ListComp)
        ):
            yield source.edit(node, source.of(of))


def read_too_early(source: Source) -> Iterator[Edit]:
    """A line that reads a variable goes before the line that updates it."""
    for holder in ast.walk(source.tree):
        body = getattr(holder, "body", None)
        if not isinstance(body, list):
            continue
        for first, second in itertools.pairwise(body):
            if isinstance(first, ast.Expr) and called(first.value) in UPDATES and _simple(second):
                both = ast.Module([first, second], [])
                first_text, second_text = source.of(first), source.of(second)
                gap = _between(source, first, second)
                yield _joined(source, both, first_text + gap + second_text, second_text + gap + first_text)


def update_repeated(source: Source) -> Iterator[Edit]:
    """An update is made twice."""
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Expr) and called(node.value) in UPDATES - {"assign"}:
            yield source.edit(node, f"{source.of(node)}; {source.of(node)}")


def _simple(node: ast.stmt) -> bool:
    return isinstance(node, (ast.Assign, ast.Expr, ast.AugAssign))


def _between(source: Source, first: ast.stmt, second: ast.stmt) -> str:
    """The text between two statements."""
    lines = source.lines[(first.end_lineno or 1) - 1 : second.lineno]
    lines[-1] = lines[-1][: second.col_offset]
    lines[0] = lines[0][first.end_col_offset or 0 :]
    return b"".join(lines).decode()


def _joined(source: Source, both: ast.Module, old: str, new: str) -> Edit:
    first, second = both.body
    assert second.end_lineno is not None
    assert second.end_col_offset is not None
    return Edit(first.lineno, first.col_offset, second.end_lineno, second.end_col_offset, old, new)


#: What makes the wrong repairs of each kind.
STATEMENT_KINDS: Final[dict[str, Callable[[Source], Iterator[Edit]]]] = {
    "snapshot lost": snapshot_lost,
    "read too early": read_too_early,
    "update repeated": update_repeated,
}
