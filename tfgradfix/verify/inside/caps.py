"""Ends training loops early, after a number of turns, so that before and after are ended at the same place.

A loop trains if gradients are asked for while it runs; that is seen, not read from the text, so that a loop that was
rewritten is ended as the old one was. Every ``for``, ``while`` and comprehension of the user's files is compiled with
a counter in it, under its own file name and line numbers. A loop ends as if it had run out: its ``else`` runs.
Left alone are loops inside a tape's block or a function that is traced, and loops that yield.
"""

from __future__ import annotations

import builtins
import functools
import importlib
import os
import threading
from typing import TYPE_CHECKING, Any

from .counters import NAME, compiled
from .fits import Fits
from .ways import ways

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .places import Places

#: Turns of a training loop; a loop inside another one gets a part of them, since both multiply.
TURNS, PART = 48, 4
#: Turns that every loop gets, whatever the loops inside it do.
LEAST = 3


class Turns:
    """One training loop that is running."""

    def __init__(self, caps: Caps, file: str, line: int) -> None:
        self.caps, self.site = caps, (file, line)
        self.live = caps.live()
        self.room = max(LEAST, TURNS // PART ** len(self.live))
        self.live.append(self)
        self.seen = caps.trained()
        self.turns = self.steps = self.inner = 0

    def more(self) -> bool:
        """Whether another turn may begin."""
        trained = self.caps.trained()
        if trained == self.seen or not self.caps.outside():
            return True
        self.seen = trained
        self.turns += 1
        self.steps += self.inner or 1
        self.inner = 0
        if self.turns < LEAST or self.steps < self.room:
            return True
        self.caps.ended[self.site] = max(self.turns, self.caps.ended.get(self.site, 0))
        return False

    def end(self) -> None:
        """The loop is over: the one round it is told how many steps it made."""
        if self in self.live:
            self.live.remove(self)
            if self.live and self.caps.trained() != self.seen:  # it was left in the middle of a turn
                self.steps += self.inner or 1
            if self.live:
                self.live[-1].inner += self.steps


class Caps:
    """The counters of one program, and which of its loops were ended early."""

    def __init__(self, places: Places, tensorflow: Any) -> None:
        self.places, self.tf = places, tensorflow
        self.local = threading.local()
        self.ended: dict[tuple[str, int], int] = {}
        self.empty = importlib.import_module("tensorflow.python.pywrap_tfe").TFE_Py_TapeSetIsEmpty

    def live(self) -> list[Turns]:
        """The loops of this thread that are running, the outermost first."""
        return self.local.__dict__.setdefault("live", [])  # type: ignore[no-any-return]

    def trained(self) -> int:
        """How often this thread has trained."""
        return self.local.__dict__.get("trained", 0)  # type: ignore[no-any-return]

    def outside(self) -> bool:
        """Whether neither a tape records nor a function is traced."""
        return bool(self.tf.executing_eagerly() and self.empty())

    def train(self) -> None:
        """A gradient is asked for; while functions are traced they are known to train from then on."""
        if self.tf.executing_eagerly():
            self.local.trained = self.trained() + 1
        for function in self.local.__dict__.get("functions", ()):
            function.__dict__["_tfgradfix_trains"] = True

    def install(self) -> None:
        """Count gradient calls and calls of functions with one inside; compile the user's files with counters."""
        for way in ways(self.tf):
            setattr(way.holder, way.name, self.counting(getattr(way.holder, way.name)))
        function: Any = type(self.tf.function(lambda: None))
        function.__call__ = self.calling(function.__call__)
        setattr(builtins, NAME, self.loop)
        loader: Any = importlib.import_module("importlib.machinery").SourceFileLoader
        get_code = loader.get_code

        def capped(own: Any, name: str) -> Any:
            path = own.get_filename(name)
            inside = os.path.abspath(path).startswith(self.places.folder + os.sep)
            if not inside or self.places.kind(path) != "user":
                return get_code(own, name)
            return compiled(own.get_data(path), path)

        loader.get_code = capped

    def counting(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """``original``, a gradient call, counted."""

        @functools.wraps(original)
        def asked(*args: Any, **kwargs: Any) -> Any:
            self.train()
            return original(*args, **kwargs)

        asked.autograph_info__ = {}  # type: ignore[attr-defined]
        return asked

    def calling(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """``original``, the call of a tf.function, counted if that one trains."""

        @functools.wraps(original)
        def called(function: Any, *args: Any, **kwargs: Any) -> Any:
            running = self.local.__dict__.setdefault("functions", [])
            running.append(function)
            try:
                return original(function, *args, **kwargs)
            finally:
                running.pop()
                if function.__dict__.get("_tfgradfix_trains") and self.tf.executing_eagerly():
                    self.local.trained = self.trained() + 1

        called.autograph_info__ = {}  # type: ignore[attr-defined]
        return called

    def loop(self, file: str, line: int, iterable: Any = None) -> Any:
        """The counter of a loop that begins: of a while loop, or round what another loop goes over."""
        if iterable is None:
            return Turns(self, file, line)
        return self.over(iter(iterable[0]), file, line)

    def over(self, iterator: Iterator[Any], file: str, line: int) -> Iterable[Any]:
        """What ``iterator`` gives, until the loop over it has trained enough."""
        turns = Turns(self, file, line)
        try:
            while turns.more():
                try:
                    value = next(iterator)
                except StopIteration:
                    return
                yield value
        finally:
            turns.end()

    def told(self) -> list[list[Any]]:
        """File, line and turns of each loop that was ended early."""
        return [[self.places.name(file), line, turns] for (file, line), turns in sorted(self.ended.items())]


def install_caps(places: Places, tensorflow: Any) -> Caps:
    """End the loops and the ``fit`` of the program that is run next."""
    caps = Caps(places, tensorflow)
    caps.install()
    Fits(caps).install()
    return caps
