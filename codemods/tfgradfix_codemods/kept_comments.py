"""Whether all comments survive an edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from collections.abc import Iterable


def keeps_comments(before: Iterable[cst.CSTNode], after: Iterable[cst.CSTNode]) -> bool:
    """Whether every comment in ``before`` stands in ``after``, as often as it did."""
    kept = [text for node in after for text in comments_in(node)]
    old = [text for node in before for text in comments_in(node)]
    return all(old.count(text) <= kept.count(text) for text in old)


def comments_in(node: cst.CSTNode) -> list[str]:
    """The comments inside ``node``."""
    own = [node.value] if isinstance(node, cst.Comment) else []
    return own + [text for child in node.children for text in comments_in(child)]
