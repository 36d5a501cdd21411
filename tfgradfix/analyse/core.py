"""The state that an interpretation of a program carries, and the one way in which values enter the flow graph.

Assumptions: every branch may be taken unless its test is a constant; loop bodies run until nothing changes;
each call is followed anew in its own context, up to a depth and a budget; a call that cannot be followed is
presumed to carry its arguments on to its result.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from tfgradfix.analyse.building import Building
from tfgradfix.analyse.events import Branch, GradientEvent, Loop
from tfgradfix.analyse.graph import Effect, Graph, Mode, Node
from tfgradfix.analyse.library_functions import LibraryFunctions
from tfgradfix.analyse.modules import Module, Program
from tfgradfix.analyse.names import canonical_name, library_value
from tfgradfix.analyse.objects import (
    Class,
    Container,
    Function,
    Instance,
    LibraryName,
    Method,
    ModuleObject,
    Object,
    Tape,
)
from tfgradfix.analyse.parts import Parts
from tfgradfix.analyse.scopes import Context, Frame
from tfgradfix.analyse.values import MISSING, NOTHING, Value, join

MAX_DEPTH: Final = 24
#: Expressions evaluated, in all contexts together, before calls are no longer followed: for the program's own
#: code, and for each function that nobody calls.
MAX_EVALUATIONS: Final = 300_000
MAX_UNCALLED_EVALUATIONS: Final = 6_000
#: The same for all functions that nobody calls together: each may use a fiftieth of what is left, and always the least.
#: Behind the first number only functions that ask for a gradient themselves and Keras' methods are run, behind the
#: second none: a large library stays affordable, and what is not run is not judged.
MAX_ALL_UNCALLED: Final = (300_000, 900_000)
LEAST_UNCALLED: Final = 1_000

Made = TypeVar("Made", bound=Object)


class Core(Parts):
    """Shared state; the mixins beside this file add how expressions, statements and calls are read."""

    def __init__(self, program: Program, graph_ready: bool = False) -> None:
        self.program = program
        self.graph = Graph()
        self.contexts: list[Context] = []
        self._context_ids: dict[tuple[int, int, int], Context] = {}
        self._library: dict[str, LibraryName] = {}
        self._modules: dict[int, ModuleObject] = {}
        self._methods: dict[tuple[Function, Value], Method] = {}
        self._objects: dict[tuple[int, int, str], Object] = {}
        self.module_frames: dict[int, Frame] = {}
        self.events: dict[tuple[int, int, str], GradientEvent] = {}
        self.branches: dict[tuple[int, int], Branch] = {}
        self.loops: dict[tuple[int, int], Loop] = {}
        self.controls: tuple[frozenset[int], ...] = ()
        self.tapes: tuple[Tape, ...] = ()
        self.mode = Mode.EAGER
        self.asked: dict[Tape, int] = {}
        self.called: set[int] = set()
        self.built: set[Instance] = set()
        self.assigned: set[int] = set()
        #: Layers that are called on tensors, or put into a model.
        self.entered: set[Object] = set()
        #: Loops that AutoGraph turns into loops of the graph, with what is computed in them.
        self.graph_loops: dict[int, tuple[ast.For | ast.AsyncFor | ast.While, Module, set[int]]] = {}
        #: What each call of ``append`` adds.
        self.appended: dict[int, Value] = {}
        #: What was called, for the nodes that a layer or model (perhaps) gives.
        self.model_calls: dict[int, frozenset[Object]] = {}
        self.functions = LibraryFunctions()
        self.building = Building()
        self.shape_sums: list[tuple[ast.BinOp, Module, Mode, frozenset[int]]] = []
        self.instances: dict[Class, list[Instance]] = {}
        self.tensor_keys: set[int] = set()
        self.named: dict[tuple[int, int], frozenset[int]] = {}
        self.evaluations = 0
        self.spent = 0
        self.budget = MAX_EVALUATIONS
        #: Whether functions called inside a tape's block are taken to be traced.
        self.graph_ready = graph_ready
        self.frame: Frame

    def context(self, call: ast.AST, function: Function) -> Context:
        """The context of a call made here, the same one each time the place is reached."""
        parent = self.frame.context
        key = (parent.id, id(call), id(function.node))
        found = self._context_ids.get(key)
        if found is None:
            found = Context(len(self.contexts), parent, call, function, parent.depth + 1)
            self.contexts.append(found)
            self._context_ids[key] = found
        return found

    def root_context(self, key: ast.AST) -> Context:
        """The context of a module, or of a function that nobody in the program calls."""
        found = self._context_ids.get((-1, id(key), 0))
        if found is None:
            found = Context(len(self.contexts), None, None, None)
            self.contexts.append(found)
            self._context_ids[(-1, id(key), 0)] = found
        return found

    def made_at(self, syntax: ast.AST, role: str, made: Made) -> Made:
        """The object that a place makes in this context: ``made`` the first time, later the same one."""
        key = (id(syntax), self.frame.context.id, role)
        found = self._objects.setdefault(key, made)
        if found is made and isinstance(made, Instance):
            self.instances.setdefault(made.cls, []).append(made)
        found.origin = found.origin or (syntax, self.frame.module)
        return found if isinstance(found, type(made)) else made

    def produce(
        self,
        syntax: ast.AST,
        value: Value,
        inputs: Iterable[tuple[Value, Effect]] = (),
        *,
        operation: bool = False,
        symbol: str = "",
        code: str = "",
        operands: tuple[Value, ...] = (),
        role: str = "value",
        module: Module | None = None,
    ) -> Value:
        """Enter a computed value into the flow graph, fed by ``inputs``.

        ``module`` holds ``syntax`` where that is not the module of the running function.
        """
        node = self.graph.node(
            syntax, module or self.frame.module, self.frame.context, self.mode, frozenset(self.tapes), role
        )
        node.operation = node.operation or operation
        node.symbol = symbol or node.symbol
        node.code = code or node.code
        for source, effect in inputs:
            for number in self.flow(source):
                self.graph.link(number, node.id, effect)
        for tests in self.controls:
            for number in tests:
                self.graph.link(number, node.id, Effect.CONTROL)
        found = Value(value.kinds, frozenset({node.id}), value.refs, value.dtype, value.shape, value.const)
        node.learn(found, operands)
        return found

    def node_of(self, syntax: ast.AST, role: str = "value") -> Node:
        """The node of a place in the present context."""
        return self.graph.node(syntax, self.frame.module, self.frame.context, self.mode, frozenset(self.tapes), role)

    def flow(self, value: Value, depth: int = 5) -> frozenset[int]:
        """The nodes of all data in a value: its own and those of what it holds."""
        if not value.refs or depth == 0:
            return value.nodes
        nodes = set(value.nodes)
        for ref in value.refs:
            if isinstance(ref, Container):
                for item in ref.elements():
                    nodes |= self.flow(item, depth - 1)
            elif isinstance(ref, Instance) and not ref.weights:
                for item in list(ref.attributes.values()):
                    nodes |= self.flow(item, depth - 2 if depth > 2 else 0)
        return frozenset(nodes)

    def container(
        self, syntax: ast.AST, kind: int, items: Mapping[Any, Value] | None, rest: Value = NOTHING, role: str = "value"
    ) -> Value:
        """A list, tuple or dict made at a place; ``items`` None when its elements are not known one by one."""
        made = Container("container")
        made.exact = items is not None
        ref = self.made_at(syntax, role + ":container", made)
        for key, value in (items or {}).items():
            ref.items[key] = join(ref.items.get(key, NOTHING), value)
        ref.rest = join(ref.rest, rest)
        return Value(kind, refs=frozenset({ref}))

    @contextmanager
    def controlled(self, test: Value) -> Iterator[None]:
        """What is computed inside depends on ``test``."""
        outer = self.controls
        self.controls = (*outer, self.flow(test))
        try:
            yield
        finally:
            self.controls = outer

    @contextmanager
    def in_mode(self, mode: Mode) -> Iterator[None]:
        """Code inside runs in ``mode``."""
        old, self.mode = self.mode, mode
        try:
            yield
        finally:
            self.mode = old

    def exhausted(self) -> bool:
        """Whether the budget of one program is spent; calls are then no longer followed."""
        return self.evaluations > self.budget

    def library(self, name: str) -> Value:
        """A name of a library by its canonical dotted name."""
        canonical = canonical_name(name)
        ref = self._library.setdefault(canonical, LibraryName(canonical))
        return library_value(ref)

    def module_object(self, module: Module) -> ModuleObject:
        """The object that an import of a module of the program binds."""
        return self._modules.setdefault(id(module), ModuleObject(module))

    def bind(self, member: Value, receiver: Value) -> Value:
        """A class attribute as seen through an instance: functions become methods."""
        refs = frozenset(self.method(ref, receiver) if isinstance(ref, Function) else ref for ref in member.refs)
        return Value(member.kinds, member.nodes, refs, member.dtype, member.shape, member.const)

    def method(self, function: Function, receiver: Value) -> Method:
        """The function bound to a receiver; the same object for the same receiver."""
        return self._methods.setdefault((function, receiver), Method(function, receiver))

    def int_constant(self, value: Value) -> int | None:
        """The value as a constant integer, or None."""
        const = value.const
        return const if const is not MISSING and isinstance(const, int) and not isinstance(const, bool) else None
