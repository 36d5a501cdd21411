"""Where the static analysis and a run say different things of one program: one of the two is wrong, or saw more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tfgradfix.explaining.records import Explanation
    from tfgradfix.model import Finding

Line = tuple[str, int]
#: Lines by which the two may name one statement differently.
_BESIDE: Final = 1
#: How the codes of faults begin that exist in graph mode only.
_GRAPH: Final = "TGF3"


@dataclass(frozen=True)
class Disagreement:
    """What only one of the two says.

    ``static_only`` are findings at lines that the run executed and where it saw no cut; ``run_only`` those of the run
    at lines where the analysis found nothing. A line that the run did not reach says nothing against the analysis;
    nor does a run that died in graph mode, and went on eagerly, against a fault that exists only there.
    """

    static_only: tuple[Finding, ...]
    run_only: tuple[Finding, ...]

    def __bool__(self) -> bool:
        return bool(self.static_only or self.run_only)


def disagreement(static: Sequence[Finding], seen: Sequence[Finding], found: Explanation, folder: Path) -> Disagreement:
    """Compare the findings of the analysis with those of a run of the same program.

    Args:
        static: what the analysis found; absolute filenames.
        seen: the run's causes as findings (`findings_of`).
        found: the run.
        folder: the folder that the run names its files relative to.
    """
    named = {_line(folder, *each) for each in found.named | found.called}
    ran = {_line(folder, *each) for each in found.ran}
    told = {(each.span.filename, row) for each in static for row in range(each.span.start.row, each.span.end.row + 1)}
    told |= {(step.span.filename, step.span.start.row) for each in static for step in each.path if step.cuts}
    judged = [each for each in static if not (found.graph and each.code.startswith(_GRAPH))]
    return Disagreement(
        tuple(each for each in judged if _rows(each) & ran and not _near(_rows(each), named)),
        tuple(each for each in seen if not _near(_rows(each), told)),
    )


def _line(folder: Path, file: str, line: int) -> Line:
    return str(folder / file), line


def _rows(finding: Finding) -> set[Line]:
    return {(finding.span.filename, row) for row in range(finding.span.start.row, finding.span.end.row + 1)}


def _near(rows: set[Line], others: set[Line]) -> bool:
    return any((file, row + by) in others for file, row in rows for by in range(-_BESIDE, _BESIDE + 1))
