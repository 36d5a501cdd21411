"""A report as SARIF 2.1.0, the exchange format of code scanners."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import tfgradfix
from tfgradfix.model import Level
from tfgradfix.read.source import is_notebook
from tfgradfix.report.edits import fixes
from tfgradfix.report.places import Places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix.model import FileOutcome, Finding, Position, Report, Span
    from tfgradfix.report.edits import Edit

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"


def report_sarif(report: Report, folder: Path) -> str:
    """The findings of ``report`` as one SARIF run; paths are relative to ``folder`` where they lie in it."""
    places = Places(report)
    rules = sorted({(finding.code, finding.name) for finding in report.findings})
    order = {code: index for index, (code, _) in enumerate(rules)}
    run = {
        "tool": {
            "driver": {
                "name": "tfgradfix",
                "version": tfgradfix.__version__,
                "rules": [{"id": code, "name": name} for code, name in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"FOLDER": {"uri": folder.resolve().as_uri() + "/"}},
        "invocations": [_invocation(report, folder)],
        "results": [result for file in report.files for result in _results(file, order, folder, places)],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=False)


def _invocation(report: Report, folder: Path) -> dict[str, Any]:
    notes = [
        {
            "level": "error",
            "message": {"text": file.error},
            "locations": [{"physicalLocation": {"artifactLocation": _artifact(str(file.path), folder)}}],
        }
        for file in report.files
        if file.error
    ]
    return {"executionSuccessful": not report.failed, "toolExecutionNotifications": notes}


def _results(file: FileOutcome, order: dict[str, int], folder: Path, places: Places) -> list[dict[str, Any]]:
    # An edit of a notebook counts in its cells, of which SARIF knows nothing.
    repairs = {} if is_notebook(file.path) else fixes(file)
    return [_result(finding, order[finding.code], repairs.get(finding), folder, places) for finding in file.findings]


def _result(finding: Finding, index: int, edits: Sequence[Edit] | None, folder: Path, places: Places) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": "warning" if finding.level is Level.MANUAL else "error",
        "message": {"text": places.message(finding.span, finding.message)},
        "locations": [_location(finding.span, folder, places)],
        "properties": {"level": finding.level.value, "extent": finding.extent.value},
    }
    if finding.path:
        steps = [
            {"location": {**_location(step.span, folder, places), "message": {"text": step.text}}}
            for step in finding.path
        ]
        result["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    if edits is not None:
        result["fixes"] = [_fix(finding, edits, folder)]
    return result


def _fix(finding: Finding, edits: Sequence[Edit], folder: Path) -> dict[str, Any]:
    replacements = [
        {"deletedRegion": _region(edit.start, edit.end), "insertedContent": {"text": edit.content}} for edit in edits
    ]
    change = {"artifactLocation": _artifact(finding.span.filename, folder), "replacements": replacements}
    return {"description": {"text": f"Repair {finding.name}"}, "artifactChanges": [change]}


def _location(span: Span, folder: Path, places: Places) -> dict[str, Any]:
    rows = places.rows_on_disk(span)
    region = _region(span.start, span.end) if rows is None else {"startLine": rows[0], "endLine": rows[1]}
    return {"physicalLocation": {"artifactLocation": _artifact(span.filename, folder), "region": region}}


def _region(start: Position, end: Position) -> dict[str, int]:
    return {"startLine": start.row, "startColumn": start.column, "endLine": end.row, "endColumn": end.column}


def _artifact(filename: str, folder: Path) -> dict[str, str]:
    path = Path(filename).absolute()
    if path.is_relative_to(folder.absolute()):
        return {"uri": path.relative_to(folder.absolute()).as_posix(), "uriBaseId": "FOLDER"}
    return {"uri": path.as_uri()}
