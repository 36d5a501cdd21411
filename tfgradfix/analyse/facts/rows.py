"""The table of library functions: what each one becomes in TensorFlow, or why it cannot become anything.

A row is data. The analysis asks it for its effect and for the parameters that carry the gradient; the codemods
ask it for the form to write. The rows themselves stand in the modules beside this one, one module a library.

The text of a form is a Python expression with placeholders:

    {axis}          the argument as it was written; a keyword whose argument was not given is left out with its keyword
    {axis|-1}       the same, or `-1` when the argument was not given
    {shape:list}    the argument through a filter (list, dtype, float: see `template_filters`)
    tf.reduce_sum   TensorFlow under the name by which the rewritten module reaches it
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Effect(str, Enum):
    """What a function does to the gradient path."""

    MAPS = "maps"
    """Differentiable: TensorFlow has a form that carries the gradient."""
    PASSES = "passes"
    """Works on tensors as it stands and carries the gradient: nothing to rewrite."""
    NO_GRADIENT = "no-gradient"
    """Its derivative is zero or undefined: the forms, if any, give the value alone."""
    CONSTANT = "constant"
    """Makes data of its own; what goes in decides the shape and dtype, not the values."""
    SHAPE = "shape"
    """Tells sizes, ranks and dtypes, which are Python values on both sides."""
    NO_COUNTERPART = "no-counterpart"
    """TensorFlow has nothing of the same meaning, or none that keeps the gradient."""


@dataclass(frozen=True)
class Condition:
    """One thing that must hold of a call for a form to be right; see the functions below for the tests."""

    test: str
    parameter: str
    values: tuple[object, ...] = ()


def given(parameter: str) -> Condition:
    """The argument is given, and is not just its default written out."""
    return Condition("given", parameter)


def absent(parameter: str) -> Condition:
    """The argument is not given, or is its default written out."""
    return Condition("absent", parameter)


def equals(parameter: str, *values: object) -> Condition:
    """The argument, or its default when it is not given, is a literal of one of ``values``."""
    return Condition("equals", parameter, values)


def literal(parameter: str) -> Condition:
    """The argument is a literal number, string, None, or a tuple or list of such."""
    return Condition("literal", parameter)


def kind(parameter: str, *kinds: str) -> Condition:
    """The operand is known to be of one of ``kinds`` (those of `Operand.kind`)."""
    return Condition("kind", parameter, kinds)


def rank(parameter: str, *ranks: int) -> Condition:
    """The operand is known to have one of ``ranks``."""
    return Condition("rank", parameter, ranks)


def dtype(parameter: str, *classes: str) -> Condition:
    """The operand's dtype is known to be of one of the classes "float", "complex", "integer", "bool"."""
    return Condition("dtype", parameter, classes)


def display(parameter: str, *displays: str) -> Condition:
    """The argument is written as a list or tuple: "flat", or "nested" (some item is a list or tuple itself)."""
    return Condition("display", parameter, displays)


def same_rank(parameter: str, other: str) -> Condition:
    """Both operands are known to have the same rank."""
    return Condition("same_rank", parameter, (other,))


def count(parameter: str, *counts: int) -> Condition:
    """So many arguments are given for the parameter that takes the rest."""
    return Condition("count", parameter, counts)


@dataclass(frozen=True)
class Form:
    """A TensorFlow expression for a call, right when every one of ``when`` holds.

    ``converts``: Python operators stand between the operands, which ask the tensor whatever comes first, so NumPy
    operands need no cast.
    """

    write: str
    when: tuple[Condition, ...] = ()
    converts: bool = False


def form(write: str, *when: Condition) -> Form:
    """A form and its conditions."""
    return Form(write, when)


def operators(write: str, *when: Condition) -> Form:
    """A form whose operands stand between Python operators, and its conditions."""
    return Form(write, when, converts=True)


@dataclass(frozen=True)
class Parameter:
    """One parameter of a signature; ``default`` is its text, and ``way`` is "plain", "keyword" or "rest"."""

    name: str
    default: str | None = None
    way: str = "plain"


@dataclass(frozen=True)
class Row:
    """What is known of one library function, method or attribute.

    ``signature`` is the library's own parameter list; a method's receiver is its first parameter, ``self``.
    ``forms`` are tried in order. ``reason`` tells a person why there is no gradient, or no form, and what is usual
    instead. ``carries`` names the parameters whose values the gradient passes through (default: the first one).
    ``together`` names the parameters that TensorFlow wants in one dtype (default: ``carries``, when they are
    several). ``strict``: TensorFlow does not even convert a NumPy operand behind a tensor by itself. ``commutes``: the
    two operands may change places. ``ignored`` names parameters that change nothing but the memory.
    ``floats``: integers and bools come out as float64. ``gives`` is the dtype class of the result where it is not that
    of the operands: "bool", "integer", "real", "complex", or a dtype's name. ``widens``: NumPy makes float64 of
    whatever goes in, and the forms keep the dtype of the tensors. ``results`` is the number of arrays in the tuple that
    the function gives; 0 for a list or tuple whose length depends on the call.
    """

    symbol: str
    signature: str
    forms: tuple[Form, ...] = ()
    effect: Effect = Effect.MAPS
    reason: str = ""
    carries: tuple[str, ...] | None = None
    together: tuple[str, ...] | None = None
    strict: bool = False
    commutes: bool = False
    ignored: tuple[str, ...] = ()
    floats: bool = False
    gives: str = ""
    widens: bool = False
    results: int = 1
    attribute: bool = False

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters of the signature, in order."""
        return _parameters(self.signature)

    @property
    def differentiable_parameters(self) -> tuple[str, ...]:
        """The parameters whose values the gradient passes through."""
        if self.effect not in (Effect.MAPS, Effect.PASSES):
            return ()
        if self.carries is not None:
            return self.carries
        return tuple(parameter.name for parameter in self.parameters[:1])

    @property
    def one_dtype(self) -> tuple[str, ...]:
        """The parameters that have to be of one dtype in TensorFlow; empty when there are fewer than two."""
        names = self.together if self.together is not None else self.differentiable_parameters
        return names if len(names) > 1 or self._takes_rest(names) else ()

    @property
    def function(self) -> str | None:
        """The TensorFlow function ("math.log1p") that takes the same positional arguments, or None."""
        names = [known.name for known in self.parameters if known.way == "plain" and known.default is None]
        plain = "(" + ", ".join(f"{{{name}}}" for name in names) + ")"
        for known in self.forms:
            if known.when or not known.write.startswith("tf.") or not known.write.endswith(plain):
                continue
            name = known.write[len("tf.") : -len(plain)]
            if name.replace(".", "").replace("_", "").isalnum():
                return name
        return None

    def parameter_of(self, position: int, keyword: str | None) -> Parameter | None:
        """The parameter that an argument goes to: ``position`` counts the receiver of a method as 0."""
        if keyword is not None:
            return next((known for known in self.parameters if known.name == keyword and known.way != "rest"), None)
        plain = [known for known in self.parameters if known.way == "plain"]
        if position < len(plain):
            return plain[position]
        return next((known for known in self.parameters if known.way == "rest"), None)

    def _takes_rest(self, names: tuple[str, ...]) -> bool:
        return any(known.way == "rest" and known.name in names for known in self.parameters)


@cache
def _parameters(signature: str) -> tuple[Parameter, ...]:
    function = ast.parse(f"def function{signature}: ...").body[0]
    if not isinstance(function, ast.FunctionDef):
        raise TypeError(f"not a parameter list: {signature}")
    listed = function.args
    plain = [*listed.posonlyargs, *listed.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(listed.defaults)) + list(listed.defaults)
    found = [Parameter(name.arg, _text(default)) for name, default in zip(plain, defaults, strict=True)]
    if listed.vararg is not None:
        found.append(Parameter(listed.vararg.arg, way="rest"))
    for name, default in zip(listed.kwonlyargs, listed.kw_defaults, strict=True):
        found.append(Parameter(name.arg, _text(default), way="keyword"))
    return tuple(found)


def _text(default: ast.expr | None) -> str | None:
    return None if default is None else ast.unparse(default)


def by_symbol(rows: Iterable[Row]) -> dict[str, Row]:
    """The rows by their symbol.

    Raises ValueError when a symbol has two rows.
    """
    found: dict[str, Row] = {}
    for entry in rows:
        if entry.symbol in found:
            raise ValueError(f"two rows for {entry.symbol}")
        found[entry.symbol] = entry
    return found


@cache
def table() -> dict[str, Row]:
    """Every row by its symbol. Read when first asked for, so that a run without findings does not pay for it."""
    from tfgradfix.analyse.facts import math, ndarray, numpy, python, scipy

    return by_symbol((*numpy.ROWS, *ndarray.ROWS, *python.ROWS, *math.ROWS, *scipy.ROWS))


def row(symbol: str) -> Row | None:
    """The row of a canonical name such as "numpy.mean", "ndarray.mean" or "builtins.max"; None when there is none."""
    return table().get(symbol)
