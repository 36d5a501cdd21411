"""Follows GradientTapes: when each records, what it watches, and what is asked of it."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from .record import Tape

if TYPE_CHECKING:
    from .hooks import Hooks
    from .record import Record

METHODS = ("gradient", "jacobian", "batch_jacobian")


class Tapes:
    """Puts the hooks in place; ``asked`` is told of each gradient call."""

    def __init__(self, record: Record, hooks: Hooks, asked: Any) -> None:
        self.record, self.hooks, self.asked = record, hooks, asked

    def install(self) -> None:
        """Put the hooks in place."""
        if not self.hooks.has("tapes"):
            return
        tape = self.hooks["tapes"]
        tape._push_tape = self.pushed(tape._push_tape)
        tape._pop_tape = self.popped(tape._pop_tape)
        tape.watch = self.watched(tape.watch)
        for method in METHODS:
            setattr(tape, method, self.asking(getattr(tape, method), method))

    def known(self, tape: Any) -> Tape:
        """What is known of a tape."""
        number = getattr(tape, "_tfgradfix_number", None)
        if number is None:
            number = tape._tfgradfix_number = len(self.record.tapes)
            self.record.tapes[number] = Tape(number, tape._watch_accessed_variables, tape._persistent)
        return self.record.tapes[number]

    def pushed(self, original: Any) -> Any:
        """The tape begins to record."""

        @functools.wraps(original)
        def push(tape: Any) -> None:
            original(tape)
            known = self.known(tape)
            if known.opened is None:
                known.opened, known.lines = self.record.tick(), self.record.lines()
            known.closed = None
            self.record.active.append(known.number)

        return push

    def popped(self, original: Any) -> Any:
        """The tape records no longer."""

        @functools.wraps(original)
        def pop(tape: Any) -> None:
            original(tape)
            known = self.known(tape)
            known.closed = self.record.tick()
            if known.number in self.record.active:
                self.record.active.remove(known.number)

        return pop

    def watched(self, original: Any) -> Any:
        """The tape is told to watch."""

        @functools.wraps(original)
        def watch(tape: Any, tensor: Any) -> None:
            original(tape, tensor)
            known = self.known(tape)
            for each in flatten(tensor):
                found = identity(each)
                if found is not None:
                    known.watched.setdefault(found, (self.record.tick(), self.record.lines()))

        return watch

    def asking(self, original: Any, method: str) -> Any:
        """A gradient is asked for; a call inside another one belongs to that."""

        @functools.wraps(original)
        def ask(tape: Any, *args: Any, **kwargs: Any) -> Any:
            local = self.record.local
            if getattr(local, "asking", False) or self.record.quiet:
                return original(tape, *args, **kwargs)
            local.asking = True
            asked, closed, lines = self.record.tick(), self.known(tape).closed, self.record.lines()
            result = error = None
            try:
                result = original(tape, *args, **kwargs)
            except Exception as failure:
                error = failure
                raise
            finally:
                local.asking = False
                target = args[0] if args else kwargs.get("target")
                sources = args[1] if len(args) > 1 else kwargs.get("sources", kwargs.get("source"))
                self.asked(self.known(tape), method, target, sources, result, error, (asked, closed, lines))
            return result

        ask.autograph_info__ = {}  # type: ignore[attr-defined]  # AutoGraph calls it as it is
        return ask


def flatten(values: Any) -> list[Any]:
    """The parts of a structure, in TensorFlow's order; variables stay whole."""
    if isinstance(values, dict):
        return [part for key in sorted(values, key=str) for part in flatten(values[key])]
    if isinstance(values, (list, tuple)) or type(values).__name__ in ("ListWrapper", "_TupleWrapper"):
        return [part for each in values for part in flatten(each)]
    return [values]


def identity(value: Any) -> int | None:
    """The id of a tensor, or of a variable's handle; None for anything else."""
    inner = getattr(value, "_value", None)  # a variable of Keras 3
    if inner is not None and hasattr(inner, "handle"):
        value = inner
    handle = getattr(value, "handle", None)
    found = getattr(value if handle is None else handle, "_id", None)
    return found if isinstance(found, int) else None


def is_variable(value: Any) -> bool:
    """Whether it is a variable, of TensorFlow or of Keras 3."""
    return hasattr(value, "handle") or hasattr(getattr(value, "_value", None), "handle")
