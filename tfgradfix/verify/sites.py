"""Which gradient call of the program before is which one of the program after, though lines have moved.

A call site is known by its file, the function it stands in, the method asked for and its rank among such calls there;
the rewrites change the lines round a gradient call, rarely the call. A call that a library makes for the user
(Keras' ``fit``) is known by the library function and the rank of the user's line among those seen.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tfgradfix.verify.mirror import Version
    from tfgradfix.verify.records import GradientCall, Site

METHODS: Final = ("gradient", "jacobian", "batch_jacobian")


@dataclass(frozen=True)
class StaticSite:
    """A gradient call as it stands in the text, in a statement that starts at line ``statement``.

    ``tape``: its receiver is surely a tape.
    """

    statement: int
    line: int
    end: int
    function: str
    method: str
    tape: bool


class Key(NamedTuple):
    """What a call site before and after have in common."""

    file: str
    function: str
    method: str
    library: str
    graph: bool
    rank: int


class Sites:
    """The gradient call sites of one version."""

    def __init__(self, version: Version) -> None:
        self.version = version
        self.unreadable: set[str] = set()
        self._files: dict[str, tuple[StaticSite, ...]] = {}

    def static(self, file: str) -> tuple[StaticSite, ...]:
        """The gradient calls in the text of ``file``, in source order; none if it cannot be parsed."""
        if file not in self._files:
            try:
                tree = ast.parse(self.version.read(file))
            except (SyntaxError, ValueError):  # a newer Python's file: its calls go by their lines alone
                self.unreadable.add(file)
                self._files[file] = ()
            except OSError:  # made by the program itself, or outside its folder and gone
                self._files[file] = ()
            else:
                self._files[file] = tuple(_sites(tree))
        return self._files[file]

    def keys(self, calls: Iterable[GradientCall]) -> dict[Site, Key]:
        """The key of every site among ``calls``, ranked in order of appearance where the text does not tell."""
        keys: dict[Site, Key] = {}
        ranks: dict[tuple[str, ...], list[int]] = {}
        for call in calls:
            if call.site not in keys:
                keys[call.site] = self._key(call, ranks)
        return keys

    def _key(self, call: GradientCall, ranks: dict[tuple[str, ...], list[int]]) -> Key:
        place, file = call.place, call.place.file or ""
        # The scripts of two versions may have two names.
        name = "" if file == self.version.entry else file
        found = self._static(call)
        if found is not None:
            alike = [s for s in self.static(file) if (s.function, s.method) == (found.function, found.method)]
            return Key(name, found.function, call.method, "", call.graph, alike.index(found))
        lines = ranks.setdefault((name, place.function, call.method, place.library or "?", str(call.graph)), [])
        if place.line not in lines:
            lines.append(place.line)
        return Key(name, place.function, call.method, place.library or "?", call.graph, lines.index(place.line))

    def _static(self, call: GradientCall) -> StaticSite | None:
        """The call in the text that was made, if it was the user's own."""
        if call.place.library is not None or call.place.file is None:
            return None
        line = call.place.line
        alike = [site for site in self.static(call.place.file) if site.method == call.method]
        around = [site for site in alike if site.line <= line <= site.end]
        if not around:
            # While tracing, AutoGraph gives the line of the statement.
            whole = [site for site in alike if site.statement <= line <= site.end]
            return whole[0] if len(whole) == 1 else None
        return min(around, key=lambda site: site.end - site.line)

    def unreached(self, calls: Iterable[GradientCall], file: str) -> list[int]:
        """The lines of the gradient calls in the text of ``file`` that are not among ``calls``."""
        made = {self._static(call) for call in calls if call.place.file == file}
        return [site.line for site in self.static(file) if site.tape and site not in made]


def counterparts(before: Mapping[Site, Key], after: Mapping[Site, Key]) -> dict[Site, Site]:
    """For each site after the one before it: by key, and what is left over by its order in the file."""
    by_key = {key: site for site, key in before.items()}
    pairs = {site: by_key[key] for site, key in after.items() if key in by_key}
    taken = set(pairs.values())
    left_after = _grouped([site for site in after if site not in pairs], after)
    left_before = _grouped([site for site in before if site not in taken], before)
    for group, sites in left_after.items():
        others = left_before.get(group, [])
        if len(others) == len(sites):
            pairs.update(zip(sites, others, strict=True))
    return pairs


def _grouped(sites: Sequence[Site], keys: Mapping[Site, Key]) -> dict[tuple[str, str, bool], list[Site]]:
    groups: dict[tuple[str, str, bool], list[Site]] = {}
    for site in sorted(sites, key=lambda site: site[1]):
        key = keys[site]
        groups.setdefault((key.file, key.method, key.graph), []).append(site)
    return groups


def _sites(tree: ast.Module) -> list[StaticSite]:
    tapes, imported = _tapes(tree), _imported(tree)
    found: list[StaticSite] = []
    waiting: list[tuple[ast.AST, str, int]] = [(tree, "", 1)]
    while waiting:
        node, function, statement = waiting.pop()
        if isinstance(node, ast.stmt):
            statement = node.lineno
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            function = f"{function}.{node.name}" if function else node.name
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
            receiver = ast.unparse(node.func.value)
            if receiver.split(".")[0] not in imported:  # np.gradient is another thing
                end = node.end_lineno or node.lineno
                found.append(StaticSite(statement, node.lineno, end, function, node.func.attr, receiver in tapes))
        waiting.extend((child, function, statement) for child in ast.iter_child_nodes(node))
    return sorted(found, key=lambda site: (site.line, site.end))


def _tapes(tree: ast.Module) -> set[str]:
    """The names under which a tape is made anywhere in the file."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.withitem) and node.optional_vars is not None and _makes_tape(node.context_expr):
            names.add(ast.unparse(node.optional_vars))
        elif isinstance(node, ast.Assign) and _makes_tape(node.value):
            names.update(ast.unparse(target) for target in node.targets)
    return names


def _makes_tape(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "GradientTape"


def _imported(tree: ast.Module) -> set[str]:
    imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    return {(alias.asname or alias.name).split(".")[0] for node in imports for alias in node.names}
