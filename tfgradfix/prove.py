"""Repairs are proven by running what they are part of, before anything is written (docs/drivers.md)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tfgradfix.driving.asked import Asked
from tfgradfix.driving.ladder import Ladder
from tfgradfix.driving.proof import Proof
from tfgradfix.model import Declined

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tfgradfix.model import FileOutcome, Report

__all__ = ["Proof", "prove", "unproven"]


def prove(
    report: Report,
    *,
    python: Path | None,
    timeout: float,
    asked: Asked | None = None,
    excluded: Callable[[Path], bool] | None = None,
) -> tuple[Report, tuple[Proof, ...]]:
    """Run what uses a changed file, before and after.

    Args:
        report: what was found and repaired, in memory.
        python: the interpreter that has TensorFlow; None to look for it.
        timeout: seconds for one run.
        asked: what the user names for the proof.
        excluded: files and folders of the project in which no driver is looked for.

    Returns:
        The report without the changes that failed or could not be run, and the proofs, which explain what is left.
    """
    proofs = Ladder(python, timeout, asked=asked or Asked(), search=True, excluded=excluded, explains=True)(report)
    wrong = {path: proof.rejected for proof in proofs if proof.rejected for path in proof.changed}
    files = tuple(_taken_back(file, wrong[file.path]) if file.path in wrong else file for file in report.files)
    return replace(report, files=files), proofs


def unproven(proofs: Sequence[Proof]) -> set[Path]:
    """The changed files that none of ``proofs`` proves, or that a run which showed something of them leaves open."""
    open_ = {path for proof in proofs if not proof.proven and not proof.silent for path in proof.changed}
    proven = {path for proof in proofs if proof.proven for path in proof.changed}
    return open_ | ({path for proof in proofs for path in proof.changed} - proven)


def _taken_back(file: FileOutcome, reason: str) -> FileOutcome:
    refusals = tuple(Declined(finding, reason) for finding in file.fixed)
    return replace(file, after=None, fixed=(), declined=(*file.declined, *refusals))
