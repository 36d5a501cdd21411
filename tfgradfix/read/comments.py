"""``# tfgradfix: ignore`` and ``# tfgradfix: ignore[CODE, name]``: findings that the author wants left alone."""

from __future__ import annotations

import io
import re
import tokenize
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tfgradfix.config import matches

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tfgradfix.model import Finding

_COMMENT: Final = re.compile(r"#\s*tfgradfix:\s*ignore(?:\s*\[([^\]]*)\])?", re.IGNORECASE)


@dataclass(frozen=True)
class Ignored:
    """The ignore comments of one text.

    ``comments`` gives for a row the codes or names that are ignored there; an empty set stands for all.
    ``ends`` gives for each row the last row of the statement (or of the head of a block) that it belongs to.
    """

    comments: Mapping[int, frozenset[str]]
    ends: Mapping[int, int]

    def covers(self, finding: Finding) -> bool:
        """Whether a comment on the first or the last line of what ``finding`` is about names it."""
        start = finding.span.start.row
        last = min(finding.span.end.row, self.ends.get(start, start))
        for row in (start, last):
            selectors = self.comments.get(row)
            if selectors is not None and (not selectors or any(matches(one, finding) for one in selectors)):
                return True
        return False


def ignore_comments(text: str) -> Ignored:
    """Find the ignore comments of ``text``; a text that does not come apart in tokens has none."""
    if not _COMMENT.search(text):
        return Ignored({}, {})
    comments: dict[int, frozenset[str]] = {}
    ends: dict[int, int] = {}
    first: int | None = None
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                found = _COMMENT.search(token.string)
                if found:
                    comments[token.start[0]] = _selectors(found.group(1))
            elif token.type == tokenize.NEWLINE:
                ends.update((row, token.start[0]) for row in range(first or token.start[0], token.start[0] + 1))
                first = None
            elif first is None and token.type not in (tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
                first = token.start[0]
    except (tokenize.TokenError, SyntaxError):
        return Ignored({}, {})
    return Ignored(comments, ends)


def _selectors(listed: str | None) -> frozenset[str]:
    return frozenset(part.strip() for part in (listed or "").split(",") if part.strip())
