"""The import of TensorFlow, for a module that has no name for it where the rewrite needs one."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING, Final

import libcst as cst
from libcst.helpers import get_full_name_for_node

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tfgradfix.model import Finding

#: The names under which people import TensorFlow, most usual first.
ALIASES: Final = ("tf", "tensorflow", "_tf")

#: Stands for "the current package" in front of the name of a relative import.
RELATIVE: Final = "."


class TensorFlowName:
    """The name that TensorFlow gets in one module that has none for it; asking for it queues the import."""

    def __init__(self) -> None:
        """Begin with nothing queued."""
        self._alias: str | None = None
        self._wanted_for: set[Finding] = set()

    def of(self, module: cst.Module, finding: Finding) -> str:
        """The alias under which ``module`` will import TensorFlow for the repair of ``finding``."""
        if self._alias is None:
            self._alias = free_alias(module.code)
        self._wanted_for.add(finding)
        return self._alias

    def forget(self, finding: Finding) -> None:
        """The finding is not repaired after all."""
        self._wanted_for.discard(finding)

    def add_to(self, module: cst.Module) -> cst.Module:
        """``module`` with the import, if some repair needs it."""
        return add_tensorflow(module, self._alias) if self._alias and self._wanted_for else module


def free_alias(code: str) -> str:
    """The first usual name for TensorFlow that means nothing else anywhere in the module."""
    taken = frozenset(other_meanings(ast.parse(code)))
    alias = next((alias for alias in ALIASES if alias not in taken), None)
    number = 2
    while alias is None:
        alias = None if f"tf{number}" in taken else f"tf{number}"
        number += 1
    return alias


def other_meanings(tree: ast.Module) -> Iterator[str]:
    """Every name of the module, whatever its scope, except those that stand for TensorFlow wherever they are bound."""
    tensorflow = {name for node in ast.walk(tree) for name in tensorflow_names(node)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from {bound_name(alias) for alias in node.names} - set(tensorflow_names(node))
        elif isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load) or node.id not in tensorflow:
                yield node.id
        elif not isinstance(node, ast.alias):
            yield from bound_otherwise(node)


def bound_otherwise(node: ast.AST) -> Iterator[str]:
    """The names bound by other nodes than plain names: parameters, definitions, handlers, patterns, `global`."""
    for field in ("name", "arg", "rest"):
        value = getattr(node, field, None)
        if isinstance(value, str):
            yield value
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        yield from node.names


def tensorflow_names(node: ast.AST) -> list[str]:
    """The names that an `import` statement binds to TensorFlow itself."""
    if not isinstance(node, ast.Import):
        return []
    parts = [alias for alias in node.names if alias.name.split(".")[0] == "tensorflow"]
    return [bound_name(alias) for alias in parts if alias.name == "tensorflow" or alias.asname is None]


def bound_name(alias: ast.alias) -> str:
    """The name that one part of an import statement binds."""
    return alias.asname or alias.name.split(".")[0]


def add_tensorflow(module: cst.Module, alias: str) -> cst.Module:
    """``module`` with `import tensorflow as alias` where a person would put it.

    That is among the other third-party imports in alphabetical order; failing those, in a block of its own below the
    standard library's; failing any import, below the docstring and the `__future__` imports.
    """
    text = "import tensorflow" if alias == "tensorflow" else f"import tensorflow as {alias}"
    new = cst.ensure_type(cst.parse_statement(text), cst.SimpleStatementLine)
    body = list(module.body)
    start = after_prologue(body)
    imports = leading_imports(body, start)
    third_party = [index for index in imports if is_third_party(imported_module(body[index]))]
    if third_party:
        return module.with_changes(body=among(body, third_party, new))
    standard = [index for index in imports if not (imported_module(body[index]) or "").startswith(RELATIVE)]
    return module.with_changes(body=in_own_block(body, standard[-1] + 1 if standard else start, new))


def after_prologue(body: Sequence[cst.BaseStatement]) -> int:
    """The index of the first statement after the docstring and the `__future__` imports."""
    index = 1 if body and is_string(body[0]) else 0
    while index < len(body) and imported_module(body[index]) == "__future__":
        index += 1
    return index


def is_string(statement: cst.BaseStatement) -> bool:
    """Whether a statement is a string alone, as a docstring is."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    first = statement.body[0]
    return isinstance(first, cst.Expr) and isinstance(first.value, (cst.SimpleString, cst.ConcatenatedString))


def leading_imports(body: Sequence[cst.BaseStatement], start: int) -> range:
    """The run of import statements at the head of the module."""
    end = start
    while end < len(body) and imported_module(body[end]) is not None:
        end += 1
    return range(start, end)


def imported_module(statement: cst.BaseStatement) -> str | None:
    """The module that an import statement names first, led by "." if relative; None for other statements."""
    if not isinstance(statement, cst.SimpleStatementLine):
        return None
    first = statement.body[0]
    if isinstance(first, cst.Import):
        return first.names[0].evaluated_name
    if isinstance(first, cst.ImportFrom):
        name = get_full_name_for_node(first.module) if first.module else None
        return (RELATIVE if first.relative else "") + (name or "")
    return None


def is_third_party(module: str | None) -> bool:
    """Whether an import names something outside both the standard library and the current package."""
    if not module or module.startswith(RELATIVE):
        return False
    return module.split(".")[0] not in sys.stdlib_module_names


def among(
    body: Sequence[cst.BaseStatement], third_party: Sequence[int], new: cst.SimpleStatementLine
) -> list[cst.BaseStatement]:
    """``body`` with ``new`` at its alphabetical place among the third-party imports."""
    before = [index for index in third_party if (imported_module(body[index]) or "") < "tensorflow"]
    plain = [index for index in before if is_plain_import(body[index])]
    if before:
        position = (plain or before)[-1] + 1
        return [*body[:position], new, *body[position:]]
    position = third_party[0]
    first = cst.ensure_type(body[position], cst.SimpleStatementLine)
    blank, rest = split_blank_lines(first)
    moved = first.with_changes(leading_lines=rest)
    return [*body[:position], new.with_changes(leading_lines=blank), moved, *body[position + 1 :]]


def is_plain_import(statement: cst.BaseStatement) -> bool:
    """Whether this is `import x` and not `from x import y`."""
    return isinstance(statement, cst.SimpleStatementLine) and isinstance(statement.body[0], cst.Import)


def split_blank_lines(statement: cst.SimpleStatementLine) -> tuple[list[cst.EmptyLine], list[cst.EmptyLine]]:
    """The blank lines above a statement, and what follows them: its own comments."""
    lines = list(statement.leading_lines)
    count = next((index for index, line in enumerate(lines) if line.comment is not None), len(lines))
    return lines[:count], lines[count:]


def in_own_block(
    body: Sequence[cst.BaseStatement], position: int, new: cst.SimpleStatementLine
) -> list[cst.BaseStatement]:
    """``body`` with ``new`` at ``position``, parted from its neighbours by a blank line."""
    if position > 0:
        new = new.with_changes(leading_lines=[cst.EmptyLine(indent=False)])
    rest = list(body[position:])
    if rest and not starts_with_blank_line(rest[0]):
        lines = [cst.EmptyLine(indent=False), *leading_lines(rest[0])]
        rest[0] = rest[0].with_changes(leading_lines=lines)
    return [*body[:position], new, *rest]


def leading_lines(statement: cst.BaseStatement) -> Sequence[cst.EmptyLine]:
    """The blank and comment lines that LibCST keeps with a statement."""
    lines: Sequence[cst.EmptyLine] = getattr(statement, "leading_lines", ())
    return lines


def starts_with_blank_line(statement: cst.BaseStatement) -> bool:
    """Whether a blank line stands above the statement and its comments."""
    lines = leading_lines(statement)
    return bool(lines) and lines[0].comment is None
