"""The proof of a changed file that nothing else drives: calls of its functions with generated inputs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tfgradfix.driving.calls import drive_of
from tfgradfix.driving.hints import hint_for
from tfgradfix.driving.proof import Proof
from tfgradfix.driving.trial import try_calls
from tfgradfix.driving.units import candidates, changed_statements
from tfgradfix.read.source import is_notebook
from tfgradfix.verify import HarnessError, Status, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tfgradfix.driving.drive import Key
    from tfgradfix.driving.units import Changed
    from tfgradfix.driving.where import Where
    from tfgradfix.model import FileOutcome

TITLE: Final = "with generated inputs"


@dataclass(frozen=True)
class Generated:
    """Calls that run the changed functions of ``file``; ``files`` are the changed files that it uses.

    ``where`` is the project. ``first``: nothing else was found to drive it.
    """

    file: FileOutcome
    files: tuple[FileOutcome, ...]
    where: Where
    first: bool = True

    @property
    def shown(self) -> Path:
        """The file that is told as being run."""
        return self.file.path

    @property
    def changed(self) -> tuple[Path, ...]:
        """The file that is proven."""
        return (self.file.path,)

    @property
    def key(self) -> Key:
        """What the proof depends on."""
        return self.file.path, ("generated",), tuple((file.path, file.after) for file in self.files)

    @cached_property
    def statements(self) -> tuple[Changed, ...]:
        """The changed statements."""
        return changed_statements(self.file)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What may be called to run them; of a notebook nothing."""
        if is_notebook(self.file.path) or not self.statements:
            return ()
        return candidates(self.file, self.statements)

    @property
    def possible(self) -> bool:
        """Whether there is anything to call."""
        return bool(self.names)

    def prove(self, python: Path | None, timeout: float) -> Proof:
        """Try which calls work, and make them before and after.

        Args:
            python: the interpreter that has TensorFlow; None to look for it.
            timeout: seconds for one run.
        """
        alone = "no script and no test reaches it, and " if self.first else ""
        empty = Proof(self.shown, self.changed, None, title=f"{self.file.path.name} {TITLE}")
        if not self.possible:
            return replace(empty, undriven=f"{alone}there is no changed function in it to be called")
        try:
            trial = try_calls(self.file.path, self.names, self.files, self.where, python, timeout)
            calls, left = trial.choose(self.names, self.statements)
            if not calls:
                why = trial.why(self.names)
                return replace(empty, undriven=f"{alone}generated inputs do not drive it: {why}")
            drives = [drive_of(self.file.path, call, self.files, self.where) for call in calls]
            verdicts = [drive.verdict(python, timeout) for drive in drives]
        except HarnessError as error:
            return replace(empty, error=str(error))
        hint = hint_for(self.file, self.where.folder, statements=left) if left else None
        return replace(empty, verdict=_with_open(merged(verdicts), left), hint=hint or "")


def merged(verdicts: Sequence[Verdict]) -> Verdict:
    """Several verdicts on one change as one: the worst of them, with what all of them saw."""
    order = (Status.PROVEN, Status.UNPROVEN, Status.FAILED)
    worst = max(verdicts, key=lambda verdict: order.index(verdict.status))
    calls = [tuple(call for each in verdicts for call in getattr(each, side).calls) for side in ("before", "after")]
    return replace(
        worst,
        reasons=tuple(dict.fromkeys(text for each in verdicts for text in each.reasons)),
        notes=tuple(dict.fromkeys(text for each in verdicts for text in each.notes)),
        rows=tuple(row for each in verdicts for row in each.rows),
        before=replace(worst.before, calls=calls[0]),
        after=replace(worst.after, calls=calls[1]),
        numbers=tuple(number for each in verdicts for number in each.numbers),
    )


def _with_open(verdict: Verdict, left: Sequence[Changed]) -> Verdict:
    """``verdict``, which proves nothing of the changed statements ``left``."""
    if not left:
        return verdict
    names = ", ".join(str(each) for each in left)
    status = Status.UNPROVEN if verdict.status is Status.PROVEN else verdict.status
    return replace(verdict, status=status, reasons=(*verdict.reasons, f"no generated call runs {names}"))
