"""What a rewrite means for code beside the path: values that become tensors there, and helpers shared with data.

A rewritten place is rewritten for every caller. In this order the smallest faithful change is chosen:

1. nobody else reaches the place, or what others do with its result works on tensors too: rewrite it where it is;
2. its result is used by an array method where it is called, or where a Python number is needed: that use gets
   `.numpy()` or `float(...)`;
3. a caller with data needs an array: the path gets its own copy of the helper (see `twins`);
4. the helper cannot be copied (the wrapper in a decorator): it asks whether it has a tensor (see `guards`);
5. none of this is possible for certain: the unit is left alone, with the reason.
"""

from __future__ import annotations

import ast
from typing import Final

from tfgradfix.analyse.breaks import tensors_after
from tfgradfix.analyse.drafts import Draft, Drafts
from tfgradfix.analyse.facts import rows
from tfgradfix.analyse.fills import rewritten_place
from tfgradfix.analyse.graph import Effect, Graph, Mode, Node
from tfgradfix.analyse.guards import guard
from tfgradfix.analyse.interpret import Interpreter
from tfgradfix.analyse.methods import UNKNOWN_METHOD
from tfgradfix.analyse.number_consumers import NEEDS_NUMBER, number_place
from tfgradfix.analyse.twins import draft_twin
from tfgradfix.analyse.values import TENSORS, Kind
from tfgradfix.model import Level

#: Codes after whose rewrite the place gives a tensor.
REWRITTEN: Final = frozenset(
    {"TGF101", "TGF102", "TGF103", "TGF104", "TGF105", "TGF106", "TGF107", "TGF108", "TGF111", "TGF113", "TGF116"}
)
#: Uses that serve a tensor as well as an array (eagerly).
HARMLESS: Final = ("numpy.", "builtins.", "tensorflow.", "operator.compare", "operator.not", "math.", "keras.")


class Consumers:
    """The uses of what becomes a tensor, over one whole program."""

    def __init__(self, interpreter: Interpreter, drafts: Drafts) -> None:
        self.interpreter = interpreter
        self.graph: Graph = interpreter.graph
        self.drafts = drafts
        self.rewritten = {id(d.syntax): d for d in drafts if d.code in REWRITTEN and d.level is not Level.MANUAL}
        #: Calls of a function under another name: the place that names it is rewritten.
        self.handed = {n: id(d.syntax) for d in self.rewritten.values() if d.code == "TGF116" for n in d.nodes}
        self.nodes = {node.id for node in self.graph.nodes if node.code and self._place(node) in self.rewritten}
        self.path = {number for draft in self.rewritten.values() for number in draft.nodes}
        self.path |= self._fed_with_tensors()
        self.after = tensors_after(self.graph, self.nodes)

    def _fed_with_tensors(self) -> set[int]:
        """The rewritten places that other callers reach with tensors: they are no data side."""
        fed = {n for n in self.nodes if any(operand.is_only(TENSORS) for operand in self.graph[n].operands)}

        def follow(u: Node, v: Node, effect: Effect) -> bool:
            return effect is not Effect.CONTROL and (not v.code or v.id in self.nodes)

        return self.graph.forward(fed, follow) & self.nodes

    def _place(self, node: Node) -> int:
        """What a draft of the node names: the whole statement of an item assignment, else the expression."""
        if node.id in self.handed:
            return self.handed[node.id]
        return id(rewritten_place(self.graph, node))

    def run(self) -> None:
        """Look at every use, those of data first: a helper of its own makes the others needless."""
        for draft in list(self.rewritten.values()):
            self._mixed_dtypes(draft)
        for number in sorted(self.after):
            for following in sorted(self.graph[number].outgoing):
                user = self.graph[following]
                if self._place(user) not in self.rewritten and user.incoming[number] is not Effect.CONTROL:
                    self._use(number, user)

    def _mixed_dtypes(self, draft: Draft) -> None:
        """TensorFlow takes operands of one dtype only; a caller with arrays may have several."""
        row = rows.row(draft.symbol)
        if row is None or not row.one_dtype:
            return
        for node in self.graph.nodes:
            if self._place(node) != id(draft.syntax) or node.id in draft.nodes or not node.code:
                continue
            arrays = [operand for operand in node.operands if operand.is_only(Kind.NDARRAY)]
            dtypes = {operand.dtype for operand in arrays}
            origins = {operand.nodes for operand in arrays}
            if len(arrays) > 1 and len(origins) > 1 and (len(dtypes) > 1 or None in dtypes):
                self._separate([draft], node.id, "another caller gives it arrays whose dtypes may differ")

    def _use(self, number: int, user: Node) -> None:
        """One use, outside the rewrites, of a value that becomes a tensor."""
        if user.mode is not Mode.EAGER:
            return
        owners, of_data = self._owners(number)
        if not owners:
            return
        reason = self._trouble(number, user, of_data)
        if reason is None:
            return
        if user.code == "TGF102" and self._as_array(user, owners):
            return
        if self.graph[number].value.is_only(Kind.NUMBER) and self._as_number(number, user, owners):
            return
        if user.symbol == "builtins.print":
            return  # it shows a tensor as well, in other words
        data = self._data_node(number)
        if data is not None:
            self._separate(owners, data, reason)
        else:
            self._refuse(owners, reason, user)

    def _owners(self, number: int) -> tuple[list[Draft], bool]:
        """The rewrites that a value comes out of, and whether it is a data caller's value only."""
        behind = self.graph.backward({number}, lambda u, v, e: e is not Effect.CONTROL and v.id in self.after)
        reached = behind & self.nodes
        owners = {self._place(self.graph[n]): self.rewritten[self._place(self.graph[n])] for n in sorted(reached)}
        return list(owners.values()), not reached & self.path

    def _data_node(self, number: int) -> int | None:
        """A rewritten place, reached by a data caller, that the value comes out of."""
        behind = self.graph.backward({number}, lambda u, v, e: e is not Effect.CONTROL and v.id in self.after)
        return min(behind & self.nodes - self.path, default=None)

    def _trouble(self, number: int, user: Node, of_data: bool) -> str | None:
        """Why a use does not work on a tensor, or None."""
        node = self.graph[number]
        if user.code == "TGF102" and not user.operands[0].is_only(TENSORS) and user.operands[0].nodes & self.after:
            return "an array that becomes a tensor has one of its methods called elsewhere"
        if user.symbol == "ndarray.__setitem__" and user.operands[0].is_only(Kind.NDARRAY):
            if user.operands[0].nodes & self.after:
                return "an array that becomes a tensor is filled by item assignment elsewhere"
            return (
                "an array is filled at places that a tensor would choose"
                if user.operands[1].nodes & self.after
                else None
            )
        if user.code == "TGF113" and user.operands[0].is_only(Kind.NDARRAY) and user.operands[0].nodes & self.after:
            return "an array that becomes a tensor is indexed by an array elsewhere"
        if user.symbol in NEEDS_NUMBER and node.value.is_only(Kind.NUMBER) and id(user.syntax) not in self.rewritten:
            return f"{user.symbol} takes no tensor"
        if user.symbol == UNKNOWN_METHOD:
            return "a method that arrays have is called on what may become a tensor"
        if user.symbol == "" and user.value.is_only(Kind.UNKNOWN):
            if node.value.is_only(Kind.NUMBER):
                return "a Python number that becomes a tensor is handed to a call that cannot be followed"
            return "data that becomes a tensor is handed to a call that cannot be followed" if of_data else None
        if of_data and user.symbol.startswith("operator.") and not user.symbol.startswith(HARMLESS):
            arrays = [
                operand
                for operand in user.operands
                if operand.is_only(Kind.NDARRAY) and not operand.nodes <= self.after
            ]
            behind = self.graph.backward({number}, lambda u, v, e: e is not Effect.CONTROL)
            if any(not array.nodes <= behind for array in arrays):
                return "data that becomes a tensor meets arrays, whose dtype may differ"
        return None

    def _as_array(self, user: Node, owners: list[Draft]) -> bool:
        """An array method on what is now a tensor, for every caller: hand it the array."""
        syntax = (
            user.syntax.func.value
            if isinstance(user.syntax, ast.Call) and isinstance(user.syntax.func, ast.Attribute)
            else getattr(user.syntax, "value", None)
        )
        if not isinstance(syntax, (ast.Call, ast.Name, ast.Attribute, ast.Subscript)):
            return False
        same = [node for node in self.graph.nodes if node.syntax is user.syntax and node.code == "TGF102"]
        if any(not node.operands[0].nodes <= self.after for node in same):
            return False
        for owner in owners:
            for event in owner.events:
                self.drafts.add(Draft("TGF120", syntax, user.module, user.symbol, part=owner.part), event)
        return True

    def _as_number(self, number: int, user: Node, owners: list[Draft]) -> bool:
        """A Python number is wanted of what is now a tensor: make it one there, for every caller."""
        place = number_place(user, number, self.after)
        if place is None or id(place[0]) in self.rewritten:
            return False
        for owner in owners:
            for event in owner.events:
                facts = {"form": place[1]}
                self.drafts.add(
                    Draft("TGF120", place[0], user.module, user.symbol, facts=facts, part=owner.part), event
                )
        return True

    def _separate(self, owners: list[Draft], data: int, reason: str) -> None:
        """Give the path its own copy of the helper that data uses too; where that cannot be done, refuse."""
        place = self._place(self.graph[data])
        shared = [draft for draft in owners if id(draft.syntax) == place] or owners
        if draft_twin(self.interpreter, self.drafts, shared[0], data):
            return
        if len(shared) > 1 or not guard(shared[0]):
            self._refuse(owners, reason, self.graph[data])

    def _refuse(self, owners: list[Draft], reason: str, user: Node) -> None:
        line = getattr(user.syntax, "lineno", 0)
        for draft in owners:
            draft.level, draft.reason = Level.MANUAL, f"{reason}: line {line}"


def draft_consumers(interpreter: Interpreter, drafts: Drafts) -> None:
    """Enter what the rewrites need beside the path, or say why a unit cannot be mended."""
    Consumers(interpreter, drafts).run()
    for draft in list(drafts):
        if any(other.code == "TGF130" and other.events & draft.events for other in drafts) and draft.code != "TGF130":
            draft.facts["deferred"] = "yes"
