"""Interpret a whole program: run its modules, then the functions nobody calls, and what Keras calls by itself."""

from __future__ import annotations

import ast

from tfgradfix.analyse.attributes import Attributes
from tfgradfix.analyse.building import makes_weights
from tfgradfix.analyse.builtin import Builtin
from tfgradfix.analyse.calls import Calls
from tfgradfix.analyse.core import LEAST_UNCALLED, MAX_ALL_UNCALLED, MAX_EVALUATIONS, MAX_UNCALLED_EVALUATIONS
from tfgradfix.analyse.displays import Displays
from tfgradfix.analyse.events import Asked, GradientEvent
from tfgradfix.analyse.graph import Effect, Mode
from tfgradfix.analyse.higher_order import HigherOrder
from tfgradfix.analyse.indexing import Indexing
from tfgradfix.analyse.instance_calls import holds_weights
from tfgradfix.analyse.iteration import Iteration
from tfgradfix.analyse.keras_calls import KerasCalls
from tfgradfix.analyse.library import Library
from tfgradfix.analyse.methods import Methods
from tfgradfix.analyse.modules import Module
from tfgradfix.analyse.objects import Class, Container, Function, Instance, Object, Opaque
from tfgradfix.analyse.record_classes import RecordClasses
from tfgradfix.analyse.scopes import Frame
from tfgradfix.analyse.statements import Statements
from tfgradfix.analyse.tensorflow_calls import TensorFlowCalls
from tfgradfix.analyse.values import TENSORS, Kind, Value, join

#: What Keras calls a layer's methods with symbolic tensors for.
KERAS_METHODS = {"call": Asked.KERAS_CALL}


class Interpreter(
    Methods,
    Attributes,
    Calls,
    Builtin,
    Library,
    TensorFlowCalls,
    KerasCalls,
    HigherOrder,
    RecordClasses,
    Displays,
    Indexing,
    Iteration,
    Statements,
):
    """The interpretation of one program; afterwards its graph, events, branches and loops are complete."""

    def run(self) -> None:
        """Interpret the program twice: the second pass sees all that the first has written into objects."""
        for _ in range(2):
            self.module_frames.clear()
            self.called.clear()
            self.built.clear()
            self.building.start_again()
            self.evaluations, self.budget = 0, MAX_EVALUATIONS
            for module in self.program.starts:
                self.run_module(module)
            self.spent = 0
            for module in self.program.starts:
                self._run_uncalled(module)
            if not self.events:
                return
        self._link_parts()

    # Functions that nobody in the program calls ------------------------------------------------------------------

    def _run_uncalled(self, module: Module) -> None:
        """Call what the module defines and nobody calls, with arguments of which nothing is known."""
        frame = self.module_frames[id(module)]
        self.frame, self.controls, self.tapes, self.mode, self.asked = frame, (), (), Mode.EAGER, {}
        for value in list((frame.names or {}).values()):
            for ref in sorted(value.refs, key=lambda ref: ref.label):
                if isinstance(ref, Function) and ref.module is module and self._worth_running(ref):
                    self._call_unknown(ref, frame)
                elif isinstance(ref, Class) and ref.module is module:
                    self._run_class(ref, frame)

    def _worth_running(self, function: Function) -> bool:
        """Whether a function is called by nobody and may lead to a gradient call."""
        if id(function.node) in self.called or not self.program.asks(function.node):
            return False
        return self._affordable(function)

    def _affordable(self, function: Function) -> bool:
        """Whether the budget still allows to run a function that nobody calls."""
        most, most_asking = MAX_ALL_UNCALLED
        if self.spent < most:
            return True
        asks = function.node.name in KERAS_METHODS if isinstance(function.node, ast.FunctionDef) else False
        return self.spent < most_asking and (asks or self.program.asks_itself(function.node))

    def _share(self) -> int:
        """How much of the budget one function that nobody calls may use."""
        left = MAX_ALL_UNCALLED[self.spent >= MAX_ALL_UNCALLED[0]] - self.spent
        return max(LEAST_UNCALLED, min(MAX_UNCALLED_EVALUATIONS, left // 50))

    def _call_unknown(self, function: Function, frame: Frame, receiver: Value | None = None) -> Value:
        self.evaluations, self.budget = 0, self._share()
        parameters = [*function.node.args.posonlyargs, *function.node.args.args, *function.node.args.kwonlyargs]
        names = list(parameters)
        arguments = {argument.arg: self._unknown_argument(argument) for argument in names}
        if receiver is not None and names:
            arguments[names[0].arg] = receiver
        result = self.call_function(function, [], arguments, function.node)
        self.spent += self.evaluations
        return result

    def _unknown_argument(self, argument: ast.arg) -> Value:
        """A parameter of which nothing is known; what it is used for tells more."""
        opaque = self.made_at(argument, "parameter", Opaque(argument.arg))
        return self.produce(argument, Value(Kind.UNKNOWN, refs=frozenset({opaque})), symbol="parameter")

    def _run_class(self, cls: Class, frame: Frame) -> None:
        """Run the methods of a class that the program itself never calls."""
        uncalled = [
            (name, ref)
            for name, value in cls.attributes.items()
            for ref in sorted(value.refs, key=lambda ref: ref.label)
            if isinstance(ref, Function)
            and ref.owner is cls
            and (self._worth_running(ref) or (name in KERAS_METHODS and self._is_keras(cls) and self._affordable(ref)))
        ]
        if not uncalled:
            return
        for receiver in self._instances(cls, frame):
            for name, function in uncalled:
                if name in KERAS_METHODS and self._is_keras(cls):
                    self._keras_call(function, receiver, name)
                elif id(function.node) not in self.called:
                    if "staticmethod" in function.attributes:
                        self._call_unknown(function, frame)
                    else:
                        mode = Mode.SYMBOLIC if name == "train_step" and self._is_keras(cls) else Mode.EAGER
                        with self.in_mode(mode):
                            self._call_unknown(function, frame, receiver)

    def _instances(self, cls: Class, frame: Frame) -> list[Value]:
        """The instances that the program makes of a class, or one made of unknown arguments."""
        if self.instances.get(cls):
            return [Value(Kind.OBJECT, refs=frozenset({ref})) for ref in self.instances[cls][:3]]
        instance = self.made_at(cls.node, "unmade", Instance(cls))
        value = Value(Kind.OBJECT, refs=frozenset({instance}))
        member = cls.member("__init__")
        for ref in sorted(member.refs, key=lambda ref: ref.label) if member is not None else []:
            if isinstance(ref, Function):
                self._call_unknown(ref, frame, value)
        return [value]

    @staticmethod
    def _is_keras(cls: Class) -> bool:
        return any(base.startswith("keras.") for base in cls.library_bases())

    def _keras_call(self, function: Function, receiver: Value, name: str) -> None:
        """``Layer.call``, ``Model.call``, ``Loss.call``: Keras gives symbolic tensors and asks for the gradient."""
        parameters = function.node.args.args[1:]
        if not parameters:
            return
        self.evaluations, self.budget = 0, self._share()
        loss = any(
            base.startswith(("keras.Loss", "keras.losses."))
            for ref in receiver.refs
            if isinstance(ref, Instance)
            for base in ref.cls.library_bases()
        )
        arguments: list[Value] = []
        for position, argument in enumerate(parameters):
            symbolic = position == 0 or (loss and position == 1)
            if not symbolic:
                break
            role = "y_true" if loss and position == 0 else "input"
            arguments.append(self.produce(argument, Value(Kind.TENSOR, dtype="float32"), symbol=role, role="symbolic"))
        source = arguments[-1] if loss else arguments[0]
        for ref in receiver.refs:
            if isinstance(ref, Instance) and not loss:
                self.build(ref)
        with self.in_mode(Mode.SYMBOLIC):
            result = self.call_function(function, [receiver, *arguments], {}, function.node, "keras")
        self.spent += self.evaluations
        for ref in receiver.refs:
            if isinstance(ref, Instance) and not loss:
                source = join(source, self.trained(ref))
        if not loss and not self._is_trained(receiver):
            return
        self.note_event(
            GradientEvent(
                KERAS_METHODS[name], function.node, function.module, self.frame.context, Mode.SYMBOLIC, result, source
            )
        )

    def _is_trained(self, receiver: Value) -> bool:
        """Whether a layer has weights, or stands in a model that is made here: others may only prepare data."""
        return any(ref in self.entered or makes_weights(ref) for ref in receiver.refs)

    # Models hold layers and variables ------------------------------------------------------------------------------

    def _link_parts(self) -> None:
        """The variables of a model are those of its parts."""
        for ref in list(self._objects.values()):
            if ref.weights is not None and (holds_weights(ref) or isinstance(ref, (Instance,))):
                for value in list(ref.attributes.values()):
                    self._link_part(ref, value, 4)

    def _link_part(self, whole: Object, value: Value, depth: int) -> None:
        if whole.weights is None:
            return
        if value.may_be(Kind.VARIABLE) and value.is_only(TENSORS):
            for node in value.nodes:
                self.graph.link(whole.weights, node, Effect.CONTAINS)
        for ref in value.refs:
            if ref is whole:
                continue
            if isinstance(ref, Container) and depth:
                for item in ref.elements():
                    self._link_part(whole, item, depth - 1)
            elif ref.weights is not None:
                self.graph.link(whole.weights, ref.weights, Effect.CONTAINS)
