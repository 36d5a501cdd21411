"""What statements read, bind and may change, and whether two of them may change places.

Objects are known by their dotted names ("self.losses"); a change of an object touches all that it holds. A call that
nothing is known of may read and change anything that is not the plain name of a value made in the tape's block.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from tfgradfix_codemods.surroundings import Surroundings


@dataclass(frozen=True)
class Effects:
    """What a statement or an expression does.

    ``touches`` are objects that may change in place. ``hidden`` tells that a called function reads more than its
    arguments, ``unknown`` that some call may do anything, ``prints`` that the order of messages matters, ``trains``
    that an optimizer takes a step, ``guards`` that what comes after may not be reached.
    ``tapes`` are what gradients are asked of; ``stays`` is why the statement must not be moved, if it must not.
    """

    reads: frozenset[str] = frozenset()
    binds: frozenset[str] = frozenset()
    touches: frozenset[str] = frozenset()
    hidden: bool = False
    unknown: bool = False
    prints: bool = False
    trains: bool = False
    guards: bool = False
    tapes: frozenset[str] = frozenset()
    stays: str | None = None

    @property
    def pure(self) -> bool:
        """Whether nothing comes of it but the names it binds."""
        return not (self.touches or self.unknown or self.prints or self.tapes or self.guards or self.stays)


@dataclass(frozen=True)
class Knowledge:
    """What is needed to judge effects.

    ``owned`` are the names of values made in the tape's block, ``captured`` those that functions defined in the scope
    read from it.
    """

    surroundings: Surroundings
    owned: frozenset[str] = frozenset()
    captured: frozenset[str] = frozenset()

    def owning(self, names: Collection[str]) -> Knowledge:
        """The same with more names of values that no call elsewhere can change."""
        return replace(self, owned=self.owned | frozenset(names))

    def reads_shared(self, effects: Effects) -> bool:
        """Whether an unknown call elsewhere could change what is read."""
        return effects.hidden or any(self._is_shared(place) for place in effects.reads)

    def conflict(self, one: Effects, other: Effects) -> bool:
        """Whether it may matter which of the two comes first."""
        return any(self._hinders(first, second) for first, second in ((one, other), (other, one)))

    def _is_shared(self, place: str) -> bool:
        root = place.split(".")[0]
        return not self.surroundings.is_fixed(root) and (root not in self.owned or "." in place)

    def _hinders(self, one: Effects, other: Effects) -> bool:
        if one.guards or overlap(one.binds | one.touches, other.reads | other.binds | other.touches):
            return True
        if one.unknown and (other.unknown or other.prints or self.reads_shared(other)):
            return True
        if one.binds & self.captured and (other.unknown or other.hidden):
            return True
        return (one.prints and other.prints) or bool(one.tapes and other.tapes)


def overlap(places: Collection[str], others: Collection[str]) -> bool:
    """Whether some of ``places`` belong to the same object as some of ``others``: a property may read any attribute."""
    return not roots(places).isdisjoint(roots(others))


def roots(places: Collection[str]) -> frozenset[str]:
    """The first names of dotted names."""
    return frozenset(place.split(".")[0] for place in places)
