"""Ends training loops early, after a number of turns, so that before and after are ended at the same place.

A loop trains if gradients are asked for while it runs; that is seen, not read from the text, so that a loop that was
rewritten is ended as the old one was. Every ``for``, ``while`` and comprehension of the user's files is compiled with
a counter in it, under its own file name and line numbers. A loop ends as if it had run out: its ``else`` runs.
Left alone are loops inside a tape's block or a function that is traced, and loops that yield.
"""

from __future__ import annotations

import ast
import builtins
import functools
import importlib
import os
import threading
from typing import TYPE_CHECKING, Any

from .fits import Fits
from .ways import ways

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .places import Places

#: Turns of a training loop; a loop inside another one gets a part of them, since both multiply.
TURNS, PART = 48, 4
#: Turns that every loop gets, whatever the loops inside it do.
LEAST = 3
#: The name of the counter in compiled programs, which no program uses.
NAME = "__tfgradfix_turns__"


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


def compiled(text: bytes, file: str) -> Any:
    """The code of a file, with a counter in each of its loops."""
    plain = compile(text, file, "exec", dont_inherit=True)
    try:
        tree = Counters(file).visit(ast.parse(text, file))
        return compile(ast.fix_missing_locations(tree), file, "exec", dont_inherit=True)
    except (SyntaxError, RecursionError):  # nested too deeply for one block more
        return plain


class Counters(ast.NodeTransformer):
    """Puts a counter in each loop."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.loops = 0

    def counter(self, place: ast.expr | ast.stmt, *iterable: ast.expr) -> ast.Call:
        """A call that gives the counter of a loop; ``iterable`` is wrapped so that any value is told from none."""
        given: list[ast.expr] = [ast.Constant(self.file), ast.Constant(place.lineno)]
        if iterable:
            given.append(ast.Tuple(list(iterable), ast.Load()))
        return ast.copy_location(ast.Call(ast.Name(NAME, ast.Load()), given, []), iterable[0] if iterable else place)

    def visit_For(self, node: ast.For) -> ast.AST:
        """``for x in counter(xs)``."""
        self.generic_visit(node)
        if not yields(node):
            node.iter = self.counter(node, node.iter)
        return node

    def visit_While(self, node: ast.While) -> ast.AST | list[ast.stmt]:
        """``turns = counter()``, then ``while turns.more() and condition`` with ``turns.end()`` behind it."""
        self.generic_visit(node)
        if yields(node):
            return node
        self.loops += 1
        name = f"_tfgradfix_loop_{self.loops}"

        def method(which: str) -> ast.Call:
            return ast.Call(ast.Attribute(ast.Name(name, ast.Load()), which, ast.Load()), [], [])

        begin = ast.Assign([ast.Name(name, ast.Store())], self.counter(node))
        node.test = ast.BoolOp(ast.And(), [method("more"), node.test])
        whole = ast.Try([node], [], [], [ast.Expr(method("end"))])
        for part in (node.test, begin, whole, whole.finalbody[0]):
            ast.copy_location(part, node)
        return [begin, whole]

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """The same in a list that is made: its iterable runs out."""
        self.generic_visit(node)
        if not node.is_async:
            node.iter = self.counter(node.iter, node.iter)
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        """Left alone: whoever takes from it goes over it in turns of his own."""
        return node


def yields(loop: ast.AST) -> bool:
    """Whether a loop hands values out on the way: then it runs at the pace of another one."""
    parts = list(ast.iter_child_nodes(loop))
    while parts:
        part = parts.pop()
        if isinstance(part, (ast.Yield, ast.YieldFrom, ast.Await)):
            return True
        if not isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            parts.extend(ast.iter_child_nodes(part))
    return False
