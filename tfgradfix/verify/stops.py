"""Which lines of a program stop a gradient, before and after a change: what its author stops is no fault."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tfgradfix.verify.observe import Observations, Weight

if TYPE_CHECKING:
    from tfgradfix.verify.mirror import Version
    from tfgradfix.verify.records import Run

STOP: Final = "stop_gradient"


@dataclass(frozen=True)
class Stops:
    """File and text of the lines that name `stop_gradient`, in the version before and in that after."""

    before: tuple[tuple[str, str], ...]
    after: tuple[tuple[str, str], ...]

    @property
    def on_purpose(self) -> list[str] | None:
        """The lines that stopped a gradient before the change; None where the change has added no such line."""
        mine, own = ([line for _, line in lines] for lines in (self.before, self.after))
        return sorted(set(mine)) if Counter(own) - Counter(mine) and _count(own) > _count(mine) else None

    @property
    def removed(self) -> bool:
        """Whether the change takes away what stopped a gradient."""
        mine, own = ([line for _, line in lines] for lines in (self.before, self.after))
        return _count(own) < _count(mine)

    def judge(self, seen: Observations) -> None:
        """Leave open whether a stop that came with the change is meant: nobody but its author can tell."""
        purpose = self.on_purpose
        for file, line in dict.fromkeys(self.after) if purpose is not None else ():
            if line not in (purpose or ()):
                seen.say(Weight.OPEN, f"the change stops a gradient in {file}: {line[:80]}")


def stops_of(before: Version, after: Version, run: Run) -> Stops:
    """The stops of both versions, in all files that a run of the version after has loaded."""
    modules = (run.modules or frozenset()) - {after.entry}
    mine, own = (
        tuple((file, line) for file in sorted({*modules, version.entry}) for line in _lines(version, file))
        for version in (before, after)
    )
    return Stops(mine, own)


def _count(lines: list[str]) -> int:
    """How often the lines name it."""
    return sum(line.count(STOP) for line in lines)


def _lines(version: Version, file: str) -> list[str]:
    try:
        text = version.read(file).decode("utf-8", "replace")
    except OSError:
        return []
    return [line.strip() for line in text.splitlines() if STOP in line]
