"""What there is to tell of a migration, and what became of each finding."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from tfgradfix.report.places import Places
from tfgradfix.report.text import why_left

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tfgradfix.model import FileOutcome, Finding, Report
    from tfgradfix.prove import Proof


class Fate(str, Enum):
    """What became of a finding."""

    PROVEN = "proven"
    UNPROVEN = "unproven"
    UNVERIFIED = "not verified"
    PUT_BACK = "put back"
    NOT_WRITTEN = "not written"
    LEFT = "left"


#: The fates of repairs that are in the files.
KEPT = frozenset({Fate.PROVEN, Fate.UNPROVEN, Fate.UNVERIFIED})


@dataclass(frozen=True)
class Migration:
    """One run over a repository.

    ``folder`` is what was migrated, ``put_back`` maps findings to why their repair was not kept, ``passed_by`` names
    what was not looked at, ``not_written`` maps files to what kept them from being written, ``repeat`` are the command
    lines that do the same again. ``verified`` says that proofs were asked for, ``written`` that the files are changed.
    """

    folder: Path
    report: Report
    proofs: tuple[Proof, ...] = ()
    put_back: Mapping[Finding, str] = field(default_factory=dict)
    passed_by: tuple[tuple[Path, str], ...] = ()
    not_written: Mapping[Path, str] = field(default_factory=dict)
    repeat: tuple[str, ...] = ()
    verified: bool = True
    written: bool = True

    @cached_property
    def fates(self) -> Mapping[Finding, tuple[Fate, str]]:
        """What became of each finding, and why in one line."""
        places = Places(self.report)
        return {finding: self._fate(finding, file, places) for file in self.report.files for finding in file.findings}

    @cached_property
    def counts(self) -> Mapping[Fate, int]:
        """How many findings met each fate."""
        return Counter(fate for fate, _ in self.fates.values())

    @property
    def changed(self) -> tuple[FileOutcome, ...]:
        """The files whose repairs are kept."""
        return tuple(file for file in self.report.files if file.after is not None and file.path not in self.not_written)

    @property
    def status(self) -> int:
        """0: all is mended and, where that was asked for, proven. 1: something remains. 2: something could not run."""
        if self.report.failed or self.not_written or any(proof.error for proof in self.proofs):
            return 2
        good = {Fate.PROVEN} if self.verified else KEPT
        return int(any(fate not in good for fate in self.counts))

    @cached_property
    def _proven(self) -> frozenset[Path]:
        return frozenset(path for proof in self.proofs if proof.proven for path in proof.changed)

    @cached_property
    def _files_of_units(self) -> Mapping[str, set[Path]]:
        files: dict[str, set[Path]] = {}
        for file in self.report.files:
            for finding in file.fixed:
                files.setdefault(finding.unit, set()).add(file.path)
        return files

    def _fate(self, finding: Finding, file: FileOutcome, places: Places) -> tuple[Fate, str]:
        if finding in self.put_back:
            return Fate.PUT_BACK, self.put_back[finding]
        if finding not in file.fixed:
            return Fate.LEFT, why_left(finding, file, places)
        if file.path in self.not_written:
            return Fate.NOT_WRITTEN, self.not_written[file.path]
        if not self.verified:
            return Fate.UNVERIFIED, "kept without a proof, as asked"
        files = self._files_of_units[finding.unit] if finding.unit else {file.path}
        if files <= self._proven:
            return Fate.PROVEN, self._proving(files)
        return Fate.UNPROVEN, self._open(files)

    def _proving(self, files: set[Path]) -> str:
        """What the proof of the change of ``files`` rests on."""
        proofs = [proof for proof in self.proofs if proof.proven and files & set(proof.changed)]
        if proofs and all(proof.generated for proof in proofs):
            return f"proven for generated inputs only: {'; '.join(proof.generated for proof in proofs)}"
        return "the run before and after proves it"

    def _open(self, files: set[Path]) -> str:
        """Why no run proved the change of ``files``."""
        told = [proof for proof in self.proofs if not proof.proven and not proof.error and files & set(proof.changed)]
        for proof in sorted(told, key=lambda proof: proof.silent):  # what saw something has more to say
            return "; ".join(proof.reasons[:2]) or "the run proves nothing either way"
        return "no run reaches it: add one to [tool.tfgradfix.verify] (docs/drivers.md)"
