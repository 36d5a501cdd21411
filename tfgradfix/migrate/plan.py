"""What a run is going to write: the repairs that stand up to their proofs, found before any file is touched."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tfgradfix.model import Declined, Report
from tfgradfix.pipeline import examine
from tfgradfix.rewrite.units import unit_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from tfgradfix.migrate.survey import Choice
    from tfgradfix.model import FileOutcome, Finding
    from tfgradfix.prove import Proof

    Prove = Callable[[Report], tuple[Proof, ...]]


@dataclass(frozen=True)
class Plan:
    """The report with the repairs to be kept, their proofs, and the findings that were put back, and why."""

    report: Report
    proofs: tuple[Proof, ...]
    put_back: Mapping[Finding, str]


def plan(folder: Path, choice: Choice, prove: Prove | None) -> Plan:
    """Find and repair in memory, and put back whole fix units until every proof that can be had stands.

    Args:
        folder: what to migrate.
        choice: which files and findings.
        prove: runs what uses the changed files; None to prove nothing.
    """
    first = report = examine([folder], choice)
    put_back: dict[Finding, str] = {}
    proofs: tuple[Proof, ...] = ()
    gone: list[Proof] = []
    while prove is not None and any(file.after is not None for file in report.files):
        proofs = prove(_with_bytes(report))
        wrong = _rejected(report, proofs)
        if not wrong:
            break
        put_back.update(wrong)
        gone += [proof for proof in proofs if proof.rejected]
        report = examine([folder], replace(choice, without=frozenset(put_back)))
        proofs = ()
    kept = tuple(proof for proof in proofs if not proof.rejected)
    return Plan(with_all_found(first, report, put_back), (*kept, *gone), put_back)


def _rejected(report: Report, proofs: Sequence[Proof]) -> dict[Finding, str]:
    """The findings whose repair must not stay, whole units of them."""
    reasons: dict[object, str] = {}
    for file in report.files:
        for proof in proofs:
            if proof.rejected and file.path in proof.changed:
                for finding in file.fixed:
                    reasons.setdefault(unit_of(finding), proof.rejected)
    fixed = [finding for file in report.files for finding in file.fixed]
    found = {finding: reasons[unit_of(finding)] for finding in fixed if unit_of(finding) in reasons}
    rejected = next((proof.rejected for proof in proofs if proof.rejected), None)
    if rejected and not found:
        # What failed holds nothing but edits made on the way to other repairs.
        return dict.fromkeys(fixed, rejected)
    return found


def _with_bytes(report: Report) -> Report:
    """``report`` with the bytes of files that were not analysed: a script may start a training without a word of it."""
    return replace(report, files=tuple(_read(file) for file in report.files))


def _read(file: FileOutcome) -> FileOutcome:
    if file.before or file.error:
        return file
    try:
        return replace(file, before=file.path.read_bytes())
    except OSError:
        return file  # it went away, and with it what it could have run


def with_all_found(first: Report, last: Report, put_back: Mapping[Finding, str]) -> Report:
    """``last``, with all that was found in ``first``, and for the findings ``put_back`` the reason."""
    found = {file.path: file.findings for file in first.files}
    return replace(last, files=tuple(_with_findings(file, found.get(file.path, ()), put_back) for file in last.files))


def _with_findings(file: FileOutcome, found: tuple[Finding, ...], put_back: Mapping[Finding, str]) -> FileOutcome:
    back = tuple(Declined(finding, put_back[finding]) for finding in found if finding in put_back)
    return replace(file, findings=found, declined=(*file.declined, *back)) if back else file
