"""The record of a run: operations, tapes, and where values left TensorFlow and came back."""

from __future__ import annotations

import sys
import threading
from collections import defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from tfgradfix.verify.inside.places import Places

    #: File, line, function.
    Line = tuple[str, int, str]

#: User frames kept of one stack, the innermost first.
DEPTH = 12
#: Nodes kept; the oldest go first. A step of a mid-size model makes some thousand.
NODES = 400_000


class Node:
    """One operation: the values that went in and came out, the tapes that recorded then, and the user's lines.

    ``kind`` is op, call (of a traced function), recorded (an operation with a gradient of its own), numpy_function,
    or entry (a value that came into TensorFlow). ``inputs`` are tensor ids; those of an entry are numbers of exits.
    """

    __slots__ = (
        "detail",
        "dtypes",
        "graph",
        "inputs",
        "kind",
        "lines",
        "name",
        "number",
        "outputs",
        "stopped",
        "tapes",
    )

    def __init__(self, kind: str, name: str, inputs: tuple[int, ...], outputs: tuple[int, ...]) -> None:
        self.kind, self.name, self.inputs, self.outputs = kind, name, inputs, outputs
        self.number = 0
        self.tapes: frozenset[int] = frozenset()
        self.stopped = False
        self.dtypes: dict[int, str] = {}
        self.lines: tuple[Line, ...] = ()
        self.graph: Any = None
        self.detail: Any = None


class Exit:
    """A tensor's value that left TensorFlow: how (``numpy()``, ``numpy.mean``, ``float()``), and where."""

    __slots__ = ("how", "lines", "number", "tensor", "time")

    def __init__(self, number: int, tensor: int, how: str, lines: tuple[Line, ...], time: int) -> None:
        self.number, self.tensor, self.how, self.lines, self.time = number, tensor, how, lines, time


class Tape:
    """What is known of one GradientTape: when it recorded, and what it was told to watch."""

    def __init__(self, number: int, accessed: bool, persistent: bool) -> None:
        self.number, self.accessed, self.persistent = number, accessed, persistent
        self.opened: int | None = None
        self.closed: int | None = None
        self.lines: tuple[Line, ...] = ()
        self.watched: dict[int, tuple[int, tuple[Line, ...]]] = {}


class Record:
    """All that was seen so far. Tensors are known by their id alone, so none is kept alive."""

    def __init__(self, places: Places, trouble: Callable[[str], None]) -> None:
        self.places, self.trouble = places, trouble
        self.local = threading.local()
        self.time = 0
        self.pruned = False
        self.nodes: dict[int, Node] = {}
        self.makers: dict[int, list[Node]] = defaultdict(list)
        self.assigns: dict[int, list[Node]] = defaultdict(list)
        self.exits: list[Exit] = []
        self.truths: list[Exit] = []
        #: What would end the program in graph mode, by line and word: found in a run that goes on past it.
        self.behind: dict[Any, tuple[str, str, tuple[Line, ...]]] = {}
        self.tapes: dict[int, Tape] = {}
        self.ran: set[tuple[str, int]] = set()
        self.graphs: dict[int, Any] = {}

    @property
    def active(self) -> list[int]:
        """The tapes of this thread that record now, by number."""
        if not hasattr(self.local, "active"):
            self.local.active = []
        found: list[int] = self.local.active
        return found

    @property
    def quiet(self) -> int:
        """How deep this thread is in machinery whose steps are not the program's."""
        return getattr(self.local, "quiet", 0)

    def hush(self, step: int) -> None:
        """Go into (1) or out of (-1) machinery."""
        self.local.quiet = self.quiet + step

    def tick(self) -> int:
        """The time: it counts what happens."""
        self.time += 1
        return self.time

    def add(self, node: Node, stopped: bool) -> Node:
        """Take in a node that happens now."""
        node.number = self.tick()
        node.tapes = frozenset(self.active)
        node.stopped = stopped
        node.lines = self.lines()
        self.nodes[node.number] = node
        for output in node.outputs:
            self.makers[output].append(node)
        if len(self.nodes) > NODES:
            self.prune()
        return node

    def prune(self) -> None:
        """Forget the older half of the eager nodes; those of graphs are asked for at each call."""
        self.pruned = True
        old = [node for node in list(self.nodes.values())[: NODES // 2] if node.graph is None]
        for node in old:
            del self.nodes[node.number]
            for output in node.outputs:
                self.makers.pop(output, None)

    def leave(self, tensor: int, how: str) -> Exit:
        """Take in that a tensor's value leaves TensorFlow now."""
        found = Exit(len(self.exits), tensor, how, self.lines(), self.tick())
        self.exits.append(found)
        start = getattr(self.local, "function", None)
        if start is not None and self.symbolic(tensor, start):
            if how != "bool()":
                self.pass_by("graph value", how, found.lines)
            elif self.as_written():
                self.pass_by("graph condition", how, found.lines)
        return found

    def pass_by(self, reason: str, how: str, lines: tuple[Line, ...]) -> None:
        """Take in a line that TensorFlow would not let the program pass."""
        self.behind.setdefault((reason, lines[:1]), (reason, how, lines))

    def as_written(self) -> bool:
        """Whether the innermost function would be traced as it is written, so that Python has to decide there.

        Keras 3 keeps AutoGraph away from all that it calls: layers, losses, training steps.
        """
        keras: Any = sys.modules.get("keras")
        frame: Any = sys._getframe(1)
        while frame is not None and str(getattr(keras, "__version__", "2")).partition(".")[0] != "2":
            code = frame.f_code
            if code.co_name == "called" and self.places.kind(code.co_filename) == "machinery":
                return False
            if str(frame.f_globals.get("__name__", "")).startswith("keras.src."):
                return True
            frame = frame.f_back
        return False

    def symbolic(self, tensor: int, start: tuple[int, set[int]]) -> bool:
        """Whether a tensor would have no value yet if the function that runs eagerly since ``start`` were traced."""
        given = tensor in start[1] or any(node.number > start[0] for node in self.makers.get(tensor, ()))
        frame: Any = sys._getframe(1)
        while given and frame is not None:
            if frame.f_code.co_filename.endswith("script_ops.py"):  # py_function's body has values in a graph, too
                return False
            frame = frame.f_back
        return given

    def lines(self) -> tuple[Line, ...]:
        """The user's lines of the present stack, the innermost first."""
        found: list[Line] = []
        frame: Any = sys._getframe(1)
        kinds = self.places.known
        while frame is not None and len(found) < DEPTH:
            code = frame.f_code
            kind = kinds.get(code.co_filename) or self.places.kind(code.co_filename)
            if kind == "generated":
                return self.mapped()
            if kind == "user":
                found.append((code.co_filename, frame.f_lineno, code.co_name))
            frame = frame.f_back
        if found:
            self.ran.add(found[0][:2])
        return tuple(found)

    def mapped(self) -> tuple[Line, ...]:
        """As ``lines``, where AutoGraph's generated files are on the stack."""
        stack = reversed(list(self.places.stack()))
        lines = [(each.filename, each.lineno, each.name) for each in stack if self.places.kind(each.filename) == "user"]
        if lines:
            self.ran.add(lines[0][:2])
        return tuple(lines[:DEPTH])
