"""An explaining run for a person: each gradient call with a None, the lines that cut it, the way the value took."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tfgradfix.explaining.findings import Texts
from tfgradfix.explaining.words import code_of, sentence
from tfgradfix.report.text import Piece, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tfgradfix.explaining import Cause, Explanation, Missing
    from tfgradfix.explaining.disagreement import Disagreement
    from tfgradfix.report.text import Line
    from tfgradfix.verify import Version
    from tfgradfix.verify.records import Place

#: Sources and lines that are told of one cause.
_SOURCES: Final = 6
_LINES: Final = 12
#: What is said of the first fault of graph mode, and of the others.
DEAD: Final = "The program died here"
BEHIND: Final = "Behind it, as a run with functions eager shows, it would die here"


def explanation_lines(found: Explanation, version: Version) -> tuple[Line, ...]:
    """The whole report.

    Args:
        found: what the run gave.
        version: the program that was run.
    """
    sources = Texts(version)
    lines: list[Line] = []
    for number, cause in enumerate(found.graph):
        lines.append((Piece(DEAD if number == 0 else BEHIND, "bold red"),))
        lines += [*_cause(cause, sources), ()]
    for missing in found.missing:
        lines += [*_missing(missing, sources), ()]
    if found.failure is not None and not found.graph:
        lines.append((Piece("The program ended with ", ""), Piece(str(found.failure), "red")))
    if found.hooks:
        lines.append(
            (Piece(f"This TensorFlow lacks: {', '.join(found.hooks)}; such causes are told as unknown.", "yellow"),)
        )
    for trouble in found.troubles[:1]:
        lines.append(
            (Piece(f"The recording failed {len(found.troubles)} times: {trouble.strip().splitlines()[-1]}", "yellow"),)
        )
    lines.append((Piece(_summary(found), "bold"),))
    return tuple(lines)


def disagreement_lines(apart: Disagreement) -> Iterator[Line]:
    """What only the run, or only the static analysis, says of the program: side by side."""
    sides = (
        ("Seen by the run, not found by the analysis (no codemod is applied there)", apart.run_only),
        ("Found by the analysis; the run passed the line and saw no cut", apart.static_only),
    )
    for what, findings in sides:
        if findings:
            yield (Piece(f"{what}:", "bold yellow"),)
        for each in findings:
            yield (
                Piece(f"  {shown(each.span.filename)}:{each.span.start.row}", "cyan"),
                Piece("  " + f"{each.code} {each.name}".strip(), "bold"),
                Piece(f": {each.message}"),
            )


def _missing(missing: Missing, sources: Texts) -> Iterator[Line]:
    where = _at(missing.call[0]) if missing.call else "inside a library"
    if missing.error is not None:
        what = f"{missing.method} raised {missing.error.splitlines()[0][:120]}"
    else:
        what = f"{missing.lost} of {missing.sources} gradients {'is' if missing.lost == 1 else 'are'} None"
    yield (Piece(where, "bold cyan"), Piece(f"  {what}", "bold red"))
    for cause in missing.causes:
        yield from _cause(cause, sources)


def _cause(cause: Cause, sources: Texts) -> Iterator[Line]:
    code = code_of(cause)
    where = _at(cause.place) if cause.place is not None else "no line is known"
    yield (
        Piece("  ✂ ", "red"),
        Piece(where, "cyan"),
        Piece(f"  {code} " if code else "  ", "bold"),
        Piece(sentence(cause)),
    )
    if cause.place is not None and sources.line(cause.place):
        yield (Piece("      "), Piece(sources.line(cause.place).strip(), "bold"))
    calls = [place for place in cause.chain[1:] if _at(place) != where]
    yield from _places("called from", calls, sources)
    between = [place for place in cause.numpy if place != cause.place]
    yield from _places("through", between, sources)
    yield from _places("back at", cause.entry[:1], sources)
    if cause.sources:
        more = len(cause.sources) - _SOURCES
        yield (
            Piece(
                f"      lost for {', '.join(cause.sources[:_SOURCES])}" + (f" and {more} more" if more > 0 else ""),
                "dim",
            ),
        )


def _places(word: str, places: Sequence[Place], sources: Texts) -> Iterator[Line]:
    for place in list(dict.fromkeys(places))[:_LINES]:
        yield (
            Piece(f"      {word} ", "dim"),
            Piece(_at(place), "cyan"),
            Piece(f"  {sources.line(place).strip()}", "dim"),
        )


def _at(place: Place) -> str:
    return f"{place.file}:{place.line}"


def _summary(found: Explanation) -> str:
    ended = {"time limit": "; the run was ended at its time limit", "killed": "; the run was killed"}.get(
        found.ended, ""
    )
    calls = f"{found.calls} gradient call{'' if found.calls == 1 else 's'}"
    if not found.missing:
        return f"No None gradient in {calls}{ended}."
    sites = len(found.missing)
    return f"None gradients at {sites} place{'' if sites == 1 else 's'}, {calls}{ended}."
