"""The findings of the analysis, given to codemods as LibCST metadata.

The analysis works on `ast` and names places by row and column; this provider joins them to the nodes of LibCST's tree.
An expression or simple statement is the one with the very span of the finding; a compound statement (`if`, `for`,
`with`, `def` …) is the one that starts where the finding starts.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import libcst as cst
from libcst.metadata import BaseMetadataProvider, CodeRange, PositionProvider

from tfgradfix.model import Finding, Position
from tfgradfix_codemods.program import program_around

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

#: The name of a module that has no file: standard input, a test.
NO_FILE: Final = Path("<module>")

#: Where a node starts and ends; compound statements are known by their start, so their end is None.
Place = tuple[Position, Position | None]


class Findings(BaseMetadataProvider[tuple[Finding, ...]]):
    """The findings that name a node. Without a cache the module is analysed alone."""

    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, cache: object = None) -> None:
        """Take the findings of this file (a tuple), or None when the file was not analysed yet."""
        # The base class refuses to work without a cache; standard input and tests have none.
        super().__init__(() if cache is None else cache)
        self._known: tuple[Finding, ...] | None = cache if isinstance(cache, tuple) else None

    @staticmethod
    def gen_cache(root_path: Path, paths: list[str], **_options: object) -> Mapping[str, object]:
        """Analyse the program under ``root_path`` once and give each of ``paths`` its findings.

        A file that cannot be read or parsed has none here; LibCST reports it when it opens the file itself.
        """
        from tfgradfix.analyse import analyse

        found = analyse(program_around(root_path, [Path(path) for path in paths]))
        return {path: found.get(Path(path), ()) for path in paths}

    def _gen_impl(self, module: cst.Module) -> None:
        findings = self._known if self._known is not None else findings_of(module)
        if not findings:
            return
        by_place = group_by_place(findings)
        for node in self.metadata[PositionProvider]:
            here = by_place.get(place_of(node, self.get_metadata(PositionProvider, node)))
            if here is not None and can_be_named(node):
                self.set_metadata(node, here)


def findings_of(module: cst.Module) -> tuple[Finding, ...]:
    """Analyse one module by itself."""
    # Imported here: where the findings are given, the analysis is not needed.
    from tfgradfix.analyse import analyse

    return analyse({NO_FILE: module.code}).get(NO_FILE, ())


def group_by_place(findings: Iterable[Finding]) -> Mapping[Place, tuple[Finding, ...]]:
    """Index findings by start and end, and by start alone."""
    grouped: dict[Place, list[Finding]] = defaultdict(list)
    for finding in findings:
        grouped[finding.span.start, finding.span.end].append(finding)
        grouped[finding.span.start, None].append(finding)
    return {place: tuple(here) for place, here in grouped.items()}


def place_of(node: cst.CSTNode, extent: CodeRange) -> Place:
    """The key under which a finding about ``node`` is filed; LibCST counts columns from 0."""
    start = Position(extent.start.line, extent.start.column + 1)
    if isinstance(node, cst.BaseCompoundStatement):
        return start, None
    return start, Position(extent.end.line, extent.end.column + 1)


def can_be_named(node: cst.CSTNode) -> bool:
    """Whether a finding may be about this kind of node; arguments and blocks share places with what they hold."""
    return isinstance(node, (cst.BaseExpression, cst.BaseSmallStatement, cst.BaseCompoundStatement))
