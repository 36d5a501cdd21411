"""Follows the ways to ask for a gradient that have no tape: `ForwardAccumulator`, and `tf.gradients` in a graph."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from .record import Tape
from .tapes import flatten, identity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfgradfix.verify.inside.ways import Way

    from .record import Record

#: The number of what records in a graph, which keeps every operation.
GRAPH = -1
#: The ways to ask in a graph, and what they are called in the report.
IN_GRAPHS = {"gradients": "tf.gradients", "compute_gradients": "compute_gradients"}


class Others:
    """Puts the hooks in place; ``asked`` is told of each gradient call, as of one of a tape."""

    def __init__(self, record: Record, asked: Any, tensorflow: Any, ways: Iterable[Way]) -> None:
        self.record, self.asked, self.tf, self.ways = record, asked, tensorflow, ways

    def install(self) -> None:
        """Put the hooks in place."""
        accumulator: Any = self.tf.autodiff.ForwardAccumulator
        accumulator.__init__ = self.made(accumulator.__init__)
        accumulator.__enter__ = self.entered(accumulator.__enter__)
        accumulator.__exit__ = self.left(accumulator.__exit__)
        accumulator.jvp = self.tangent(accumulator.jvp)
        for way in self.ways:
            if way.name in IN_GRAPHS:
                setattr(way.holder, way.name, self.in_graph(getattr(way.holder, way.name), way))

    def made(self, original: Any) -> Any:
        """An accumulator, which watches its primals from the beginning and nothing else."""

        @functools.wraps(original)
        def init(own: Any, primals: Any, *args: Any, **kwargs: Any) -> None:
            number = own._tfgradfix_number = len(self.record.tapes)
            known = self.record.tapes[number] = Tape(number, accessed=False, persistent=True)
            known.lines = self.record.lines()
            own._tfgradfix_primals = primals
            for each in flatten(primals):
                found = identity(each)
                if found is not None:
                    known.watched[found] = (self.record.tick(), known.lines)
            original(own, primals, *args, **kwargs)

        return init

    def entered(self, original: Any) -> Any:
        """The accumulator begins to record."""

        @functools.wraps(original)
        def enter(own: Any) -> Any:
            known = self.record.tapes[own._tfgradfix_number]
            known.opened, known.closed = known.opened or self.record.tick(), None
            self.record.active.append(known.number)
            return original(own)

        return enter

    def left(self, original: Any) -> Any:
        """The accumulator records no longer."""

        @functools.wraps(original)
        def leave(own: Any, *args: Any) -> Any:
            known = self.record.tapes[own._tfgradfix_number]
            known.closed = self.record.tick()
            if known.number in self.record.active:
                self.record.active.remove(known.number)
            return original(own, *args)

        return leave

    def tangent(self, original: Any) -> Any:
        """A tangent is asked for: where it is None, no primal has reached the target."""

        @functools.wraps(original)
        def jvp(own: Any, primals: Any, *args: Any, **kwargs: Any) -> Any:
            known = self.record.tapes[own._tfgradfix_number]
            when = (self.record.tick(), known.closed, self.record.lines())
            result = original(own, primals, *args, **kwargs)
            missing = [each for each, tangent in zip(flatten(primals), flatten(result)) if tangent is None]  # noqa: B905
            sources = flatten(own._tfgradfix_primals)
            answer = [None if missing else 0.0] * len(sources)
            self.asked(known, "jvp", missing or primals, sources, answer, None, when)
            return result

        return jvp

    def in_graph(self, original: Any, way: Way) -> Any:
        """A function that builds gradients into a graph; run eagerly it asks a tape, which is followed by itself."""

        @functools.wraps(original)
        def ask(*args: Any, **kwargs: Any) -> Any:
            if self.record.quiet or self.tf.executing_eagerly():
                return original(*args, **kwargs)
            when = (self.record.tick(), None, self.record.lines())
            result = original(*args, **kwargs)
            target, sources = way.asked(args, kwargs)
            known = Tape(GRAPH, accessed=True, persistent=True)
            self.asked(known, IN_GRAPHS[way.name], target, sources, way.answered(result), None, when)
            return result

        return ask
