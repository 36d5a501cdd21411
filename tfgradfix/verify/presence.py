"""Is every gradient of a call there, and finite? One call by itself, beside the same call before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tfgradfix.verify.observe import Weight
from tfgradfix.verify.values import Agreement
from tfgradfix.verify.verdict import describe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfgradfix.verify.records import GradientCall, Source

#: Names that one sentence holds.
NAMED: Final = 4

_Kind = tuple[Weight, str]

_LOST: Final[_Kind] = (Weight.FAILURE, "was there before and is None now")
_STILL: Final[_Kind] = (Weight.FAILURE, "is still None")
_LEFT: Final[_Kind] = (Weight.OPEN, "is None before and after; whether it has to be is not known")
_NOT_ASKED: Final[_Kind] = (Weight.FAILURE, "is no longer asked for")
_BAD: Final[_Kind] = (Weight.FAILURE, "is not finite")
_BAD_BEFORE: Final[_Kind] = (Weight.OPEN, "is not finite, nor was it before")


@dataclass
class Pair:
    """One source of a call: in the program before, in the program after, and how its two gradients compare."""

    before: Source | None
    after: Source | None
    gradient: Agreement = Agreement.UNKNOWN

    @property
    def name(self) -> str:
        """The source's name."""
        source = self.after or self.before
        return source.name if source else ""


def paired(before: tuple[Source, ...], after: tuple[Source, ...]) -> list[Pair]:
    """The sources of two calls, in order where there are as many, else by name."""
    if len(before) == len(after):
        return [Pair(mine, own) for mine, own in zip(before, after, strict=True)]
    left = list(before)
    pairs = []
    for own in after:
        same = next((source for source in left if source.name == own.name), None)
        if same is not None:
            left.remove(same)
        pairs.append(Pair(same, own))
    return pairs + [Pair(source, None) for source in left]


def presence(after: GradientCall, pairs: list[Pair]) -> Iterator[tuple[Weight, str]]:
    """What stands against this call: a sentence for each kind of fault, with the names of the sources."""
    every = all(source.gradient is None for source in after.sources)
    faults: dict[_Kind, list[str]] = {}
    for pair in pairs:
        kind = _fault(pair, every=every)
        if kind is not None:
            faults.setdefault(kind, []).append(pair.name)
    for (weight, text), names in faults.items():
        yield weight, sentence(names, after, text)


def sentence(names: list[str], call: GradientCall, text: str) -> str:
    """``text`` said of the gradients of several sources."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"the gradient of {', '.join(names[:NAMED])}{more} in {describe(call)} {text}"


def _fault(pair: Pair, *, every: bool) -> _Kind | None:
    had = pair.before.gradient if pair.before is not None else None
    if pair.after is None:
        return _NOT_ASKED if had is not None else None
    if pair.after.gradient is None:
        return _LOST if had is not None else _STILL if every else _LEFT
    if pair.after.gradient.finite is False:
        return _BAD_BEFORE if had is not None and had.finite is False else _BAD
    return None


def only_zeros(after: GradientCall, pairs: list[Pair]) -> bool | None:
    """Whether all gradients are zero in a call that had none before; None where that cannot be told."""
    if any(pair.before is not None and pair.before.gradient is not None for pair in pairs):
        return None
    zeros = [source.gradient.zero for source in after.sources if source.gradient is not None]
    return all(zeros) if zeros and None not in zeros else None
