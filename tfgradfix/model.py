"""The frozen records that travel from stage to stage: discover, read, analyse, rewrite, prove, report.

Rows and columns count from 1; columns count characters, not bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path


class Level(str, Enum):
    """What may be done about a finding (DESIGN: applicability)."""

    SAFE = "safe"
    """Same value, dtype and shape; the gradient comes back."""
    UNSAFE = "unsafe"
    """Something observable may change; only with ``--unsafe-fixes``."""
    MANUAL = "manual"
    """Diagnosis and advice only."""


class Extent(str, Enum):
    """How much of the gradient a cut takes away."""

    WHOLE = "whole"
    """Every path to the source is cut: the gradient is None."""
    PARTIAL = "partial"
    """Some path is cut: the gradient is there and lacks a term."""


@dataclass(frozen=True, order=True)
class Position:
    """A place in a text: row and column, both from 1, the column in characters."""

    row: int
    column: int


@dataclass(frozen=True, order=True)
class Span:
    """A stretch of one file; ``end`` is the position after the last character."""

    filename: str
    start: Position
    end: Position


#: What stands before the text of the step at which the gradient is lost.
CUT: Final = "CUT "


@dataclass(frozen=True)
class Step:
    """One step of the gradient path, as shown to a person.

    ``presumed`` marks a step through a call that could not be followed.
    """

    span: Span
    text: str
    presumed: bool = False

    @property
    def cuts(self) -> bool:
        """Whether the gradient is lost here."""
        return self.text.startswith(CUT)

    @property
    def source(self) -> str:
        """The code of the step, in one line."""
        return " ".join(self.text.removeprefix(CUT).split())


@dataclass(frozen=True)
class Operand:
    """What the analysis knows of one operand of the expression that a finding is about.

    ``kind`` is one of: tensor, variable, ndarray, number, bool, string, none, list, tuple, dict,
    function, unknown. It is the kind *after* the other rewrites. ``dtype`` is a NumPy dtype name
    ("float32"), "float"/"int" for weak Python numbers, or None when unknown. ``rank`` is None when
    unknown. ``on_path`` says that the gradient has to pass through this operand.
    """

    kind: str
    dtype: str | None = None
    rank: int | None = None
    on_path: bool = False


@dataclass(frozen=True)
class Finding:
    """A place where the gradient path is cut, or a tape or source that is set up so that nothing can pass.

    ``unit`` names the fix unit: findings of one unit are repaired together or not at all.
    ``symbol`` is the canonical name of what is called there ("numpy.mean", "ndarray.mean", "builtins.float").
    ``operands`` are, in source order, the call's arguments (a method's receiver first).
    ``tensorflow`` is the name by which TensorFlow can be reached at that place, or None.
    ``facts`` are further answers of the analysis that the codemod of this code asks for.
    """

    code: str
    name: str
    span: Span
    message: str
    level: Level
    extent: Extent
    path: tuple[Step, ...] = ()
    unit: str = ""
    symbol: str = ""
    operands: tuple[Operand, ...] = ()
    tensorflow: str | None = None
    facts: tuple[tuple[str, str], ...] = ()

    def fact(self, key: str) -> str | None:
        """The answer of the analysis to ``key``, or None."""
        return dict(self.facts).get(key)


@dataclass(frozen=True)
class Declined:
    """A finding that the tool could have repaired but left alone, and why."""

    finding: Finding
    reason: str


@dataclass(frozen=True)
class FileOutcome:
    """What came of one file: its bytes before and after (None: unchanged), and what was found in it.

    ``findings`` are those of the file as it was read; ``fixed`` those among them that the rewrite repairs;
    ``error`` is one line for the user when the file could not be read or parsed.
    """

    path: Path
    before: bytes = b""
    after: bytes | None = None
    findings: tuple[Finding, ...] = ()
    fixed: tuple[Finding, ...] = ()
    declined: tuple[Declined, ...] = ()
    error: str | None = None


@dataclass(frozen=True)
class Report:
    """All files of one run, in the order in which they were given."""

    files: tuple[FileOutcome, ...] = ()
    notes: tuple[str, ...] = field(default=())

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding of the run, file by file, in source order."""
        return tuple(finding for file in self.files for finding in file.findings)

    @property
    def failed(self) -> bool:
        """Whether some file could not be read or parsed."""
        return any(file.error for file in self.files)
