"""Causes as findings, the type of the static analysis, so that both can be shown and compared.

A run knows lines, not columns: the span of such a finding is the whole line. A cause without a rule has the empty code,
and its name is the cause's own word; `tfgradfix explain` has nothing to say of it, and no codemod applies.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tfgradfix.explaining.words import code_of, sentence
from tfgradfix.model import CUT, Extent, Finding, Level, Position, Span, Step
from tfgradfix.read.source import Source, decode
from tfgradfix.rewrite.registry import entry

if TYPE_CHECKING:
    from tfgradfix.explaining.records import Cause, Explanation
    from tfgradfix.verify.mirror import Version
    from tfgradfix.verify.records import Place


def findings_of(found: Explanation, version: Version) -> tuple[Finding, ...]:
    """The causes that have a line, as findings, each line and message once.

    Args:
        found: what the run gave.
        version: the program that was run; the filenames of the findings are absolute.
    """
    texts = Texts(version)
    findings = (_finding(cause, cause.place, texts) for cause in found.causes if cause.place is not None)
    return tuple({(each.span, each.message): each for each in findings}.values())


class Texts:
    """The files of a version as lines, each read once."""

    def __init__(self, version: Version) -> None:
        self.version = version
        self.files: dict[str, list[str]] = {}

    def line(self, place: Place) -> str:
        """The text of a line; empty where there is no such file (one that the program made for itself)."""
        lines = self.lines(place.file or "")
        return lines[place.line - 1] if 0 < place.line <= len(lines) else ""

    def lines(self, name: str) -> list[str]:
        """The lines of a file."""
        if name not in self.files:
            self.files[name] = self._read(name)
        return self.files[name]

    def index(self, name: str) -> int:
        """The number of a file, in the order in which they were asked for."""
        self.lines(name)
        return list(self.files).index(name)

    def span(self, place: Place) -> Span:
        """A line from its first character to its last."""
        text = self.line(place)
        first = len(text) - len(text.lstrip()) + 1
        start = Position(place.line, first)
        filename = str(self.version.folder / (place.file or ""))
        return Span(filename, start, Position(place.line, max(first, len(text.rstrip()) + 1)))

    def _read(self, name: str) -> list[str]:
        try:
            source = decode(Path(name), self.version.read(name))
        except OSError:
            return []
        return source.text.split("\n") if isinstance(source, Source) else []


def _finding(cause: Cause, place: Place, texts: Texts) -> Finding:
    code = code_of(cause)
    rule = entry(code) if code is not None else None
    return Finding(
        code=code or "",
        name=rule.name if rule is not None else cause.reason.value.replace(" ", "-"),
        span=texts.span(place),
        message=sentence(cause),
        level=rule.level if rule is not None else Level.MANUAL,
        extent=Extent.PARTIAL if cause.partial else Extent.WHOLE,
        path=tuple(_steps(cause, texts)),
        symbol=cause.how,
    )


def _steps(cause: Cause, texts: Texts) -> list[Step]:
    """The recorded path, one step a line of the user's."""
    steps: list[Step] = []
    for each in cause.path:
        if each.place is not None:
            text = texts.line(each.place).strip()
            step = Step(texts.span(each.place), f"{CUT}{text}" if each.cut is not None else text, cause.presumed)
            if not steps or steps[-1] != step:
                steps.append(step)
    return steps
