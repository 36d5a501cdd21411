"""Which scripts are run: the fewest that reach all changed files, those first that train."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from tfgradfix.driving.tests import is_test

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from tfgradfix.driving.reach import Reach

#: Methods that ask for gradients, or have a library ask for them.
TRAINING: Final = frozenset(
    {"gradient", "jacobian", "batch_jacobian", "gradients", "fit", "train_on_batch", "minimize", "apply_gradients"}
)
#: Statements that define something and do no more.
_DEFINING: Final = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Pass)


def has_work(tree: ast.Module) -> bool:
    """Whether a file does something when it is run, beyond defining names for others."""
    return any(_works(statement) for statement in tree.body)


def trains(tree: ast.Module) -> bool:
    """Whether a file itself asks for gradients."""
    return any(isinstance(node, ast.Attribute) and node.attr in TRAINING for node in ast.walk(tree))


def scripts_for(
    reach: Reach, changed: Collection[Path], missing: Collection[Path], tried: Collection[Path] = ()
) -> dict[Path, tuple[Path, ...]]:
    """The fewest scripts that reach the files ``missing``, each with all of ``changed`` that it uses.

    Args:
        reach: the imports of the project.
        changed: the changed files.
        missing: those among them that no run has shown anything of.
        tried: scripts that are not to be run again.
    """
    used = {script: reach.of(script) for script in reach.leading_to(missing) if script not in tried}
    used = {script: files for script, files in used.items() if _is_script(reach, script)}
    chosen: dict[Path, tuple[Path, ...]] = {}
    left = set(missing)
    while useful := [script for script, files in used.items() if left & files]:
        best = min(useful, key=lambda script: _cost(reach, script, used[script], left))
        chosen[best] = tuple(path for path in changed if path in used[best])
        left -= used[best]
    return chosen


def _cost(reach: Reach, script: Path, files: set[Path], left: set[Path]) -> tuple[object, ...]:
    tree = reach.tree(script)
    return (tree is None or not trains(tree), -len(left & files), script not in left, len(files), str(script))


def _is_script(reach: Reach, path: Path) -> bool:
    tree = reach.tree(path)
    return tree is not None and not is_test(path) and has_work(tree)


def _works(statement: ast.stmt) -> bool:
    if isinstance(statement, _DEFINING):
        return False
    if isinstance(statement, ast.Expr):
        return not isinstance(statement.value, ast.Constant)
    if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        return any(isinstance(node, ast.Attribute) and node.attr in TRAINING for node in ast.walk(statement))
    if isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.unparse(statement.test):
        return False
    if isinstance(statement, (ast.If, ast.Try, ast.With)):
        return any(_works(inner) for inner in _inner(statement))
    return True


def _inner(statement: ast.If | ast.Try | ast.With) -> Iterable[ast.stmt]:
    yield from statement.body
    if not isinstance(statement, ast.With):
        yield from statement.orelse
    if isinstance(statement, ast.Try):
        yield from (inner for handler in statement.handlers for inner in handler.body)
        yield from statement.finalbody
