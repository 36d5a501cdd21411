"""A report for a person: each finding with its line, the gradient path, and what is done about it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tfgradfix.model import Level
from tfgradfix.read.source import split_lines
from tfgradfix.report.edits import text_of
from tfgradfix.report.places import Places, notebook_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tfgradfix.model import FileOutcome, Finding, Report, Step

#: Longer texts of steps are cut; a step is a reminder, the line number leads to the rest.
_LONGEST_STEP: Final = 72
_TAB: Final = 4
#: Why a finding is left whose repair the user was shown and did not want.
AS_ASKED: Final = "as you asked"
#: Columns for the place of a step.
_STEP: Final = 8
_STEP_IN_CELL: Final = 12


@dataclass(frozen=True)
class Piece:
    """A stretch of output and its style, a name that rich knows; empty for plain."""

    text: str
    style: str = ""


Line = tuple[Piece, ...]


def report_text(report: Report, *, written: bool) -> tuple[Line, ...]:
    """The findings of ``report`` and a closing line.

    Args:
        report: what a run found.
        written: whether the repairs are in the files, so that they are told as done.
    """
    lines: list[Line] = []
    places = Places(report)
    for file in report.files:
        source = _rows(file) if file.findings else ()
        for finding in file.findings:
            lines += _finding(finding, source, _fate(finding, file, written, places), places)
            lines.append(())
    lines.append((Piece(_summary(report, written), "bold"),))
    return tuple(lines)


def rest_text(report: Report, *, written: bool) -> tuple[Line, ...]:
    """The same for someone who has seen the changes: only what they leave, unless it was asked for to be left."""
    files = tuple(replace(file, findings=tuple(_rest(file))) for file in report.files)
    rest = report_text(replace(report, files=files), written=written)
    return (*rest[:-1], report_text(report, written=written)[-1])


def _rest(file: FileOutcome) -> Iterator[Finding]:
    asked = [declined.finding for declined in file.declined if declined.reason == AS_ASKED]
    return (finding for finding in file.findings if finding not in file.fixed and finding not in asked)


def plain(lines: Iterable[Line]) -> str:
    """``lines`` without styles."""
    return "".join("".join(piece.text for piece in line) + "\n" for line in lines)


def _rows(file: FileOutcome) -> Sequence[str]:
    """The rows of a file, of a notebook those of its program."""
    notebook = notebook_of(file.path, file.before)
    return split_lines(text_of(file.path, file.before)) if notebook is None else notebook.excerpt()


def _finding(finding: Finding, source: Sequence[str], fate: Piece, places: Places) -> Iterator[Line]:
    message = places.told(finding.span.filename, finding.message)
    place = f"{shown(finding.span.filename)}:{places.of(finding.span.filename, finding.span.start)}"
    yield Piece(place, "bold"), Piece(f" {finding.code} {finding.name}", "red"), Piece(f": {message}")
    yield from _excerpt(finding, source, places)
    if finding.path:
        yield (Piece("  gradient path:"),)
        yield from (_step(step, finding, places) for step in finding.path)
    yield Piece("  "), fate


def _excerpt(finding: Finding, source: Sequence[str], places: Places) -> Iterator[Line]:
    start, end = finding.span.start, finding.span.end
    if start.row > len(source):
        return
    line = source[start.row - 1].rstrip()
    stop = end.column - 1 if end.row == start.row else len(line)
    indent = len(line) - len(line.lstrip())
    number = f"{places.of(finding.span.filename, start).row:>6} | "
    before, marked = line[indent : start.column - 1], line[max(start.column - 1, indent) : stop]
    yield Piece(number, "dim"), Piece(line[indent:].expandtabs(_TAB))
    caret = "^" * max(_width(marked), 1)
    yield Piece(" " * 6 + " | ", "dim"), Piece(" " * _width(before)), Piece(caret, "red")


def _step(step: Step, finding: Finding, places: Places) -> Line:
    start = places.of(step.span.filename, step.span.start)
    place = str(start.row) if start.cell is None else f"cell {start.cell}:{start.row}"
    width = _STEP if start.cell is None else _STEP_IN_CELL
    if step.span.filename != finding.span.filename:
        place = f"{shown(step.span.filename)}:{place}"
    text = " ".join(step.text.split())
    text = text if len(text) <= _LONGEST_STEP else text[: _LONGEST_STEP - 1] + "…"
    line: Line = (Piece(f"{place:>{width}}  ", "dim"), Piece(text, "red" if step.cuts else ""))
    return (*line, Piece("  (presumed)", "dim")) if step.presumed else line


def why_left(finding: Finding, file: FileOutcome, places: Places) -> str:
    """Why ``finding``, which was not repaired, was left in ``file``, in one line."""
    for declined in file.declined:
        if declined.finding == finding:
            return f"left alone: {places.told(finding.span.filename, declined.reason)}"
    if finding.level is Level.MANUAL:
        return f"to be mended by hand: tfgradfix explain {finding.code}"
    if finding.level is Level.UNSAFE:
        return "not fixed: only --unsafe-fixes may, since more than the gradient can change"
    return "left alone: it could not be rewritten as a whole"


def _fate(finding: Finding, file: FileOutcome, written: bool, places: Places) -> Piece:
    if finding in file.fixed:
        done = "fixed" if written else "can be fixed: tfgradfix fix"
        return Piece(done + (" --unsafe-fixes" if finding.level is Level.UNSAFE and not written else ""), "green")
    return Piece(why_left(finding, file, places), "yellow")


def _summary(report: Report, written: bool) -> str:
    findings, fixed = report.findings, sum(len(file.fixed) for file in report.files)
    if not findings:
        return "No cut gradient found." if not report.failed else "No cut gradient found in the files that were read."
    files = Counter(finding.span.filename for finding in findings)
    found = f"Found {_count(len(findings), 'finding')} in {_count(len(files), 'file')}"
    if written:
        return f"{found}: {fixed} fixed, {len(findings) - fixed} left."
    return f"{found}: {fixed} can be fixed."


def shown(filename: str) -> str:
    """``filename`` as seen from the working folder, if it lies there."""
    path = Path(filename)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else filename


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _width(text: str) -> int:
    """The columns that ``text`` takes on a terminal."""
    if text.isascii():
        return len(text.expandtabs(_TAB))
    from rich.cells import cell_len

    return cell_len(text.expandtabs(_TAB))
