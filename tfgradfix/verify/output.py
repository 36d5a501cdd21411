"""Do two runs print the same? Words have to be equal, numbers within what they are printed to."""

from __future__ import annotations

import re
from typing import Final

_NUMBER: Final = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
#: Relative difference between two numbers that is let pass, beside one unit in the last place printed.
ROOM: Final = 1e-3


def first_difference(before: str, after: str, room: float = ROOM) -> str | None:
    """The first line in which two outputs differ in a number alone, or None.

    Lines whose words differ too say other things, and tell nothing of values.
    """
    for mine, own in zip(before.splitlines(), after.splitlines(), strict=False):
        if _NUMBER.sub("#", mine) != _NUMBER.sub("#", own):
            return None
        pairs = zip(_NUMBER.findall(mine), _NUMBER.findall(own), strict=True)
        if not all(_close(one, other, room) for one, other in pairs):
            return f"{own.strip()[:80]!r}, before {mine.strip()[:80]!r}"
    return None


def _close(one: str, other: str, room: float) -> bool:
    a, b = float(one), float(other)
    return abs(a - b) <= room * max(abs(a), abs(b)) + 1.5 * max(_unit(one), _unit(other))


def _unit(number: str) -> float:
    """One unit in the last place of a number as it is printed; nothing of a whole number."""
    digits, _, exponent = number.lower().partition("e")
    decimals = len(digits.partition(".")[2])
    return float(10.0 ** (int(exponent or 0) - decimals)) if decimals or exponent else 0.0
