"""The cheapest way from a target back to a source: steps that carry no gradient cost one and say why.

Nodes are replayed against one tape: an operation passes a gradient on when the tape recorded it, its values are floats
and it has a gradient for that input. The steps that cost something on the cheapest way are the cause (0-1 breadth-first
search).
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .hooks import Hooks
    from .record import Exit, Node, Record, Tape

#: Operations that answer None for a float input although a gradient is registered, found by asking each of them.
SILENT = frozenset(
    """Floor Ceil Round Rint FloorDiv TruncateDiv OnesLike ZerosLike RandomShuffle HSVToRGB StopGradient""".split()
)
#: Operations without a gradient that merely hand a value's shape or handle on.
SHAPES = frozenset("Shape Size Rank ShapeN VarHandleOp".split())
#: Positions in one search.
MOST = 300_000


class Cut(NamedTuple):
    """A step that carries no gradient: why (a word), the node, the exit where the value left, the tensor."""

    reason: str
    node: Node | None
    exit: Exit | None
    tensor: int


class Way(NamedTuple):
    """The cheapest way found: its cuts and nodes from source to target."""

    cuts: tuple[Cut, ...]
    nodes: tuple[tuple[Node, Cut | None], ...]


class Search:
    """Searches for one tape, from one target; ``asked`` is the time of the gradient call."""

    def __init__(self, record: Record, hooks: Hooks, tape: Tape | None, asked: int) -> None:
        self.record, self.hooks, self.tape, self.asked = record, hooks, tape, asked
        self.entries: list[Node] = []
        self.captures = {
            inner._id: getattr(outer, "_id", -1)
            for graph in list(record.graphs.values())
            for outer, inner in getattr(graph, "captures", ())
            if hasattr(inner, "_id")
        }

    def way(self, targets: list[int], source: int, watched: int | None, loose: bool = False) -> Way | None:
        """The cheapest way from ``source`` to one of ``targets``.

        Args:
            targets: tensor ids.
            source: a tensor's id, or that of a variable's handle.
            watched: since when the tape watches the source; None: never.
            loose: also through entries whose origin is not known, from any exit before them.
        """
        self.entries = []
        start = [(("t", target), ()) for target in targets]
        back: dict[Any, tuple[Any, Node | None, Cut | None]] = dict.fromkeys(start, (None, None, None))
        cost = dict.fromkeys(start, 0)
        done: set[Any] = set()
        queue = deque(start)
        while queue and len(done) < MOST:
            state = queue.popleft()
            if state in done:
                continue
            done.add(state)
            if state[0] == ("t", source):
                return self.told(state, back)
            for before, node, cut in self.steps(state, source, watched, loose):
                price = cost[state] + (cut is not None)
                if price < cost.get(before, 1 << 30):
                    cost[before], back[before] = price, (state, node, cut)
                    (queue.appendleft if cut is None else queue.append)(before)
        return None

    def told(self, state: Any, back: dict[Any, Any]) -> Way:
        """The way from its states."""
        nodes, cuts = [], []
        while back[state][0] is not None:
            state, node, cut = back[state]
            if node is not None:
                nodes.append((node, cut))
            if cut is not None:
                cuts.append(cut)
        return Way(tuple(self.telling(cuts)), tuple(nodes))

    @staticmethod
    def telling(cuts: list[Cut]) -> Iterator[Cut]:
        """The cuts without those that follow from the one before: what is whole numbers already stays so."""
        whole = False
        for cut in cuts:
            follows = cut.reason == "integer" and cut.node is not None and not is_float(cut.node.dtypes[cut.tensor])
            if not (whole and follows):
                yield cut
            whole = cut.reason == "integer"

    def steps(
        self, state: Any, source: int, watched: int | None, loose: bool
    ) -> Iterator[tuple[Any, Node | None, Cut | None]]:
        """The values that a value comes from, each with the cut between them, if there is one."""
        (kind, number), context = state
        if kind == "x":
            yield (("t", self.record.exits[number].tensor), ()), None, None
            return
        if context:
            outer = context[-1].detail[0].get(number)
            if outer is not None:
                yield (("t", outer), context[:-1]), None, None
        if number in self.captures:
            yield (("t", self.captures[number]), context), None, None
        for node in self.record.makers.get(number, ()):
            if node.number < self.asked:
                yield from self.through(node, number, context, source, watched, loose)
        for node in self.record.assigns.get(number, ()):
            if node.number < self.asked and number != source:
                yield (("t", node.inputs[1]), context), node, Cut("assign", node, None, number)

    def through(
        self, node: Node, output: int, context: Any, source: int, watched: int | None, loose: bool
    ) -> Iterator[tuple[Any, Node | None, Cut | None]]:
        """The ways through one node."""
        if node.kind == "entry":
            numbers = node.inputs
            if not numbers:
                self.entries.append(node)
                if loose:
                    numbers = tuple(each.number for each in self.record.exits if each.time < node.number)[-200:]
            for number in numbers:
                yield (("x", number), ()), node, Cut("left", node, self.record.exits[number], output)
            return
        if node.kind == "call":
            place = node.outputs.index(output)
            inner = node.detail[1]
            if place < len(inner) and inner[place] in self.record.makers:
                cut = self.outside(node, context, output)
                yield (("t", inner[place]), (*context, node)[-8:]), node, cut
                return
        for tensor in node.inputs:
            if node.name in SHAPES:
                continue
            cut = self.cut(node, tensor, output, context)
            if cut is None and tensor == source and (watched is None or watched > node.number):
                cut = Cut("not watched" if watched is None else "watched late", node, None, tensor)
            yield (("t", tensor), context), node, cut

    def cut(self, node: Node, tensor: int, output: int, context: Any) -> Cut | None:
        """Why no gradient passes from ``tensor`` to ``output``, or None when one does."""
        if node.kind == "numpy_function":
            return Cut("numpy_function", node, None, tensor)
        handle = node.dtypes[tensor] in ("resource", "variant")
        reason = None
        out = is_float(node.dtypes[output]) or node.dtypes[output] in ("resource", "variant")
        if not out or not (handle or is_float(node.dtypes[tensor])):
            reason = "integer"
        elif node.kind == "op":
            reason = self.operation(node)
        if reason is not None:
            return Cut(reason, node, None, tensor)
        return self.outside(node, context, tensor)

    def operation(self, node: Node) -> str | None:
        """Whether an operation has no gradient."""
        if node.name == "StopGradient":
            return "stop_gradient"
        if node.name in ("PyFunc", "PyFuncStateless"):
            return "numpy_function"
        if node.name in SILENT:
            return "no gradient"
        if not self.hooks.has("gradient registry"):
            return None
        try:
            return "no gradient" if self.hooks["gradient registry"].lookup(node.name) is None else None
        except LookupError:
            return None  # TensorFlow raises where none is registered

    def outside(self, node: Node, context: Any, tensor: int) -> Cut | None:
        """Whether the tape did not record the node, and how so."""
        first = context[0] if context else node  # inside a called function the call is what was recorded
        if self.tape is None or self.tape.number in node.tapes | first.tapes:
            return Cut("recording stopped", node, None, tensor) if node.stopped and node.graph is None else None
        if self.tape.opened is not None and first.number < self.tape.opened:
            return Cut("before the tape", node, None, tensor)
        if self.tape.closed is not None and first.number > self.tape.closed:
            return Cut("after the tape", node, None, tensor)
        return Cut("another tape" if first.tapes else "outside the tape", node, None, tensor)


def is_float(dtype: str) -> bool:
    """Whether values of this dtype can have a gradient."""
    return dtype.startswith(("float", "bfloat", "complex"))
