"""A migration as one HTML file that stands alone."""

from __future__ import annotations

import os
import re
from html import escape
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from tfgradfix.report.migration import Fate, Migration
from tfgradfix.report.picture import Knot, draw
from tfgradfix.report.record import texts
from tfgradfix.report.sides import rows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tfgradfix.model import FileOutcome

_PAGE: Final = Path(__file__).with_name("page")
#: Sources of one call that are told.
_MOST: Final = 40
#: With more findings than this the browser lays out only what is looked at.
_MANY: Final = 200
#: With more files than this the page opens with their changes folded.
_UNFOLDED: Final = 20


def report_html(migration: Migration, record: Mapping[str, Any]) -> str:
    """The page for ``migration``, of which ``record`` is the plain data (see ``report.record``)."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(loader=FileSystemLoader(_PAGE), autoescape=True, undefined=StrictUndefined)
    environment.filters.update(slug=_slug, answer=_answer, tone=_tone, number=_number, place=_place, ticks=_ticks)
    files = _files(migration, record)
    numbers = {file["path"]: file["number"] for file in files}
    findings = [_finding(finding, numbers) for finding in record["findings"]]
    for finding in findings:
        finding.update({side: Markup(finding[side]) for side in ("before", "after")})  # noqa: S704  # made by draw
    counts = record["summary"]
    return environment.get_template("report.html.j2").render(
        record={**record, "findings": findings},
        summary=counts,
        headline=_headline(counts),
        fates=[(fate.value, migration.counts[fate]) for fate in Fate if migration.counts.get(fate)],
        files=files,
        most=_MOST,
        many=_MANY,
        css=Markup((_PAGE / "report.css").read_text(encoding="utf-8")),  # noqa: S704  # our own file
        js=Markup((_PAGE / "report.js").read_text(encoding="utf-8")),  # noqa: S704  # our own file
    )


def _headline(summary: Mapping[str, Any]) -> str:
    found = summary["findings"]
    if not found:
        return "No cut gradient found"
    return f"{found} cut{'' if found == 1 else 's'} found, {summary['mended']} mended"


def _files(migration: Migration, record: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The files to show: those with findings or errors, and those that a gradient path leads through."""
    outcomes = {_relative(file.path, migration.folder): file for file in migration.report.files}
    wanted: dict[str, set[int]] = {file["path"]: set() for file in record["files"]}
    fates: dict[str, set[str]] = {}
    for finding in record["findings"]:
        fates.setdefault(finding["file"], set()).add(_slug(finding["fate"]))
        for step in finding["path"]:
            wanted.setdefault(step["file"], set()).add(step["line"])
    for file in migration.report.files:
        for found in file.findings:
            wanted[_relative(file.path, migration.folder)].add(found.span.start.row)
    errors = {file["path"]: file["error"] for file in record["files"]}
    return [
        {
            **_sides(number, path, outcomes[path], lines),
            "error": errors.get(path),
            "fates": " ".join(sorted(fates.get(path, ()))),
            "open": len(wanted) <= _UNFOLDED,
        }
        for number, (path, lines) in enumerate(sorted(wanted.items()), 1)
        if path in outcomes
    ]


def _sides(number: int, path: str, file: FileOutcome, wanted: set[int]) -> dict[str, Any]:
    before, after = texts(file)
    shown = rows(before, after, wanted)
    changed = sum(row.changed for row in shown)
    told = f"{changed} line{'' if changed == 1 else 's'} changed" if changed else "unchanged"
    return {"number": number, "path": path, "rows": shown, "told": told}


def _finding(finding: Mapping[str, Any], numbers: Mapping[str, int]) -> dict[str, Any]:
    path = finding["path"]
    title = f"Gradient path of {finding['code']} at {finding['file']}:{finding['row']}"
    before = [_knot(step, finding, numbers) for step in path]
    # Several steps of an old line may have become one new line.
    after = [knot for knot, _ in groupby(_knot_after(step, finding, numbers) for step in path)]
    mended = finding["fate"] in (Fate.PROVEN.value, Fate.UNPROVEN.value, Fate.UNVERIFIED.value)
    return {
        **finding,
        "link": _link(finding, finding["line"], numbers),
        "before": draw(before, f"{title}, before") if path else "",
        "after": draw(after, f"{title}, after") if path and mended else "",
    }


def _knot(step: Mapping[str, Any], finding: Mapping[str, Any], numbers: Mapping[str, int]) -> Knot:
    return Knot(step["text"], _told(step, finding), _link(step, step["line"], numbers), step["cut"], step["presumed"])


def _knot_after(step: Mapping[str, Any], finding: Mapping[str, Any], numbers: Mapping[str, int]) -> Knot:
    new = step["after"]
    if new is None:
        return Knot(step["text"], _told(step, finding), _link(step, step["line"], numbers), presumed=step["presumed"])
    link = _link(step, new["line"], numbers, "R")
    return Knot(new["text"], _told({**step, "row": new["line"]}, finding), link, presumed=step["presumed"], new=True)


def _told(step: Mapping[str, Any], finding: Mapping[str, Any]) -> str:
    cell = f"cell {step['cell']}:" if "cell" in step else ""
    file = "" if step["file"] == finding["file"] else f"{step['file'].rpartition('/')[2]}:"
    return f"{file}{cell}{step['row']}"


def _link(step: Mapping[str, Any], line: int, numbers: Mapping[str, int], side: str = "L") -> str:
    number = numbers.get(step["file"])
    return "#files" if number is None else f"#{side}{number}-{line}"


def _relative(path: Path, folder: Path) -> str:
    return Path(os.path.relpath(path, folder)).as_posix()


def _slug(text: str) -> str:
    return text.replace(" ", "-")


def _answer(value: bool | None) -> str:
    return "–" if value is None else "yes" if value else "no"


def _tone(value: bool | None) -> str:
    return "unknown" if value is None else _answer(value)


def _ticks(text: str) -> Markup:
    """``text`` with what stands between backticks set as code."""
    parts = re.split(r"`([^`]+)`", text)
    told = (f"<code>{escape(part)}</code>" if index % 2 else escape(part) for index, part in enumerate(parts))
    return Markup("").join(map(Markup, told))


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}"


def _place(call: Mapping[str, Any]) -> str:
    before, after = call["line_before"], call["line_after"]
    moved = f"{before} → {after}" if before != after and None not in (before, after) else f"{after or before}"
    where = f"{call['file']}:{moved}" if call["file"] else "inside a library"
    modes: Sequence[str] = [mode for mode in ("graph", "eager") if call[mode]]
    times = f" ×{call['times']}" if call["times"] > 1 else ""
    return f"{where} {call['method']}{times}{' (' + ', '.join(modes) + ')' if modes else ''}"
