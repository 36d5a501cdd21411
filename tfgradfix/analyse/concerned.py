"""The part of a program that a change may concern: what imports the changed modules, and what that part imports.

After an edit only this part has to be analysed anew: a gradient call that reaches a module starts in one that imports
it, directly or not.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path

from tfgradfix.analyse.modules import Module, Program

#: Programs of so few modules are analysed as they are.
_SMALL = 40


def concerned(sources: Mapping[Path, str], paths: Collection[Path]) -> frozenset[Path]:
    """The modules that have to be analysed to find all that is to be found in ``paths``.

    Args:
        sources: the text of every module; each has to parse.
        paths: the modules with findings, and those that are about to change.
    """
    if len(sources) <= _SMALL:
        return frozenset(sources)
    program = Program(sources)
    imports = {path: _imported(program, module) for path, module in program.modules.items()}
    importers: dict[Path, set[Path]] = defaultdict(set)
    for path, found in imports.items():
        for other in found:
            importers[other].add(path)
    return frozenset(_closure(_closure(set(paths), importers), imports))


def _closure(paths: set[Path], links: Mapping[Path, Collection[Path]]) -> set[Path]:
    found, pending = set(paths), list(paths)
    while pending:
        new = set(links.get(pending.pop(), ())) - found
        found |= new
        pending += new
    return found


def _imported(program: Program, module: Module) -> set[Path]:
    """The modules of the program that a module may import anywhere, their packages included."""
    found: set[Path] = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            names = [(alias.name, 0) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            inner = [(f"{base}.{alias.name}" if base else alias.name, node.level) for alias in node.names]
            names = [(base, node.level), *inner]
        else:
            continue
        for name, level in names:
            parts = name.split(".")
            for length in range(1, len(parts) + 1):
                other = program.resolve(module, ".".join(parts[:length]), level)
                if other is not None:
                    found.add(other.path)
    return found
