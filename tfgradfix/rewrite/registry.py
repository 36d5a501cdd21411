"""The codemods that exist: found by walking their package, checked, and put in order.

What documentation needs is read from the files' syntax alone, so that `explain` and `rules` do not load LibCST; the
commands themselves are imported when something is rewritten.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import tfgradfix_codemods

from tfgradfix.model import Level

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from tfgradfix_codemods.base import GradientCommand

#: The headings of a codemod's docstring, in order.
HEADINGS: Final = ("What breaks", "Repair", "Left alone", "Example")


class RegistryError(Exception):
    """The codemods do not make a whole: a code or name given twice, an order that cannot be kept."""


@dataclass(frozen=True)
class Entry:
    """One codemod as its file tells it: the rule, and the documentation under its headings."""

    code: str
    name: str
    level: Level
    after: tuple[str, ...]
    module: str
    summary: str
    sections: tuple[tuple[str, str], ...]

    @property
    def repairs(self) -> bool:
        """Whether there is an edit, and not advice only."""
        return self.level is not Level.MANUAL


@lru_cache(maxsize=1)
def entries() -> tuple[Entry, ...]:
    """Every rule, by code.

    Raises:
        RegistryError: two files claim one code or name, or an `after` names a stranger or goes in a circle.
    """
    folder = Path(tfgradfix_codemods.__file__).parent
    modules = sorted(info.name for info in pkgutil.iter_modules([str(folder)]))
    found = [read_entry(name, (folder / f"{name}.py").read_text(encoding="utf-8")) for name in modules]
    listed = sorted((entry for entry in found if entry is not None), key=lambda entry: entry.code)
    check_unique(listed)
    in_order(listed)
    return tuple(listed)


def entry(selector: str) -> Entry | None:
    """The rule of a code ("TGF101") or a name ("numpy-call")."""
    wanted = selector.strip().lower()
    return next((known for known in entries() if wanted in (known.code.lower(), known.name)), None)


def commands(codes: Collection[str] | None = None) -> Mapping[str, type[GradientCommand]]:
    """The command of each of ``codes`` (None: of every code) that has one, in the order in which they act at one node.

    Only the modules of these commands are imported.
    """
    acting = [known for known in in_order(entries()) if known.repairs]
    return {known.code: command_of(known) for known in acting if codes is None or known.code in codes}


@cache
def command_of(known: Entry) -> type[GradientCommand]:
    """The one command class of a codemod's module.

    Raises:
        RegistryError: there is none, or more than one, or its RULE is not the module's.
    """
    from tfgradfix_codemods.base import GradientCommand

    module = importlib.import_module(f"{tfgradfix_codemods.__name__}.{known.module}")
    classes = [value for value in vars(module).values() if inspect.isclass(value)]
    own = [one for one in classes if one.__module__ == module.__name__ and issubclass(one, GradientCommand)]
    if len(own) != 1 or own[0].RULE is not module.RULE:
        raise RegistryError(f"{known.module} has to define one command with its RULE")
    return own[0]


def read_entry(module: str, text: str) -> Entry | None:
    """The rule and documentation of a codemod's file; None for a file that has no RULE."""
    if "\nRULE" not in text:
        return None
    tree = ast.parse(text)
    for statement in tree.body:
        is_rule = isinstance(statement, ast.AnnAssign) and ast.unparse(statement.target) == "RULE"
        if is_rule and isinstance(statement, ast.AnnAssign) and isinstance(statement.value, ast.Call):
            given = {keyword.arg: keyword.value for keyword in statement.value.keywords}
            summary, sections = read_docstring(ast.get_docstring(tree) or "")
            return Entry(
                code=str(ast.literal_eval(given["code"])),
                name=str(ast.literal_eval(given["name"])),
                level=Level[ast.unparse(given["level"]).rpartition(".")[2]],
                after=tuple(ast.literal_eval(given["after"])) if "after" in given else (),
                module=module,
                summary=summary,
                sections=sections,
            )
    return None


def read_docstring(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The first line of a docstring, and the text under each heading, its indentation taken off."""
    summary, _, rest = text.partition("\n")
    sections: list[tuple[str, list[str]]] = []
    for line in rest.splitlines():
        heading = line.rstrip(":")
        if heading in HEADINGS:
            sections.append((heading, []))
        elif sections:
            sections[-1][1].append(line)
    return summary, tuple((heading, inspect.cleandoc("\n" + "\n".join(lines))) for heading, lines in sections)


def check_unique(listed: Sequence[Entry]) -> None:
    """Refuse codes and names that two files claim.

    Raises:
        RegistryError: with the two files.
    """
    seen: dict[str, Entry] = {}
    for known in listed:
        for claim in (known.code, known.name):
            if claim in seen:
                raise RegistryError(f"{claim} is claimed by {seen[claim].module} and {known.module}")
            seen[claim] = known


def in_order(listed: Iterable[Entry]) -> tuple[Entry, ...]:
    """The rules so that each stands behind those in its `after`; else by code.

    Raises:
        RegistryError: an `after` names no rule, or the order goes in a circle.
    """
    waiting = {known.name: known for known in sorted(listed, key=lambda known: known.code)}
    strangers = sorted({name for known in waiting.values() for name in known.after} - waiting.keys())
    if strangers:
        raise RegistryError(f"after= names no rule: {', '.join(strangers)}")
    ordered: list[Entry] = []
    while waiting:
        ready = [known for known in waiting.values() if not waiting.keys() & set(known.after)]
        if not ready:
            raise RegistryError(f"after= goes in a circle: {', '.join(sorted(waiting))}")
        ordered.append(ready[0])
        del waiting[ready[0].name]
    return tuple(ordered)
