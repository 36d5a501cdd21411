"""The kind of a value that is made of several, or is one of several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

NUMBERS: Final = frozenset({"number", "bool"})


def together(kinds: Iterable[str]) -> str:
    """The kind of what an operator makes of operands of these kinds."""
    found = [kind for kind in kinds if kind != "same"]
    for strongest in ("tensor", "unknown", "ndarray"):
        if strongest in found:
            return strongest
    return "number" if found and set(found) <= NUMBERS else "unknown"


def agreed(kinds: Iterable[str]) -> str:
    """The kind of a value that may be any of several; "unknown" when they differ."""
    found = {kind for kind in kinds if kind != "same"}
    if found and found <= NUMBERS:
        return "bool" if found == {"bool"} else "number"
    if "tensor" in found and found <= {"tensor", "number"}:
        return "tensor"
    return next(iter(found)) if len(found) == 1 else "unknown"
