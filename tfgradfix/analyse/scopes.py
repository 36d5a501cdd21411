"""Where code runs: contexts (the chain of calls that led there) and frames (the names of one running function)."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from tfgradfix.analyse.modules import Module
from tfgradfix.analyse.objects import Function
from tfgradfix.analyse.values import NOTHING, Value, join


@dataclass(frozen=True)
class Context:
    """A chain of calls: each function is analysed anew for every call that leads to it."""

    id: int
    parent: Context | None
    call: ast.AST | None
    function: Function | None
    depth: int = 0

    def chain(self) -> list[Context]:
        """The context itself and its callers, innermost first."""
        found: list[Context] = []
        context: Context | None = self
        while context is not None:
            found.append(context)
            context = context.parent
        return found


Environment = dict[str, Value]


@dataclass
class Frame:
    """One running function (or module): its names, and what it has returned so far.

    ``names`` is None where the code cannot be reached (after a return). ``outer`` is the frame in whose
    text the function stands; ``left`` are the names as its returns left them, for the functions it gave out.
    """

    module: Module
    context: Context
    outer: Frame | None = None
    names: Environment | None = field(default_factory=dict)
    left: Environment | None = None
    result: Value = NOTHING
    outer_names: set[str] = field(default_factory=set)
    breaks: list[list[Environment]] = field(default_factory=list)
    continues: list[list[Environment]] = field(default_factory=list)
    yields: bool = False

    def lookup(self, name: str) -> Value | None:
        """The value of a name here or in the frames round it."""
        frame: Frame | None = self
        while frame is not None:
            names = frame.names if frame.names is not None else frame.left
            if names is not None and name in names:
                return names[name]
            frame = frame.outer
        return None

    def bind(self, name: str, value: Value) -> None:
        """Assign a name; a ``global`` or ``nonlocal`` one in the frame that owns it."""
        frame = self
        if name in self.outer_names and self.outer is not None:
            owner: Frame | None = self.outer
            while owner is not None and (owner.names is None or name not in owner.names) and owner.outer is not None:
                owner = owner.outer
            frame = owner or self
            if frame.names is not None:
                frame.names[name] = join(frame.names.get(name, NOTHING), value)
                return
        if frame.names is not None:
            frame.names[name] = value


def merge(left: Environment | None, right: Environment | None) -> Environment | None:
    """The names after two branches; an unreachable branch adds nothing."""
    if left is None or right is None:
        return left if right is None else right
    merged = dict(left)
    for name, value in right.items():
        merged[name] = join(merged.get(name, NOTHING), value)
    return merged
