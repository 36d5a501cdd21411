"""A migration as plain data: the one source of all forms of the report (docs/report.md)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import tfgradfix
from tfgradfix.read.source import split_lines
from tfgradfix.report.diff import file_diff
from tfgradfix.report.edits import text_of
from tfgradfix.report.migration import KEPT, Fate, Migration
from tfgradfix.report.places import Places, notebook_of
from tfgradfix.report.sides import row_after

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tfgradfix.model import FileOutcome, Finding, Step
    from tfgradfix.prove import Proof
    from tfgradfix.verify import GradientCall, Row, Verdict

#: Changes whenever a field changes its meaning or goes away.
VERSION: Final = 1


def record(migration: Migration) -> dict[str, Any]:
    """All that a report tells of ``migration``; paths are relative to the migrated folder."""
    return Recorder(migration).record()


class Recorder:
    """Turns the parts of one migration into plain data."""

    def __init__(self, migration: Migration) -> None:
        """Look up once what many findings need."""
        self.migration = migration
        self.places = Places(migration.report)
        self.files = {str(file.path): file for file in migration.report.files}
        self._lines: dict[str, tuple[Mapping[int, int], list[str]]] = {}

    def record(self) -> dict[str, Any]:
        """The whole."""
        migration = self.migration
        findings = [finding for file in migration.report.files for finding in file.findings]
        return {
            "schema": "tfgradfix-report",
            "version": VERSION,
            "tool": tfgradfix.__version__,
            "folder": migration.folder.name,
            "summary": self._summary(),
            "findings": [self._finding(number, finding) for number, finding in enumerate(findings, 1)],
            "files": [self._file(file) for file in migration.report.files if file.findings or file.error],
            "proofs": [self._proof(proof) for proof in migration.proofs],
            "passed_by": [{"path": self.name(path), "reason": reason} for path, reason in migration.passed_by],
            "repeat": list(migration.repeat),
        }

    def name(self, path: Path | str) -> str:
        """``path`` as seen from the migrated folder."""
        return Path(os.path.relpath(path, self.migration.folder)).as_posix()

    def _summary(self) -> dict[str, Any]:
        migration, counts = self.migration, self.migration.counts
        return {
            "status": migration.status,
            "findings": len(migration.report.findings),
            "mended": sum(counts.get(fate, 0) for fate in KEPT),
            **{fate.value.replace(" ", "_"): counts.get(fate, 0) for fate in Fate},
            "files": len(migration.report.files),
            "files_changed": len(migration.changed),
            "errors": sum(bool(file.error) for file in migration.report.files)
            + sum(bool(proof.error) for proof in migration.proofs),
        }

    def _finding(self, number: int, finding: Finding) -> dict[str, Any]:
        fate, reason = self.migration.fates[finding]
        filename = finding.span.filename
        place = self.places.of(filename, finding.span.start)
        return {
            "id": number,
            "code": finding.code,
            "name": finding.name,
            "file": self.name(filename),
            **({} if place.cell is None else {"cell": place.cell}),
            "row": place.row,
            "line": finding.span.start.row,
            "column": place.column,
            "level": finding.level.value,
            "extent": finding.extent.value,
            "message": self.places.told(filename, finding.message),
            "unit": finding.unit,
            "fate": fate.value,
            "reason": reason,
            "path": [self._step(step, kept=fate in KEPT) for step in finding.path],
        }

    def _step(self, step: Step, *, kept: bool) -> dict[str, Any]:
        filename, row = step.span.filename, step.span.start.row
        place = self.places.of(filename, step.span.start)
        return {
            "file": self.name(filename),
            **({} if place.cell is None else {"cell": place.cell}),
            "row": place.row,
            "line": row,
            "text": step.source,
            "cut": step.cuts,
            "presumed": step.presumed,
            "after": self._after(filename, row) if kept else None,
        }

    def _after(self, filename: str, row: int) -> dict[str, Any] | None:
        """The line that stands in the place of an old one, where that was changed."""
        file = self.files.get(filename)
        if file is None or file.after is None:
            return None
        if filename not in self._lines:
            before, after = texts(file)
            self._lines[filename] = row_after(before, after), [*split_lines(before), "\0", *split_lines(after)]
        after_row, lines = self._lines[filename]
        split = lines.index("\0")
        new = after_row.get(row)
        if new is None or lines[row - 1] == lines[split + new]:
            return None
        return {"line": new, "text": " ".join(lines[split + new].split())}

    def _file(self, file: FileOutcome) -> dict[str, Any]:
        not_written = self.migration.not_written.get(file.path)
        patch = b"" if not_written else file_diff(file, self.migration.folder)
        return {
            "path": self.name(file.path),
            "changed": file.after is not None and not_written is None,
            "error": file.error or not_written,
            "diff": patch.decode("utf-8", "backslashreplace"),
        }

    def _proof(self, proof: Proof) -> dict[str, Any]:
        verdict = proof.verdict
        return {
            "script": self.name(proof.script),
            "driver": proof.title or None,
            "arguments": list(proof.arguments),
            "changed": [self.name(path) for path in proof.changed],
            "status": proof.status,
            "kept": proof.rejected is None,
            "error": proof.error,
            "reasons": list(proof.reasons),
            "notes": [] if verdict is None else list(verdict.notes),
            "calls": [] if verdict is None else _calls(verdict),
            "hint": proof.hint or None,
        }


def texts(file: FileOutcome) -> tuple[str, str]:
    """The text of a file before and after, of a notebook that of its program; the same twice where nothing changed."""
    after = file.before if file.after is None else file.after
    notebooks = notebook_of(file.path, file.before), notebook_of(file.path, after)
    if notebooks[0] is not None and notebooks[1] is not None:
        return notebooks[0].text, notebooks[1].text
    return text_of(file.path, file.before), text_of(file.path, after)


def _calls(verdict: Verdict) -> list[dict[str, Any]]:
    """The first call of each site, with its sources."""
    after = {(call.place.file, call.place.line, call.method, call.index): call for call in verdict.after.calls}
    seen: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in verdict.rows:
        site = (row.file, row.line_before, row.line_after, row.method, row.graph, row.eager)
        if site in seen:
            seen[site]["times"] += 1
        else:
            seen[site] = _call(row, after.get((row.file, row.line_after or 0, row.method, row.index)))
    return list(seen.values())


def _call(row: Row, call: GradientCall | None) -> dict[str, Any]:
    norms = {} if call is None else {source.name: source.gradient for source in call.sources}
    return {
        "file": row.file,
        "line_before": row.line_before,
        "line_after": row.line_after,
        "method": row.method,
        "graph": row.graph,
        "eager": row.eager,
        "times": 1,
        "target_before": list(row.target_before),
        "target_after": list(row.target_after),
        "target": row.target.value,
        "sources": [
            {
                "name": source.name,
                "none_before": source.none_before,
                "none_after": source.none_after,
                "finite_after": source.finite_after,
                "norm_after": gradient.norm if (gradient := norms.get(source.name)) is not None else None,
                "gradient": source.gradient.value,
            }
            for source in row.sources
        ],
    }
