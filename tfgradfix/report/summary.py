"""A migration on one screen of a terminal."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from tfgradfix.report.migration import KEPT, Fate
from tfgradfix.report.places import Places
from tfgradfix.report.text import Line, Piece, shown
from tfgradfix.report.verdict import hint_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tfgradfix.report.migration import Migration

#: Lines of one kind; what is more is counted, and told in the report.
MOST: Final = 6
STYLES: Final = {
    Fate.PROVEN: "green",
    Fate.UNPROVEN: "yellow",
    Fate.UNVERIFIED: "yellow",
    Fate.PUT_BACK: "red",
    Fate.NOT_WRITTEN: "red",
    Fate.LEFT: "yellow",
}
_MEANING: Final = {
    Fate.PROVEN: "mended, and proven by running it",
    Fate.UNPROVEN: "mended and kept, but no run proves it",
    Fate.UNVERIFIED: "mended, and not verified, as asked",
    Fate.PUT_BACK: "put back: the repair did not stand up to its proof",
    Fate.NOT_WRITTEN: "mended, but the file could not be written",
    Fate.LEFT: "left as they are",
}


def summary_lines(migration: Migration, reports: tuple[Path, ...] = ()) -> tuple[Line, ...]:
    """What was done, what remains and why, and where the whole report is."""
    lines = [_headline(migration)]
    for fate in Fate:
        if migration.counts.get(fate):
            lines += _group(migration, fate)
    lines += _hint(migration)
    lines += _errors(migration)
    lines += _passed_by(migration)
    lines += [(Piece("report: ", "dim"), Piece(shown(str(path)))) for path in reports]
    if migration.written and migration.changed:
        lines.append((Piece("to take it back: ", "dim"), Piece("tfgradfix undo")))
    return tuple(lines)


def _headline(migration: Migration) -> Line:
    findings = len(migration.report.findings)
    if not findings:
        return (Piece("No cut gradient found.", "bold"),)
    kept = sum(migration.counts.get(fate, 0) for fate in KEPT)
    verb = "mended" if migration.written else "would be mended"
    files = len(migration.changed)
    in_files = f" in {files} file{'' if files == 1 else 's'}" if files else ""
    return (Piece(f"{findings} cut{'' if findings == 1 else 's'} found, {kept} {verb}{in_files}.", "bold"),)


def _group(migration: Migration, fate: Fate) -> Iterator[Line]:
    yield Piece(f"{migration.counts[fate]:>5} ", STYLES[fate]), Piece(_MEANING[fate])
    if fate in (Fate.PROVEN, Fate.UNVERIFIED):
        return
    told = _by_reason(migration, fate)
    for reason, where in told[:MOST]:
        more = f" and {len(where) - 3} more" if len(where) > 3 else ""
        yield Piece(f"      {', '.join(where[:3])}{more} ", "dim"), Piece(_one_line(reason))
    if len(told) > MOST:
        left = sum(len(where) for _, where in told[MOST:])
        yield (Piece(f"      and {left} more", "dim"),)


def _by_reason(migration: Migration, fate: Fate) -> list[tuple[str, list[str]]]:
    """The places of the findings that met ``fate``, by the reason they share."""
    places = Places(migration.report)
    told: dict[str, list[str]] = {}
    for finding, (its, reason) in migration.fates.items():
        if its is fate:
            start = places.of(finding.span.filename, finding.span.start)
            told.setdefault(reason, []).append(f"{shown(finding.span.filename)}:{start} {finding.code}")
    return list(told.items())


def _hint(migration: Migration) -> Iterator[Line]:
    """How to add a driver for what nothing drives: the first in full, the others are in the report."""
    hints = [proof.hint for proof in migration.proofs if proof.hint]
    if hints:
        yield from hint_lines(hints[0])
    if len(hints) > 1:
        yield (Piece(f"    and {len(hints) - 1} more like this, in the report", "dim"),)


def _errors(migration: Migration) -> Iterator[Line]:
    errors = [(shown(str(file.path)), file.error) for file in migration.report.files if file.error]
    errors += [(shown(str(proof.script)), proof.error) for proof in migration.proofs if proof.error]
    if errors:
        yield Piece(f"{len(errors):>5} ", "red"), Piece("could not be worked on or run")
        for name, error in errors[:MOST]:
            yield Piece(f"      {name} ", "dim"), Piece(_one_line(error))
        if len(errors) > MOST:
            yield (Piece(f"      and {len(errors) - MOST} more", "dim"),)


def _passed_by(migration: Migration) -> Iterator[Line]:
    reasons = Counter(reason for _, reason in migration.passed_by)
    for reason, count in reasons.most_common():
        names = [shown(str(path)) for path, its in migration.passed_by if its == reason]
        more = f" and {count - 3} more" if count > 3 else ""
        yield Piece("passed by: ", "dim"), Piece(f"{', '.join(names[:3])}{more} ({reason})")


def _one_line(text: str, most: int = 200) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"
