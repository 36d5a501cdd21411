"""Questions about names that lead to other names, and may lead back: asked once, in a bounded number of steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

Answer = TypeVar("Answer")

#: How many bindings are looked at for one `if` before the answer is "not known".
MOST: Final = 4000


@dataclass
class Lookup(Generic[Answer]):
    """Answers to one kind of question, each remembered if it does not hang on one that is still open.

    ``known`` holds the answers; ``open`` the questions that are being answered; ``met`` those among them that came up
    again meanwhile; ``spent`` counts.
    """

    known: dict[Hashable, Answer] = field(default_factory=dict)
    open: set[Hashable] = field(default_factory=set)
    met: set[Hashable] = field(default_factory=set)
    spent: int = 0

    def answer(self, question: Hashable, compute: Callable[[], Answer], again: Answer, unknown: Answer) -> Answer:
        """The answer to ``question``: ``again`` if it is open already, ``unknown`` if too much has been asked."""
        if question in self.known:
            return self.known[question]
        if question in self.open:
            self.met.add(question)
            return again
        self.spent += 1
        if self.spent > MOST:
            return unknown
        before, self.met = self.met, set()
        self.open.add(question)
        result = compute()
        self.open.discard(question)
        self.met.discard(question)
        if not self.met:
            self.known[question] = result
        self.met |= before
        return result


@dataclass
class Memory:
    """What has been found out about the kinds and shapes of values, for one `if`."""

    kinds: Lookup[str] = field(default_factory=Lookup)
    shapes: Lookup[frozenset[str]] = field(default_factory=Lookup)
