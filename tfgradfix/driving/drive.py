"""One run for a proof: which script, with what, and which changed files it uses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tfgradfix.driving.cells import told_in_cells
from tfgradfix.driving.notebooks import program
from tfgradfix.driving.proof import Proof
from tfgradfix.model import Extent
from tfgradfix.verify import HarnessError, Version, verify_versions

if TYPE_CHECKING:
    from pathlib import Path

    from tfgradfix.driving.where import Where
    from tfgradfix.model import FileOutcome
    from tfgradfix.verify import Verdict

    Key = tuple[Path, tuple[str, ...], tuple[tuple[Path, bytes | None], ...]]


@dataclass(frozen=True)
class Drive:
    """A script to run before and after the change of ``files``, all of which it uses.

    A script that is made for the proof is on no disk: ``text`` is what it holds, ``title`` how it is told, ``about``
    the file of the user's that it drives. ``where`` is the project. ``notes`` limit what a proof by this run rests on.
    """

    script: Path
    files: tuple[FileOutcome, ...]
    where: Where
    arguments: tuple[str, ...] = ()
    text: bytes | None = None
    title: str = ""
    notes: tuple[str, ...] = ()
    about: Path | None = None

    @property
    def changed(self) -> tuple[Path, ...]:
        """The changed files."""
        return tuple(file.path for file in self.files)

    @property
    def shown(self) -> Path:
        """The file of the user's that is told as being run."""
        return self.about or self.script

    def versions(self) -> tuple[Version, Version]:
        """The program before and after.

        Raises:
            HarnessError: a changed file lies outside of the project.
        """
        script = self.script.resolve() if self.text is None else self.script
        folder, moved_to = self.where.folder.resolve(), self.where.after
        outside = [path for path in (script, *self.changed) if not path.resolve().is_relative_to(folder)]
        if outside:
            raise HarnessError(f"{outside[0]} lies outside the program's folder {folder}")
        own = {} if self.text is None else {script: self.text}
        old = {file.path.resolve(): program(file.path, file.before) for file in self.files if file.before}
        new = {file.path.resolve(): program(file.path, file.after) for file in self.files if file.after is not None}
        before = Version(script, folder, {**old, **own})
        if moved_to is None:
            return before, Version(script, folder, {**new, **own})
        moved = {moved_to / path.relative_to(folder): data for path, data in {**new, **own}.items()}
        return before, Version(moved_to / script.relative_to(folder), moved_to, moved)

    @property
    def partial(self) -> bool | None:
        """Whether a finding said that some gradient lacks a part; None where nothing was found."""
        findings = [finding for file in self.files for finding in file.fixed]
        return any(finding.extent is Extent.PARTIAL for finding in findings) if findings else None

    @property
    def key(self) -> Key:
        """What the proof depends on."""
        return self.script, self.arguments, tuple((file.path, file.after) for file in self.files)

    def prove(self, python: Path | None, timeout: float) -> Proof:
        """Run it before and after.

        Args:
            python: the interpreter that has TensorFlow; None to look for it.
            timeout: seconds for one run.
        """
        # What is made for the run has no command line that the user knows.
        proof = Proof(self.shown, self.changed, None, None, () if self.text else self.arguments, self.title)
        try:
            return replace(proof, verdict=self.verdict(python, timeout))
        except HarnessError as error:
            return replace(proof, error=str(error))

    def verdict(self, python: Path | None, timeout: float) -> Verdict:
        """The verdict with the notes of this run, and with the cells of notebooks in place of rows.

        Raises:
            HarnessError: it cannot be run at all.
        """
        before, after = self.versions()
        verdict = verify_versions(
            before, after, python=python, arguments=self.arguments, timeout=timeout, partial=self.partial
        )
        verdict = replace(verdict, notes=(*self.notes, *verdict.notes))
        for file in self.files:
            verdict = told_in_cells(verdict, file, before.folder)
        return verdict
