"""A report as a JSON list, one object a finding."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tfgradfix.report.edits import fixes
from tfgradfix.report.places import Places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix.model import Finding, Position, Report, Step
    from tfgradfix.report.edits import Edit
    from tfgradfix.report.places import Place


def report_json(report: Report) -> str:
    """The findings of ``report``; rows and columns count from 1, columns in characters.

    What is in a notebook has a ``cell``, counted from 0 over all cells, in which its row counts.
    """
    rows = []
    places = Places(report)
    for file in report.files:
        repairs = fixes(file)
        rows += [_finding(finding, repairs.get(finding), places) for finding in file.findings]
    return json.dumps(rows, indent=2, ensure_ascii=False)


def _finding(finding: Finding, edits: Sequence[Edit] | None, places: Places) -> dict[str, Any]:
    span = finding.span
    start, end = places.of(span.filename, span.start), places.of(span.filename, span.end)
    return {
        "code": finding.code,
        "name": finding.name,
        "message": places.told(span.filename, finding.message),
        "filename": span.filename,
        **_cell(start.cell),
        "location": _position(start),
        "end_location": _position(end),
        "level": finding.level.value,
        "extent": finding.extent.value,
        "path": [_step(step, places) for step in finding.path],
        "fix": None if edits is None else {"edits": [_edit(edit) for edit in edits]},
    }


def _step(step: Step, places: Places) -> dict[str, Any]:
    place = places.of(step.span.filename, step.span.start)
    return {
        "filename": step.span.filename,
        **_cell(place.cell),
        **_position(place),
        "text": step.text,
        "presumed": step.presumed,
    }


def _edit(edit: Edit) -> dict[str, Any]:
    place = {"location": _position(edit.start), "end_location": _position(edit.end)}
    return {**_cell(edit.cell), **place, "content": edit.content}


def _cell(cell: int | None) -> dict[str, int]:
    """The index of the cell, where there is one."""
    return {} if cell is None else {"cell": cell}


def _position(position: Position | Place) -> dict[str, int]:
    return {"row": position.row, "column": position.column}
