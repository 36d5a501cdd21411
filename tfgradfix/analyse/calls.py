"""How calls are followed: functions and methods of the program anew in each context."""

from __future__ import annotations

import ast
from typing import Final

from tfgradfix.analyse.core import MAX_DEPTH
from tfgradfix.analyse.graph import Effect, Mode
from tfgradfix.analyse.instance_calls import InstanceCalls, holds_weights
from tfgradfix.analyse.modules import Module
from tfgradfix.analyse.objects import (
    Class,
    Container,
    Function,
    Instance,
    LibraryInstance,
    LibraryName,
    Method,
    Object,
    Opaque,
    Partial,
)
from tfgradfix.analyse.scopes import Frame
from tfgradfix.analyse.values import NOTHING, UNKNOWN, Kind, Value, constant, join, join_all

#: How often one function may stand in a chain of calls: once more than not at all, so that recursion is seen to recur.
MAX_RECURSION: Final = 2


class Calls(InstanceCalls):
    """Follow calls."""

    def _call(self, node: ast.Call) -> Value:
        if isinstance(node.func, ast.Attribute):
            receiver = self.evaluate(node.func.value)
            if any(isinstance(ref, LibraryName) for ref in receiver.refs):
                self.functions.call(node.func, self.attribute(receiver, node.func.attr, node.func))
            arguments, keywords = self.arguments(node)
            return self.call_method(receiver, node.func.attr, arguments, keywords, node)
        callee = self.evaluate(node.func)
        if isinstance(node.func, ast.Name) and self.functions.names_library(self.frame, node.func.id):
            self.functions.call(node.func, callee)
        arguments, keywords = self.arguments(node)
        return self.call_value(callee, arguments, keywords, node)

    def arguments(self, node: ast.Call) -> tuple[list[Value], dict[str, Value]]:
        """The values of a call's arguments; unpacked ones joined under ``*`` and ``**``."""
        positional: list[Value] = []
        for argument in node.args:
            value = self.evaluate(argument)
            if isinstance(argument, ast.Starred):
                positional += self._unpacked(value, argument)
            else:
                positional.append(value)
        keywords: dict[str, Value] = {}
        for keyword in node.keywords:
            value = self.evaluate(keyword.value)
            if keyword.arg is not None:
                keywords[keyword.arg] = value
                continue
            for ref in value.refs:
                if isinstance(ref, Container) and ref.exact:
                    keywords.update({str(key): item for key, item in ref.items.items()})
                else:
                    keywords["**"] = self.element(value, keyword.value)
        return positional, keywords

    def _unpacked(self, value: Value, syntax: ast.AST) -> list[Value]:
        containers = [ref for ref in value.refs if isinstance(ref, Container)]
        if len(containers) == 1 and containers[0].exact and value.is_only(Kind.TUPLE | Kind.LIST):
            return [containers[0].items[key] for key in sorted(containers[0].items, key=str)]
        element = self.element(value, syntax)
        return [Value(element.kinds, element.nodes, element.refs | {self.made_at(syntax, "star", Opaque("*"))})]

    def call_value(
        self, callee: Value, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST, role: str = "call"
    ) -> Value:
        """Call every function that ``callee`` may be and join what they give."""
        results: list[Value] = []
        for ref in sorted(callee.refs, key=lambda ref: ref.label):
            result = self._call_object(ref, callee, arguments, keywords, syntax, role)
            if result is not None:
                results.append(result)
        if not results:
            return self.presumed_call(callee, arguments, keywords, syntax, role)
        return join_all(results)

    def _call_object(
        self, ref: Object, callee: Value, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST, role: str
    ) -> Value | None:
        if isinstance(ref, Function):
            return self.call_function(ref, arguments, keywords, syntax, role)
        if isinstance(ref, Method):
            return self.call_function(ref.function, [ref.receiver, *arguments], keywords, syntax, role)
        if isinstance(ref, Partial):
            return self.call_value(
                ref.function, [*ref.arguments, *arguments], {**ref.keywords, **keywords}, syntax, role
            )
        if isinstance(ref, Class):
            return self.instantiate(ref, arguments, keywords, syntax)
        if isinstance(ref, LibraryName):
            return self.call_library(ref.label, arguments, keywords, syntax, role)
        if isinstance(ref, Instance):
            return self.call_instance(ref, Value(Kind.OBJECT, refs=frozenset({ref})), arguments, keywords, syntax)
        if isinstance(ref, LibraryInstance):
            return self.call_library_instance(ref, arguments, keywords, syntax)
        return None

    def presumed_call(
        self, callee: Value, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST, role: str = "call"
    ) -> Value:
        """A call that cannot be followed: its arguments, and the weights of what is called, are presumed to go on."""
        inputs = [(value, Effect.PRESUMED) for value in (callee, *arguments, *keywords.values())]
        for value in (callee, *arguments, *keywords.values()):
            for ref in value.refs:
                self.building.built(ref)
        for ref in callee.refs:
            if isinstance(ref, Opaque) or holds_weights(ref):
                inputs.append((self.weights(ref), Effect.PRESUMED))
        for argument in (*arguments, *keywords.values()):
            for ref in argument.refs:
                if (isinstance(ref, Opaque) and ref.weights is not None) or holds_weights(ref):
                    inputs.append((self.weights(ref), Effect.PRESUMED))
        opaque = self.made_at(syntax, role + ":opaque", Opaque("call"))
        operands = (callee, *arguments, *keywords.values())
        result = self.produce(
            syntax, Value(Kind.UNKNOWN, refs=frozenset({opaque})), inputs, role=role, operands=operands
        )
        self.model_calls |= dict.fromkeys(result.nodes, callee.refs)
        return result

    # Functions of the program -----------------------------------------------------------------------------------

    def call_function(
        self,
        function: Function,
        arguments: list[Value],
        keywords: dict[str, Value],
        syntax: ast.AST,
        role: str = "call",
    ) -> Value:
        """Run a function of the program with these arguments."""
        self.called.add(id(function.node))
        context = self.context(syntax, function)
        recursion = sum(c.function is not None and c.function.node is function.node for c in context.chain())
        if context.depth > MAX_DEPTH or recursion > MAX_RECURSION or self.exhausted():
            return self.presumed_call(Value(Kind.FUNCTION), arguments, keywords, syntax, role)
        mode = function.traced or self.mode
        if self.graph_ready and mode is Mode.EAGER and self.tapes:
            mode = Mode.SYMBOLIC
            arguments, keywords = self._traced(arguments, keywords, syntax)
        frame = Frame(function.module, context, function.frame)
        outer, controls, tapes = self.frame, self.controls, self.tapes
        self.frame = frame
        try:
            self.bind_arguments(function, arguments, keywords)
            with self.in_mode(mode):
                self._run(function, frame)
        finally:
            self.frame, self.controls, self.tapes = outer, controls, tapes
        return self._returned(function, frame, syntax)

    def _traced(
        self, arguments: list[Value], keywords: dict[str, Value], syntax: ast.AST
    ) -> tuple[list[Value], dict[str, Value]]:
        """The arguments as a function that is traced gets them: arrays are tensors."""
        given = [self._symbolic(value, syntax, number) for number, value in enumerate(arguments)]
        return given, {name: self._symbolic(value, syntax, name) for name, value in keywords.items()}

    def _symbolic(self, value: Value, syntax: ast.AST, place: object) -> Value:
        if not value.is_only(Kind.NDARRAY):
            return value
        tensor = Value(Kind.TENSOR, dtype=value.dtype, shape=value.shape)
        return self.produce(syntax, tensor, [(value, Effect.KEEP)], role=f"traced:{place}")

    def _run(self, function: Function, frame: Frame) -> None:
        if isinstance(function.node, ast.Lambda):
            frame.result = self.evaluate(function.node.body)
            return
        self.execute(function.node.body)
        if frame.names is not None and not frame.yields:
            frame.result = join(frame.result, constant(None)) if frame.result != NOTHING else constant(None)

    def _returned(self, function: Function, frame: Frame, syntax: ast.AST) -> Value:
        if frame.yields:
            return self.container(syntax, Kind.LIST, None, frame.result, role=f"yield:{id(function.node)}")
        return frame.result if frame.result != NOTHING else constant(None)

    def bind_arguments(self, function: Function, arguments: list[Value], keywords: dict[str, Value]) -> None:
        """Bind parameters in the present frame, as Python does."""
        spec = function.node.args
        positional = [argument.arg for argument in (*spec.posonlyargs, *spec.args)]
        left = dict(keywords)
        for position, name in enumerate(positional):
            if position < len(arguments):
                self.frame.bind(name, arguments[position])
            else:
                given = left.pop(name) if name in left else left.get("**")
                self.frame.bind(name, self._default(function, name, arguments) if given is None else given)
        for argument in spec.kwonlyargs:
            name = argument.arg
            self.frame.bind(name, left.pop(name) if name in left else self._default(function, name, []))
        if spec.vararg:
            extra = arguments[len(positional) :]
            self.frame.bind(spec.vararg.arg, self.container(spec.vararg, Kind.TUPLE, dict(enumerate(extra))))
        if spec.kwarg:
            self.frame.bind(spec.kwarg.arg, self.container(spec.kwarg, Kind.DICT, dict(left)))

    def _default(self, function: Function, name: str, arguments: list[Value]) -> Value:
        if name in function.defaults:
            return function.defaults[name]
        starred = [value for value in arguments if any(ref.label == "*" for ref in value.refs)]
        return starred[-1] if starred else UNKNOWN

    # Classes and instances ---------------------------------------------------------------------------------------

    def run_module(self, module: Module) -> Frame:
        """Run a module's own code, once; a module that is being imported in a circle gives what it has so far."""
        found = self.module_frames.get(id(module))
        if found is not None:
            return found
        frame = Frame(module, self.root_context(module.tree))
        frame.names = {"__name__": Value(Kind.STRING), "__file__": Value(Kind.STRING)}
        self.module_frames[id(module)] = frame
        outer = getattr(self, "frame", None)
        state = (self.controls, self.tapes, self.mode, self.asked)
        self.frame, self.controls, self.tapes, self.mode, self.asked = frame, (), (), Mode.EAGER, {}
        try:
            self.execute(module.tree.body)
        finally:
            self.controls, self.tapes, self.mode, self.asked = state
            if outer is not None:
                self.frame = outer
        return frame
