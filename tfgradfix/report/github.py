"""A report as workflow commands, which GitHub shows beside the lines of a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfgradfix.report.places import Places
from tfgradfix.report.text import shown

if TYPE_CHECKING:
    from tfgradfix.model import Finding, Report


def report_github(report: Report) -> str:
    """One ``::error`` line a finding, one more for each file that could not be worked on."""
    places = Places(report)
    lines = [_line(finding, places) for finding in report.findings]
    lines += [
        f"::error title=tfgradfix,file={_property(shown(str(file.path)))}::{_data(file.error)}"
        for file in report.files
        if file.error
    ]
    return "\n".join(lines)


def _line(finding: Finding, places: Places) -> str:
    span = finding.span
    rows = places.rows_on_disk(span)
    place = f"file={_property(shown(span.filename))},line={span.start.row},col={span.start.column}"
    end = f"endLine={span.end.row},endColumn={span.end.column}"
    if rows is not None:
        # What the pull request shows of a notebook is its JSON.
        place, end = f"file={_property(shown(span.filename))},line={rows[0]}", f"endLine={rows[1]}"
    message = _data(places.message(span, _message(finding)))
    return f"::error title={_property(f'tfgradfix {finding.code}')},{place},{end}::{message}"


def _message(finding: Finding) -> str:
    return f"{finding.code} {finding.name}: {finding.message}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
