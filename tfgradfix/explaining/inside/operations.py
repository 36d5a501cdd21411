"""Records operations: eager ones, those of graphs, calls of traced functions, those with a gradient of their own."""

from __future__ import annotations

import functools
import threading
import traceback
from typing import TYPE_CHECKING, Any

from .record import Node

if TYPE_CHECKING:
    from .flows import Flows
    from .hooks import Hooks
    from .record import Record

ASSIGNS = ("AssignVariableOp", "AssignAddVariableOp", "AssignSubVariableOp")


class Operations:
    """Puts the hooks for operations in place and turns what they tell into nodes."""

    def __init__(self, record: Record, hooks: Hooks, flows: Flows, tensorflow: Any) -> None:
        self.record, self.hooks, self.flows, self.tf = record, hooks, flows, tensorflow

    def install(self) -> None:
        """Put the hooks in place."""
        self.listen()
        self.hooks.replace_function("fast path", self.fast_path)
        self.hooks.replace_function("recorded operations", self.recorded)
        self.hooks.replace_function("numpy functions", self.numpy_function)
        if self.hooks.has("function calls"):
            function = self.hooks["function calls"]
            function._call_flat = self.call(function._call_flat)
        function_type: Any = type(self.tf.function(lambda: None))
        function_type.__call__ = self.eager_function(function_type.__call__)
        run = threading.Thread.run

        @functools.wraps(run)
        def in_thread(thread: Any) -> None:
            self.listen()  # callbacks are told of their own thread only
            run(thread)

        threading.Thread.run = in_thread  # type: ignore[method-assign,assignment]

    def eager_function(self, original: Any) -> Any:
        """A ``tf.function`` that is run eagerly: values that are asked for in it would not exist in its graph."""

        @functools.wraps(original)
        def called(function: Any, *args: Any, **kwargs: Any) -> Any:
            local = self.record.local
            if not self.tf.config.functions_run_eagerly() or getattr(local, "function", None) is not None:
                return original(function, *args, **kwargs)
            given = self.parts([args, kwargs])
            local.function = (self.record.time, {each._id for each in given if hasattr(each, "_id")})
            try:
                return original(function, *args, **kwargs)
            finally:
                local.function = None

        return called

    def listen(self) -> None:
        """Hear of the operations of this thread."""
        if self.hooks.has("op callbacks"):
            self.hooks["op callbacks"](self.heard)

    def heard(
        self,
        name: Any,
        inputs: Any,
        _attributes: Any,
        outputs: Any,
        op_name: Any = None,  # noqa: ARG002  # given by place or by name
        graph: Any = None,
    ) -> None:
        """One operation, as TensorFlow tells it; nothing is returned, so that its outputs stay."""
        if self.record.quiet:
            return
        try:
            self.operation(name.decode() if isinstance(name, bytes) else str(name), inputs, outputs, graph)
        except Exception:  # noqa: BLE001  # whatever it is, it is ours and must not become the program's
            self.record.trouble(traceback.format_exc())

    def operation(self, name: str, inputs: Any, outputs: Any, graph: Any) -> None:
        """Take in one operation."""
        node = self.node("op", name, flat(inputs), flat(outputs))
        self.flows.raw_inputs(node)
        self.record.add(node, self.hooks.stopped())
        if graph is not None:
            node.graph = id(graph)
            self.record.graphs[id(graph)] = graph
        if name in ASSIGNS and len(node.inputs) > 1:
            self.record.assigns[node.inputs[0]].append(node)

    def node(self, kind: str, name: str, inputs: list[Any], outputs: list[Any]) -> Node:
        """A node with the dtypes of its values."""
        inputs = [each for each in inputs if hasattr(each, "_id")]
        outputs = [each for each in outputs if hasattr(each, "_id")]
        node = Node(kind, name, tuple(each._id for each in inputs), tuple(each._id for each in outputs))
        node.dtypes = {each._id: each.dtype.name for each in [*inputs, *outputs]}
        return node

    def fast_path(self, original: Any) -> Any:
        """C++'s own way to run an operation: it reads variables and converts numbers without telling anyone."""

        @functools.wraps(original)
        def executed(context: Any, name: Any, node_name: Any, *args: Any) -> Any:
            if self.record.quiet:
                return original(context, name, node_name, *args)
            given = tuple(self.read(each) for each in args)
            waiting = self.flows.waiting(given)
            try:
                return original(context, name, node_name, *given)
            finally:
                self.flows.restore(waiting)

        return executed

    def read(self, value: Any) -> Any:
        """A variable's value, read in the open; anything else as it is."""
        if isinstance(value, self.tf.Variable):
            return value.value()
        if isinstance(value, list) and any(isinstance(each, self.tf.Variable) for each in value):
            return [self.read(each) for each in value]
        return value

    def recorded(self, original: Any) -> Any:
        """An operation that is put on the tapes with a gradient of its own."""

        @functools.wraps(original)
        def record(name: Any, outputs: Any, inputs: Any, *rest: Any) -> Any:
            if not self.record.quiet:
                self.record.add(self.node("recorded", str(name), flat(inputs), flat(outputs)), self.hooks.stopped())
            return original(name, outputs, inputs, *rest)

        return record

    def numpy_function(self, original: Any) -> Any:
        """``tf.numpy_function``, where it runs at once."""

        @functools.wraps(original)
        def called(func: Any, inp: Any, *args: Any, **kwargs: Any) -> Any:
            if not self.tf.executing_eagerly():
                return original(func, inp, *args, **kwargs)
            given = [self.tf.convert_to_tensor(each) for each in inp]
            self.record.hush(1)
            try:
                result = original(func, inp, *args, **kwargs)
            finally:
                self.record.hush(-1)
            self.record.add(self.node("numpy_function", "numpy_function", given, flat(result)), self.hooks.stopped())
            return result

        return called

    def call(self, original: Any) -> Any:
        """A call of a traced function: one node, which keeps its graph for a look inside."""

        @functools.wraps(original)
        def called(function: Any, *args: Any, **kwargs: Any) -> Any:
            if self.record.quiet:
                return original(function, *args, **kwargs)
            self.record.hush(1)
            try:
                result = original(function, *args, **kwargs)
            finally:
                self.record.hush(-1)
            self.called(function, [*args, *kwargs.values()], result)
            return result

        return called

    def called(self, function: Any, given: list[Any], result: Any) -> None:
        """Take in the call of a traced function: its inputs and outputs belong to those of its graph, in order."""
        graph = function.graph
        inputs = flat(given)
        name = function.name.decode() if isinstance(function.name, bytes) else str(function.name)
        node = self.node("call", name, inputs, flat(self.parts(result)))
        outer = [getattr(each, "_id", -1) for each in inputs]
        inner = [each._id for each in graph.inputs]
        results = [each._id for each in self.parts(graph.structured_outputs) if hasattr(each, "_id")]
        node.detail = (dict(zip(inner, outer)), tuple(results))  # noqa: B905  # not in Python 3.9
        self.record.graphs[id(graph)] = graph
        self.record.add(node, self.hooks.stopped())

    def parts(self, structure: Any) -> list[Any]:
        """The tensors of a structure."""
        found: list[Any] = self.tf.nest.flatten(structure, expand_composites=True)
        return found


def flat(values: Any) -> list[Any]:
    """Lists in lists as one list, without None."""
    if values is None:
        return []
    return [part for each in values for part in flat(each)] if isinstance(values, (list, tuple)) else [values]
