"""What was seen that bears on the verdict, and how heavily it weighs."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum


class Weight(IntEnum):
    """What an observation does to the verdict."""

    NOTE = 0
    """Nothing; it limits what a proof rests on."""
    OPEN = 1
    """Something is not shown: unproven."""
    FAILURE = 2
    DIFFERENCE = 3
    """A failure, unless the program never gives the same values twice."""


@dataclass
class Observations:
    """Observations in order of their making, and how often each was made."""

    seen: dict[tuple[Weight, str], int] = field(default_factory=dict)

    def say(self, weight: Weight, text: str, times: int = 1) -> None:
        """Make an observation."""
        self.seen[weight, text] = self.seen.get((weight, text), 0) + times

    def add(self, other: Observations) -> None:
        """Take over what was observed elsewhere."""
        for (weight, text), times in other.seen.items():
            self.say(weight, text, times)

    @property
    def worst(self) -> Weight:
        """The heaviest weight among them."""
        return max((weight for weight, _ in self.seen), default=Weight.NOTE)

    def forgive(self) -> None:
        """Leave open what differs: the program before differs from run to run as well."""
        seen, self.seen = self.seen, {}
        for (weight, text), times in seen.items():
            if weight is Weight.DIFFERENCE:
                self.say(Weight.OPEN, f"{text}; but the program before differs from run to run, too", times)
            else:
                self.say(weight, text, times)

    def settle(self, text: str) -> None:
        """Take what was left open for a mere note."""
        times = self.seen.pop((Weight.OPEN, text), 0)
        if times:
            self.say(Weight.NOTE, text, times)

    def reasons(self) -> tuple[str, ...]:
        """What stands against a proof, failures first."""
        heavy = [key for key in self.seen if key[0] > Weight.NOTE]
        return tuple(self._told(*key) for key in sorted(heavy, key=lambda key: -min(key[0], Weight.FAILURE)))

    def notes(self) -> tuple[str, ...]:
        """What a proof rests on."""
        return tuple(self._told(*key) for key in self.seen if key[0] is Weight.NOTE)

    def _told(self, weight: Weight, text: str) -> str:
        times = self.seen[weight, text]
        return f"{text} ({times} times)" if times > 1 else text
