"""An explaining run as one HTML file that stands alone: recorded paths, their cuts, the source lines beside them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import tfgradfix
from tfgradfix.explaining.findings import Texts
from tfgradfix.explaining.words import code_of, sentence
from tfgradfix.report.explanation import BEHIND, DEAD
from tfgradfix.report.picture import Knot, draw

if TYPE_CHECKING:
    from tfgradfix.explaining import Cause, Explanation, Missing
    from tfgradfix.verify import Version
    from tfgradfix.verify.records import Place

_PAGE: Final = Path(__file__).with_name("page")
#: Lines shown before and after one that matters.
_AROUND: Final = 2
#: Knots of one picture.
_KNOTS: Final = 40


def explanation_html(found: Explanation, version: Version) -> str:
    """The page for ``found``, the explaining run of ``version``."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    environment = Environment(loader=FileSystemLoader(_PAGE), autoescape=True, undefined=StrictUndefined)
    page = _Page(version)
    calls = [page.call(missing) for missing in found.missing]
    if found.graph:
        causes = [page.cause(cause) for cause in found.graph]
        what = f"{DEAD}; {BEHIND.lower()}" if causes[1:] else DEAD
        calls.insert(0, {"where": found.script, "what": what, "causes": causes})
    for call in calls:
        for cause in call["causes"]:
            cause["picture"] = Markup(cause["picture"])  # noqa: S704  # made by draw
    none = len(found.missing)
    return environment.get_template("explanation.html.j2").render(
        script=found.script,
        version=tfgradfix.__version__,
        headline=f"None gradients at {none} place{'' if none == 1 else 's'}" if calls else "No None gradient",
        lead=f"{found.calls} gradient calls; the run ended: {found.ended}.",
        calls=calls,
        versions=", ".join(f"{name} {number}" for name, number in found.versions.items()),
        css=Markup((_PAGE / "report.css").read_text(encoding="utf-8")),  # noqa: S704  # our own file
    )


class _Page:
    """Numbers the causes and reads each file once."""

    def __init__(self, version: Version) -> None:
        self.files = Texts(version)
        self.number = 0

    def call(self, missing: Missing) -> dict[str, Any]:
        """One gradient call."""
        where = f"{missing.call[0].file}:{missing.call[0].line}" if missing.call else "inside a library"
        what = missing.error or f"{missing.lost} of {missing.sources} gradients None"
        return {"where": where, "what": what, "causes": [self.cause(cause) for cause in missing.causes]}

    def cause(self, cause: Cause) -> dict[str, Any]:
        """One cause: its picture, and the lines of the files that it passes."""
        self.number += 1
        marks: dict[str, dict[int, str]] = {}
        for place in (*(step.place for step in cause.path), *cause.chain, *cause.entry):
            if place is not None and place.file is not None:
                marks.setdefault(place.file, {})[place.line] = "on"
        for place in cause.lines:
            if place.file is not None:
                marks.setdefault(place.file, {})[place.line] = "cut"
        files = [self.file(name, lines) for name, lines in marks.items()]  # read before the picture links to them
        return {
            "code": code_of(cause),
            "where": f"{cause.place.file}:{cause.place.line}" if cause.place else "",
            "text": sentence(cause),
            "sources": ", ".join(cause.sources),
            "picture": draw(self.knots(cause), f"Recorded path, cut: {cause.reason.value}") if cause.path else "",
            "files": files,
        }

    def knots(self, cause: Cause) -> list[Knot]:
        """The picture's steps: neighbouring operations of one line are one knot."""
        knots: list[Knot] = [Knot(", ".join(cause.sources) or "source", "", "#")]
        for step in cause.path:
            place = step.place
            told = f"{Path(place.file or '').name}:{place.line}" if place is not None else "library"
            knot = Knot(step.name, told, f"#{self.anchor(place)}", step.cut is not None)
            last = knots[-1]
            if len(knots) > 1 and last.place == told and not last.cut and not knot.cut:
                knots[-1] = Knot(f"{last.text.split(' … ')[0]} … {step.name}", told, knot.link)
            else:
                knots.append(knot)
        half = _KNOTS // 2
        gap = [Knot("…", "", "#")]
        return knots if len(knots) <= _KNOTS else [*knots[:half], *gap, *knots[-half:]]

    def anchor(self, place: Place | None) -> str:
        """The name of a line in this cause's listing."""
        file = self.files.index(place.file or "") if place is not None else 0
        return f"c{self.number}-{file}-{place.line if place is not None else 0}"

    def file(self, name: str, marks: dict[int, str]) -> dict[str, Any]:
        """The lines of a file that matter, with some around them."""
        text = self.files.lines(name)
        shown = sorted({number + by for number in marks for by in range(-_AROUND, _AROUND + 1)})
        place = self.files.index(name)
        return {
            "name": name,
            "lines": [
                {"number": n, "text": text[n - 1], "mark": marks.get(n, ""), "anchor": f"c{self.number}-{place}-{n}"}
                for n in shown
                if 0 < n <= len(text)
            ],
        }
