"""A report as a JSON list, one object a finding."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tfgradfix.report.edits import fixes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix.model import Finding, Position, Report, Step
    from tfgradfix.report.edits import Edit


def report_json(report: Report) -> str:
    """The findings of ``report``; rows and columns count from 1, columns in characters."""
    rows = []
    for file in report.files:
        repairs = fixes(file)
        rows += [_finding(finding, repairs.get(finding)) for finding in file.findings]
    return json.dumps(rows, indent=2, ensure_ascii=False)


def _finding(finding: Finding, edits: Sequence[Edit] | None) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "filename": finding.span.filename,
        "location": _position(finding.span.start),
        "end_location": _position(finding.span.end),
        "level": finding.level.value,
        "extent": finding.extent.value,
        "path": [_step(step) for step in finding.path],
        "fix": None if edits is None else {"edits": [_edit(edit) for edit in edits]},
    }


def _step(step: Step) -> dict[str, Any]:
    return {"filename": step.span.filename, **_position(step.span.start), "text": step.text, "presumed": step.presumed}


def _edit(edit: Edit) -> dict[str, Any]:
    return {"location": _position(edit.start), "end_location": _position(edit.end), "content": edit.content}


def _position(position: Position) -> dict[str, int]:
    return {"row": position.row, "column": position.column}
