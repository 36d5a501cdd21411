"""Whether it shows that a name for a part of an array no longer follows when the array's name is bound anew.

`row = array[k]` is a window on the array: what is assigned to `array[k]` later is seen in `row`. A tensor's row is a
value of its own. The difference shows where `row` is read after an assignment that may touch it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.blocks import nodes_in
from tfgradfix_codemods.item_parts import Element, differ
from tfgradfix_codemods.names_read import names_read
from tfgradfix_codemods.place_arithmetic import split
from tfgradfix_codemods.reads_elsewhere import reads_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tfgradfix_codemods.item_parts import Part
    from tfgradfix_codemods.trees import Tree

LOOPS: Final = (cst.For, cst.While)


@dataclass(frozen=True)
class Touch:
    """An assignment to items of the array: the statement and the index, None where that is not plain."""

    statement: cst.CSTNode
    parts: tuple[Part, ...] | None


class Timing:
    """The order of the code of one function."""

    def __init__(self, tree: Tree, function: cst.CSTNode) -> None:
        self.tree = tree
        self.function = function
        self.order: Mapping[cst.CSTNode, int] = {node: number for number, node in enumerate(nodes_in(function))}

    def moment(self, node: cst.CSTNode) -> int:
        """When ``node`` is reached first: its statement's place in the code."""
        for above in reversed(self.tree.path(node)):
            if isinstance(above, (cst.BaseSmallStatement, cst.BaseCompoundStatement)):
                return self.order[above]
        return self.order[node]

    def loops(self, node: cst.CSTNode) -> list[cst.CSTNode]:
        """The loops round ``node`` in the function."""
        path = self.tree.path(node)
        inside = path[path.index(self.function) :] if self.function in path else path
        return [above for above in inside if isinstance(above, LOOPS)]

    def may_follow(self, touch: Touch, node: cst.CSTNode, makers: Iterable[cst.CSTNode]) -> bool:
        """Whether ``touch`` may come after ``node`` while the array is still the same."""
        if self.moment(touch.statement) > self.moment(node):
            return True
        new_each_turn = [loop for maker in makers for loop in self.loops(maker)]
        here = self.loops(node)
        return any(loop in here and loop not in new_each_turn for loop in self.loops(touch.statement))

    def shows(self, name: str, bound: cst.CSTNode, parts: Sequence[Part], touches: Iterable[Touch]) -> bool:
        """Whether ``name``, bound to ``parts`` of the array at ``bound``, is read after they may have changed."""
        reads = [read for read in reads_of(name, self.function) if read in self.order]
        return any(self._between(bound, touch, read, parts) for touch in touches for read in reads)

    def _between(self, bound: cst.CSTNode, touch: Touch, read: cst.CSTNode, parts: Sequence[Part]) -> bool:
        first, middle, last = self.moment(bound), self.moment(touch.statement), self.moment(read)
        around_bound, around_touch, around_read = (self.loops(node) for node in (bound, touch.statement, read))
        common = [loop for loop in around_touch if loop in around_read]
        if any(loop in around_bound for loop in common) and last <= first:
            # The next turn reads what this one has bound, and by then the index means another place.
            return middle > first or middle < last
        turning = [loop for loop in common if loop not in around_bound]
        if not first < middle < last and not turning:
            return False
        if touch.parts is None or not differ(parts, touch.parts):
            return True
        return any(self._moves(part, loop) for part in (*parts, *touch.parts) for loop in turning)

    def _moves(self, part: Part, loop: cst.CSTNode) -> bool:
        """Whether a place is another in the next turn of a loop."""
        if not isinstance(part, Element):
            return False
        base, _ = split(part.place)
        return base is not None and not names_read(base).isdisjoint(self.tree.bindings(loop))
