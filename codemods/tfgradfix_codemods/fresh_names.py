"""Names that mean nothing yet in a module."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterable


class FreshNames:
    """Gives out names, each once, that are not in use."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.taken = set(taken)

    def name(self, wanted: str) -> cst.Name:
        """``wanted``, or with the first free number behind it."""
        name, number = wanted, 2
        while name in self.taken:
            name = f"{wanted}_{number}"
            number += 1
        self.taken.add(name)
        return cst.Name(name)
