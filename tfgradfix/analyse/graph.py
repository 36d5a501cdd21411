"""The flow graph: nodes are values computed somewhere, edges say that data flows from one to the next, and how."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Final

from tfgradfix.analyse.values import Kind, Value, join

if TYPE_CHECKING:
    from tfgradfix.analyse.modules import Module
    from tfgradfix.analyse.objects import Tape
    from tfgradfix.analyse.scopes import Context


class Effect(Enum):
    """What an edge does to the gradient."""

    KEEP = "keep"
    """A differentiable operation: the gradient passes, if the tape records it."""
    PRESUMED = "presumed"
    """An unknown call: presumed to carry the value on."""
    CONTAINS = "contains"
    """A model holds a layer or variable: no operation."""
    NUMPY = "numpy"
    """Leaves TensorFlow without saying so (np.*, an array method, math.*): can be mended."""
    DETACH = "detach"
    """Leaves TensorFlow by the author's own word (``.numpy()``, ``float()``, ``predict``)."""
    STOPPED = "stopped"
    """``tf.stop_gradient``: cut on purpose."""
    NO_GRADIENT = "no-gradient"
    """An operation without a useful derivative (comparison, argmax, cast to integer)."""
    CONTROL = "control"
    """The value decides which branch is taken."""


CARRYING = frozenset({Effect.KEEP, Effect.PRESUMED, Effect.CONTAINS})
MENDABLE = frozenset({Effect.NUMPY, Effect.DETACH})
MATHEMATICAL = CARRYING | MENDABLE


class Mode(Enum):
    """How the code at a node runs."""

    EAGER = "eager"
    AUTOGRAPH = "autograph"
    """Inside ``tf.function``: tensors are symbolic, Python's control flow is converted."""
    SYMBOLIC = "symbolic"
    """Called by Keras: tensors are symbolic and control flow is not converted."""


@dataclass
class Node:
    """One value of the program, computed by ``syntax`` in ``context``.

    ``operation`` says that TensorFlow (or what replaces it) computes something here, so that a tape must
    be recording; passing a value on is no operation. ``symbol`` is the canonical name of what is called.
    """

    id: int
    syntax: ast.AST
    module: Module
    context: Context
    mode: Mode
    tapes: frozenset[Tape]
    operation: bool = False
    symbol: str = ""
    code: str = ""
    value: Value = field(default_factory=lambda: Value(Kind.NOTHING))
    operands: tuple[Value, ...] = ()
    incoming: dict[int, Effect] = field(default_factory=dict)
    outgoing: set[int] = field(default_factory=set)

    def learn(self, value: Value, operands: tuple[Value, ...]) -> None:
        """Join what another evaluation of the same place shows."""
        self.value = join(self.value, value)
        if len(operands) == len(self.operands):
            self.operands = tuple(join(a, b) for a, b in zip(self.operands, operands, strict=True))
        else:
            self.operands = operands


#: The stronger effect wins when one place is seen to do both: a path that may carry is not a certain cut.
_STRENGTH = {effect: rank for rank, effect in enumerate(Effect)}


Follow = Callable[[Node, Node, Effect], bool]
#: The symbols of what stands for something that may be trained.
VARIABLES: Final = frozenset({"weights", "tensorflow.Variable", "input", "y_pred"})


class Graph:
    """All nodes of a program, keyed by place, context and role."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._ids: dict[tuple[int, int, str], int] = {}
        self._reached: dict[tuple[Follow, int], frozenset[int]] = {}

    def __getitem__(self, node: int) -> Node:
        return self.nodes[node]

    def node(
        self, syntax: ast.AST, module: Module, context: Context, mode: Mode, tapes: frozenset[Tape], role: str
    ) -> Node:
        """The node of a place in a context; made when it is first asked for."""
        key = (id(syntax), context.id, role)
        found = self._ids.get(key)
        if found is not None:
            return self.nodes[found]
        node = Node(len(self.nodes), syntax, module, context, mode, tapes)
        self.nodes.append(node)
        self._ids[key] = node.id
        return node

    def link(self, source: int, target: int, effect: Effect) -> None:
        """Add an edge; of two effects between the same nodes the one that carries more stays."""
        if source == target:
            return
        incoming = self.nodes[target].incoming
        old = incoming.get(source)
        if old is None or _STRENGTH[effect] < _STRENGTH[old]:
            incoming[source] = effect
        self.nodes[source].outgoing.add(target)

    def backward(self, starts: Iterable[int], follow: Follow) -> set[int]:
        """Every node from which some of ``starts`` can be reached over edges that ``follow`` accepts."""
        seen = set(starts)
        pending = deque(seen)
        while pending:
            target = self.nodes[pending.popleft()]
            for source, effect in target.incoming.items():
                if source not in seen and follow(self.nodes[source], target, effect):
                    seen.add(source)
                    pending.append(source)
        return seen

    def reached_by_variables(self, follow: Follow) -> frozenset[int]:
        """What can be reached from all that may be trained; kept, since many gradient calls ask for the same."""
        key = (follow, len(self.nodes))
        if key not in self._reached:
            variables = {node.id for node in self.nodes if node.symbol in VARIABLES}
            self._reached[key] = frozenset(self.forward(variables, follow))
        return self._reached[key]

    def forward(self, starts: Iterable[int], follow: Follow) -> set[int]:
        """Every node that can be reached from ``starts`` over edges that ``follow`` accepts."""
        seen = set(starts)
        pending = deque(seen)
        while pending:
            source = self.nodes[pending.popleft()]
            for target in source.outgoing:
                edge = self.nodes[target].incoming[source.id]
                if target not in seen and follow(source, self.nodes[target], edge):
                    seen.add(target)
                    pending.append(target)
        return seen
