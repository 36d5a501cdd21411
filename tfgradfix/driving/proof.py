"""What one run for a proof said of the changed files that it uses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tfgradfix.verify.verdict import Status

if TYPE_CHECKING:
    from pathlib import Path

    from tfgradfix.driving.rest import Rest
    from tfgradfix.verify import Verdict


#: Words of the note on what was generated.
GENERATED: Final = " was called with generated inputs: "


@dataclass(frozen=True)
class Proof:
    """What a run of ``script`` with ``arguments`` said of the ``changed`` files that it uses.

    Without a verdict, ``error`` tells why nothing could be run, or ``undriven`` why there is nothing to run.
    ``title`` is the name of a driver that is no script of the user's. ``hint`` is text to paste into pyproject.toml, by
    which a file that nothing drives gets a driver. ``rest`` explains what the program after still lacks;
    ``unexplained`` tells why it could not be explained.
    """

    script: Path
    changed: tuple[Path, ...]
    verdict: Verdict | None
    error: str | None = None
    arguments: tuple[str, ...] = ()
    title: str = ""
    undriven: str | None = None
    hint: str = ""
    rest: Rest | None = None
    unexplained: str | None = None

    @property
    def proven(self) -> bool:
        """Whether the change has been shown to be right."""
        return self.verdict is not None and self.verdict.proven

    @property
    def status(self) -> str:
        """The answer in one or two words."""
        if self.verdict is not None:
            return self.verdict.status.value
        return Status.UNPROVEN.value if self.undriven else "not run"

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is not proven."""
        if self.verdict is not None:
            return self.verdict.reasons
        return (self.undriven,) if self.undriven else ()

    @property
    def rejected(self) -> str | None:
        """Why the change must not stay: it was shown to be wrong, or nothing could be run at all."""
        if self.verdict is None:
            return None if self.undriven else f"the proof could not be run: {self.error}"
        if self.verdict.status is Status.FAILED:
            return f"the repair failed its proof: {'; '.join(self.verdict.reasons)}"
        return None

    @property
    def generated(self) -> str:
        """What generated inputs it rests on; empty where a program of the user's was run."""
        notes = self.verdict.notes if self.verdict is not None and self.title else ()
        return "; ".join(note for note in notes if GENERATED in note)

    @property
    def silent(self) -> bool:
        """Whether it says nothing of the change, so that another driver may: no gradient call, or an early end."""
        if self.verdict is None:
            return self.undriven is not None
        after = self.verdict.after
        return self.verdict.status is Status.UNPROVEN and (not after.calls or not after.finished)
