"""Blocks of one body as the hunks of a unified diff, each with some unchanged lines round it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tfgradfix.report.bodies import Body
    from tfgradfix.report.changes import Block

#: Unchanged lines above and below a change.
CONTEXT: Final = 3


@dataclass(frozen=True, eq=False)
class Hunk:
    """The old lines ``first`` up to ``last`` of a body, counted from 0, and the ``blocks`` that change some of them.

    ``shift`` is how many lines the hunks above it have added.
    """

    body: Body
    blocks: tuple[Block, ...]
    first: int
    last: int
    shift: int

    @property
    def added(self) -> int:
        """How many lines it adds; fewer than none where it takes some away."""
        return sum(block.stop - block.start - (block.last - block.first) for block in self.blocks)

    @property
    def ranges(self) -> str:
        """What stands between the ``@@``."""
        count = self.last - self.first
        return f"-{_range(self.first, count)} +{_range(self.first + self.shift, count + self.added)}"

    def lines(self) -> Iterator[str]:
        """The lines with their marks; one that ends the body without a line feed has none here, too."""
        row = self.first
        for block in self.blocks:
            yield from (f" {line}" for line in self.body.old[row : block.first])
            yield from (f"-{line}" for line in self.body.old[block.first : block.last])
            yield from (f"+{line}" for line in self.body.new[block.start : block.stop])
            row = block.last
        yield from (f" {line}" for line in self.body.old[row : self.last])


def hunks(body: Body, blocks: Sequence[Block], *, apart: bool = True) -> Iterator[Hunk]:
    """The hunks of ``blocks``, which are in order.

    Args:
        body: what they change.
        blocks: some or all of its blocks.
        apart: keep those of different fix units in hunks of their own, where a line stands between them.
    """
    grouped = _grouped(blocks, apart=apart)
    above, shift = 0, 0
    for number, group in enumerate(grouped):
        below = grouped[number + 1][0].first if number + 1 < len(grouped) else None
        first = max(above, group[0].first - CONTEXT)
        last = min(group[-1].last + CONTEXT, len(body.old))
        if below is not None:
            # git apply takes a hunk without lines below it for one at the end: what lies between is shared out.
            last = min(last, group[-1].last + (below - group[-1].last + 1) // 2)
        hunk = Hunk(body, tuple(group), first, last, shift)
        yield hunk
        above, shift = last, shift + hunk.added


def terminated(line: str) -> str:
    """``line`` of a patch, which says so where the body ends without a line feed."""
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _grouped(blocks: Sequence[Block], *, apart: bool) -> list[list[Block]]:
    groups: list[list[Block]] = []
    for block in blocks:
        last = groups[-1][-1] if groups else None
        if last is not None and _one_hunk(last, block, apart=apart):
            groups[-1].append(block)
        else:
            groups.append([block])
    return groups


def _one_hunk(one: Block, other: Block, *, apart: bool) -> bool:
    between = other.first - one.last
    return between == 0 or (between <= 2 * CONTEXT and (not apart or one.units == other.units))


def _range(first: int, count: int) -> str:
    start = first + 1 if count else first
    return f"{start}" if count == 1 else f"{start},{count}"
