"""What calling a method of a tape gives: watches and gradient calls are noted."""

from __future__ import annotations

import ast
from typing import Final

from tfgradfix.analyse.core import Core
from tfgradfix.analyse.events import Asked, GradientEvent
from tfgradfix.analyse.graph import Effect
from tfgradfix.analyse.objects import Container, Tape
from tfgradfix.analyse.values import NONE, NOTHING, TENSORS, UNKNOWN, Kind, Value, join

GRADIENT_METHODS: Final = frozenset({"gradient", "jacobian", "batch_jacobian"})


class TapeMethods(Core):
    """Call methods of tapes."""

    def on_tape(
        self, tape: Tape, name: str, arguments: list[Value], keywords: dict[str, Value], syntax: ast.Call
    ) -> Value:
        """The value of a method of a tape."""
        if name == "watch":
            watched = arguments[0] if arguments else keywords.get("tensor", NOTHING)
            tape.watched |= self.flow(watched)
            tape.watches[syntax] = join(tape.watches.get(syntax, NOTHING), watched)
            tape.watched_all = tape.watched_all or not self.flow(watched)
            return NONE
        if name in GRADIENT_METHODS:
            return self._gradient(tape, arguments, keywords, syntax)
        if name == "reset":
            tape.persistent = None
        if name == "stop_recording":
            tape.watched_all = True
        if name == "watched_variables":
            return UNKNOWN
        return NONE if name != "__enter__" else Value(Kind.TAPE, refs=frozenset({tape}))

    def _gradient(self, tape: Tape, arguments: list[Value], keywords: dict[str, Value], syntax: ast.Call) -> Value:
        """``tape.gradient(target, sources)``: note the event; the result is a tensor for each source."""
        target = arguments[0] if arguments else keywords.get("target", UNKNOWN)
        sources = arguments[1] if len(arguments) > 1 else keywords.get("sources", keywords.get("source", UNKNOWN))
        self.note_event(
            GradientEvent(
                Asked.TAPE,
                syntax,
                self.frame.module,
                self.frame.context,
                self.mode,
                target,
                sources,
                tape,
                again=tape.persistent is False and self.asked.get(tape, 0) > 0,
                target_syntax=argument_syntax(syntax, 0, "target"),
                sources_syntax=argument_syntax(syntax, 1, "sources"),
            )
        )
        self._remember_names(argument_syntax(syntax, 1, "sources"), sources)
        self.asked[tape] = self.asked.get(tape, 0) + 1
        inputs = [(target, Effect.KEEP), (sources, Effect.KEEP)]
        result = self.produce(syntax, Value(Kind.TENSOR), inputs, operation=True, symbol="tape.gradient")
        if sources.is_only(TENSORS):
            return result
        if sources.is_only(Kind.DICT):
            return self.container(syntax, Kind.DICT, None, result, role="gradients")
        if sources.is_only(Kind.LIST | Kind.TUPLE):
            return (
                self.container(syntax, Kind.LIST, self._each(sources, result), role="gradients")
                if self._each(sources, result)
                else self.container(syntax, Kind.LIST, None, result, role="gradients")
            )
        return Value(Kind.UNKNOWN, result.nodes)

    def _remember_names(self, syntax: ast.expr | None, sources: Value) -> None:
        """Which nodes each named source stands for."""
        parts = syntax.elts if isinstance(syntax, (ast.List, ast.Tuple)) else [syntax]
        for part in parts:
            if isinstance(part, (ast.Name, ast.Attribute)):
                value = sources if part is syntax else self.evaluate(part)
                self.named[(id(part), self.frame.context.id)] = self.flow(value)

    @staticmethod
    def _each(sources: Value, result: Value) -> dict[object, Value] | None:
        containers = [ref for ref in sources.refs if isinstance(ref, Container)]
        if len(containers) != 1 or not containers[0].exact:
            return None
        return dict.fromkeys(containers[0].items, result)

    def note_event(self, event: GradientEvent) -> None:
        """Remember a gradient call; seen again in the same context, what it is asked of is joined."""
        key = (id(event.syntax), event.context.id, event.asked.value)
        old = self.events.get(key)
        if old is None:
            self.events[key] = event
            return
        old.target, old.sources = join(old.target, event.target), join(old.sources, event.sources)
        old.again = old.again or event.again


def argument_syntax(call: ast.Call, position: int, name: str) -> ast.expr | None:
    """The expression given for a parameter, by position or keyword."""
    if position < len(call.args) and not any(
        isinstance(argument, ast.Starred) for argument in call.args[: position + 1]
    ):
        return call.args[position]
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
