"""The answer of an edit that is not made."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Decline:
    """A place that could not be rewritten, and why, as a clause that can follow "left alone: "."""

    reason: str
