"""The changes of a report for a person: fix by fix, each with its hunks in all files that it reaches into."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from tfgradfix.report.headings import title
from tfgradfix.report.hunks import hunks, terminated
from tfgradfix.report.text import Piece

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tfgradfix.report.bodies import Body
    from tfgradfix.report.changes import Change, Changes
    from tfgradfix.report.text import Line

_STYLES: Final = {"-": "red", "+": "green"}
#: A control character would have the terminal show something else than the file holds.
_CONTROLS: Final = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n"} | {0x7F: "␡"}


def review_lines(changes: Changes) -> Iterator[Line]:
    """Every change; what several of them need is shown with the first."""
    seen: set[tuple[object, ...]] = set()
    for change in changes.all:
        yield (Piece(f"Fix {change.number} of {len(changes.all)}", "bold"),)
        yield from change_lines(change, changes, seen)
        yield ()
        seen.update(block.content for block in change.blocks)


def change_lines(change: Change, changes: Changes, seen: Iterable[tuple[object, ...]] = ()) -> Iterator[Line]:
    """The hunks of ``change``, except those blocks whose content is in ``seen``."""
    left = [block for block in change.blocks if block.content not in set(seen)]
    for body, blocks in groupby(left, key=lambda block: block.body):
        name = body.name.decode("utf-8", "backslashreplace").translate(_CONTROLS)
        yield (Piece(f"--- a/{name}", "bold"),)
        yield (Piece(f"+++ b/{name}", "bold"),)
        for hunk in hunks(body, list(blocks), apart=False):
            yield Piece(f"@@ {hunk.ranges} @@", "cyan"), Piece(f" {title(hunk, changes)}")
            for line in hunk.lines():
                yield from _shown(line)


def files_of(change: Change) -> tuple[Body, ...]:
    """The bodies that ``change`` reaches into."""
    return tuple(dict.fromkeys(block.body for block in change.blocks))


def _shown(line: str) -> Iterator[Line]:
    """One line of a hunk, and what is to be said of its end."""
    for part in terminated(line).split("\n")[:-1]:
        text = part.removesuffix("\r").encode("latin-1").decode("utf-8", "backslashreplace")
        yield (Piece(text.translate(_CONTROLS), _STYLES.get(part[:1], "")),)
