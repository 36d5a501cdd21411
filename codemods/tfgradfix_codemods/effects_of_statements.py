"""Reads off statements what they do: their names, and what the calls in them are known to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.effects import Effects, Knowledge
from tfgradfix_codemods.every_name import names_in
from tfgradfix_codemods.known_calls import CallKind, kind_of
from tfgradfix_codemods.names_of_statements import LEAVES, NamesOfStatements, place_of
from tfgradfix_codemods.nodes import dotted_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix_codemods.surroundings import Surroundings

#: Decorators that do not change what a function does.
HARMLESS_DECORATORS: Final = frozenset({"tensorflow.function", "builtins.staticmethod", "builtins.classmethod"})

NO_CALLS: Final[frozenset[str]] = frozenset()


def effects_of(
    nodes: cst.CSTNode | Sequence[cst.CSTNode], surroundings: Surroundings, calling: frozenset[str] = NO_CALLS
) -> Effects:
    """What ``nodes`` do, one after the other; ``calling`` are the functions that are being looked into."""
    collector = _Collector(surroundings, calling)
    for node in (nodes,) if isinstance(nodes, cst.CSTNode) else nodes:
        collector.look(node)
    return collector.effects()


class _Collector(NamesOfStatements):
    """Adds to the names of statements what their calls do."""

    def __init__(self, surroundings: Surroundings, calling: frozenset[str]) -> None:
        super().__init__()
        self.surroundings = surroundings
        self.calling = calling
        self.tapes: set[str] = set()
        self.flags: set[str] = set()

    def effects(self) -> Effects:
        """What was gathered."""
        return Effects(
            reads=frozenset(self.reads),
            binds=frozenset(self.binds),
            touches=frozenset(self.touches),
            hidden="hidden" in self.flags,
            unknown="unknown" in self.flags,
            prints="prints" in self.flags,
            trains="trains" in self.flags,
            guards=self.guards,
            tapes=frozenset(self.tapes),
            stays=self.stays,
        )

    def call(self, node: cst.Call) -> None:
        """Note a call by what is known of the function, or by what the function of this module does."""
        kind = kind_of(node, self.surroundings)
        inside = self.effects_of_called(node) if kind is CallKind.UNKNOWN else None
        if inside is None or inside.unknown or inside.touches:
            self.call_by_kind(node, kind)
        else:
            if isinstance(node.func, cst.Name):
                self.look(node.func)
            if inside.hidden:
                self.note_receiver(node, self.reads)
            self.flags |= {flag for flag in ("hidden", "prints") if getattr(inside, flag)}

    def effects_of_called(self, node: cst.Call) -> Effects | None:
        """What the function does that ``node`` calls, when the module defines it: by its name, or as a method."""
        receiver, _, name = (dotted_text(node.func) or "").rpartition(".")
        known = {"": self.surroundings.functions, "self": self.surroundings.methods, "cls": self.surroundings.methods}
        function = known.get(receiver, {}).get(name)
        if function is None or name in self.calling:
            return None
        return effects_inside(function, self.surroundings, self.calling | {name})

    def call_by_kind(self, node: cst.Call, kind: CallKind) -> None:
        """Note a call of a known kind."""
        if not isinstance(node.func, cst.Attribute):
            self.look(node.func)
        elif kind is not CallKind.NOTHING:
            self.note_receiver(node, self.reads)
        if kind is CallKind.CHANGES:
            self.note_receiver(node, self.touches)
        elif kind is CallKind.PRINTS:
            self.flags.add("prints")
        elif kind is CallKind.GRADIENT and isinstance(node.func, cst.Attribute):
            self.tapes.add(place_of(node.func.value) or "")
        elif kind in (CallKind.UNKNOWN, CallKind.STEP):
            self.call_unknown(node)
        if kind is CallKind.STEP:
            self.flags.add("trains")
        if kind in (CallKind.STEP, CallKind.TAPE):
            self.stays = f"it {kind.value}"

    def call_unknown(self, node: cst.Call) -> None:
        """Note a call that may do anything, in the first place to its receiver and its arguments."""
        self.flags |= {"unknown", "hidden"}
        if self.surroundings.full_name(node.func) is None:
            self.note_receiver(node, self.touches)
        for argument in node.args:
            self.note(self.touches, argument.value)

    def note_receiver(self, node: cst.Call, places: set[str]) -> None:
        """Add what a method is called on to ``places``."""
        if isinstance(node.func, cst.Attribute):
            if dotted_text(node.func.value) is None:
                self.look(node.func.value)
            self.note(places, node.func.value)


def effects_inside(function: cst.FunctionDef, surroundings: Surroundings, calling: frozenset[str]) -> Effects | None:
    """What a call of ``function`` does besides giving a value; None when that cannot be told."""
    parts = (one.decorator for one in function.decorators)
    names = (part.func if isinstance(part, cst.Call) else part for part in parts)
    decorators = {surroundings.full_name(name) or "" for name in names}
    if function.asynchronous or not decorators <= HARMLESS_DECORATORS:
        return None
    body = effects_of(function.body, surroundings, calling)
    if body.tapes or body.trains or body.stays not in (None, LEAVES):
        return None
    own = Knowledge(surroundings, names_in(function.params) | body.binds)
    return Effects(touches=body.touches, hidden=own.reads_shared(body), unknown=body.unknown, prints=body.prints)
