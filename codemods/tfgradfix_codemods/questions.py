"""One `if` on tensors that is to go, and what takes its place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from tfgradfix_codemods.fresh_names import FreshNames
    from tfgradfix_codemods.sites import Site


@dataclass(frozen=True)
class Question:
    """One `if`: as a node, the statements that follow it in its block, and what is known about it.

    ``python`` tells which of its tests are Python bools; ``wanted`` are names that the finding says are used later;
    ``written`` is what stands in the text where that is no `if`.
    """

    node: cst.If
    following: tuple[cst.BaseStatement, ...]
    python: tuple[bool, ...]
    wanted: frozenset[str]
    fresh: FreshNames
    site: Site
    written: cst.CSTNode | None = None

    def after_first_test(self) -> Question | None:
        """The same for what stands behind `elif`."""
        rest = self.node.orelse
        return replace(self, node=rest, python=self.python[1:]) if isinstance(rest, cst.If) else None


@dataclass(frozen=True)
class Answer:
    """What takes the place of an `if`, and whether the statements that follow it are part of that."""

    statements: tuple[cst.BaseStatement, ...]
    takes_following: bool = False
