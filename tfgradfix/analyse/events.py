"""What the interpretation of a program notes down for the search of cuts: gradient calls and branches."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from enum import Enum

from tfgradfix.analyse.graph import Mode
from tfgradfix.analyse.modules import Module
from tfgradfix.analyse.objects import Tape
from tfgradfix.analyse.scopes import Context
from tfgradfix.analyse.values import Value


class Asked(Enum):
    """Who asks for the gradient."""

    TAPE = "tape"
    MINIMIZE = "minimize"
    KERAS_LOSS = "keras-loss"
    KERAS_CALL = "keras-call"


@dataclass
class GradientEvent:
    """A place where the gradient of ``target`` with respect to ``sources`` is asked for.

    ``tape`` is None where everything is recorded (a Keras loss, ``minimize``). ``again`` says that a tape that is
    not persistent has been asked before on every way that leads here.
    """

    asked: Asked
    syntax: ast.AST
    module: Module
    context: Context
    mode: Mode
    target: Value
    sources: Value
    tape: Tape | None = None
    again: bool = False
    sources_syntax: ast.expr | None = None
    target_syntax: ast.expr | None = None


@dataclass
class Branch:
    """An ``if`` or conditional expression: its tests' values and what its branches leave behind.

    ``before`` are the values that the assigned names had before it (a missing name was not bound);
    ``results`` the flow graph's nodes of the values after it.
    """

    syntax: ast.If | ast.IfExp
    module: Module
    context: Context
    mode: Mode
    tests: list[tuple[ast.expr, Value]] = field(default_factory=list)
    before: dict[str, Value] = field(default_factory=dict)
    after: dict[str, Value] = field(default_factory=dict)
    results: set[int] = field(default_factory=set)
    returns: bool = False


@dataclass
class Loop:
    """A ``for`` loop (or comprehension clause) over ``tf.range``."""

    syntax: ast.For | ast.AsyncFor | ast.comprehension
    module: Module
    context: Context
    mode: Mode
    iterable: Value
    results: set[int] = field(default_factory=set)
