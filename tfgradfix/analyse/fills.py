"""Item assignments to one array or tensor: which belong together, where the array is made, what is written into it.

An array that is filled in several statements can become a tensor only as a whole. So every statement that fills it
gets a finding, those that write mere numbers among them, and so does the expression that makes it.

Facts of a statement have one entry for each item that it assigns, in source order, parted by commas; its operands are
array, index and value for each item.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tfgradfix.analyse.array_origins import FILL, VIEWS, made_at
from tfgradfix.analyse.breaks import tensors_after
from tfgradfix.analyse.describe import kind_name, operand
from tfgradfix.analyse.drafts import Draft
from tfgradfix.analyse.fill_calls import FillingCall, filling_call
from tfgradfix.analyse.fill_facts import fits, index_kinds, number_in_statement, position, statement_of
from tfgradfix.analyse.graph import Graph, Node
from tfgradfix.analyse.handed_fills import HandedFill, handed_fill
from tfgradfix.analyse.values import TENSORS, Kind, Value
from tfgradfix.model import Level

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tfgradfix.analyse.interpret import Interpreter
    from tfgradfix.analyse.scopes import Context
    from tfgradfix.model import Operand

#: The symbol of a statement that hands an array to the function that fills it.
HANDED: Final = "ndarray filled by a call"

_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
#: Expressions that can make an array.
_MAKERS: Final = (ast.Call, ast.BinOp, ast.UnaryOp, ast.Attribute, ast.Subscript)
#: dtypes that carry a gradient, less exact ones first.
_DTYPES: Final = ("bfloat16", "float16", "float32", "float64", "complex64", "complex128")


@dataclass(frozen=True)
class Fills:
    """The item assignments of a program, seen from one of them, ``start``.

    ``cuts`` are the nodes that are repaired, ``after`` those that hold a tensor then, ``on_path`` those of the gradient
    path.
    """

    interpreter: Interpreter
    start: Node
    cuts: set[int]
    after: set[int]
    on_path: set[int]

    @property
    def graph(self) -> Graph:
        """The flow graph of the program."""
        return self.interpreter.graph

    @cached_property
    def all(self) -> list[Node]:
        """Every item assignment to an array or tensor."""
        return [node for node in self.graph.nodes if node.symbol == FILL and node.operands]

    @cached_property
    def makers(self) -> dict[int, frozenset[int]]:
        """For each item assignment the nodes that make what it fills."""
        return {fill.id: made_at(self.graph, fill.operands[0].nodes) for fill in self.all}

    @cached_property
    def calls(self) -> dict[int, FillingCall]:
        """The calls of helpers behind item assignments, by the node of the assignment."""
        found = {fill.id: filling_call(fill, (self.graph[n] for n in self.makers[fill.id])) for fill in self.all}
        return {number: call for number, call in found.items() if call is not None}

    @cached_property
    def handed(self) -> dict[int, HandedFill]:
        """The calls that hand an array to the function that fills it, by the node of the assignment.

        A function that fills for several callers is in it only if all of them can take the tensor it gives back.
        """
        free = [fill for fill in self.all if fill.id not in self.calls]
        found = {fill.id: handed_fill(fill, (self.graph[n] for n in self.makers[fill.id])) for fill in free}
        refused = {id(fill.context.function) for fill in free if found[fill.id] is None}
        of_data = {fill.context for fill in free} - {fill.context for fill in free if self._writes_tensor(fill)}
        refused |= {id(context.function) for context in of_data}
        able = (fill for fill in free if id(fill.context.function) not in refused)
        return {fill.id: call for fill in able if (call := found[fill.id]) is not None}

    def _statement(self, fill: Node) -> ast.AST:
        """The statement that is rewritten: where a helper is called, or the assignment itself."""
        return self.calls[fill.id].statement if fill.id in self.calls else statement_of(fill)

    def _context(self, fill: Node) -> Context:
        """The call in which that statement runs."""
        call = self.calls.get(fill.id) or self.handed.get(fill.id)
        return fill.context if call is None else call.context

    @cached_property
    def by_others(self) -> set[int]:
        """The nodes that hold a tensor after the repairs, even if no array becomes one."""
        return tensors_after(self.graph, self.cuts)

    def drafts(self) -> list[Draft]:
        """The drafts for all that has to be rewritten together with ``start``."""
        statements = self.together()
        drafts = [self._of_statement(fills) for fills in statements]
        here = [fill for fills in statements for fill in fills if self._context(fill) is self._context(self.start)]
        places: dict[int, list[Node]] = {}
        for number in sorted({number for fill in here for number in self.makers[fill.id]}):
            if self._becomes_tensor(number):
                places.setdefault(id(self.graph[number].syntax), []).append(self.graph[number])
        calls = {id(call.statement): call for fills in statements for call in self._handing(fills)}
        drafts += [self._of_call(call, statements) for call in calls.values()]
        return [*drafts, *(self._of_maker(nodes) for nodes in places.values())]

    def _handing(self, fills: Iterable[Node]) -> list[HandedFill]:
        """The calls by which a function gets the array that it fills."""
        return [self.handed[fill.id] for fill in fills if fill.id in self.handed]

    def together(self) -> list[list[Node]]:
        """The assignments of every statement that fills what ``start`` fills, statement by statement."""
        waiting: dict[int, list[Node]] = {}
        for fill in self.all:
            waiting.setdefault(id(self._statement(fill)), []).append(fill)
        chosen: list[list[Node]] = []
        pending = [waiting.pop(id(self._statement(self.start)))]
        while pending:
            here = pending.pop(0)
            chosen.append(here)
            places = self._places(here)
            near = [key for key, others in waiting.items() if self._places(others) & places]
            pending += [waiting.pop(key) for key in near]
        return chosen

    def _places(self, fills: Iterable[Node]) -> set[int]:
        """The pieces of code that make what ``fills`` fill."""
        return {id(self.graph[number].syntax) for fill in fills for number in self.makers[fill.id]}

    def _operand(self, value: Value) -> Operand:
        return operand(value, self.after, self.on_path, self.interpreter.flow(value))

    def _becomes_tensor(self, number: int) -> bool:
        """Whether a node makes an array that no other repair turns into a tensor."""
        return self.graph[number].value.is_only(Kind.NDARRAY) and number not in self.by_others

    # Statements --------------------------------------------------------------------------------------------------

    def _of_statement(self, fills: list[Node]) -> Draft:
        """The draft of one statement."""
        targets = sorted({id(fill.syntax): fill for fill in fills}.values(), key=position)
        seen = [self._seen(fills, target) for target in targets]
        operands = tuple(self._operand(value) for fill in seen for value in fill.operands)
        reason = next(filter(None, (self._obstacle(fill) for fill in fills)), "")
        facts = {
            "created": ",".join(self._created(fill) for fill in seen),
            "fits": ",".join(fits([fill for fill in fills if fill.syntax is target.syntax]) for target in targets),
            "index": ",".join(index_kinds(fill) for fill in seen),
            "which": ",".join(str(number_in_statement(fill)) for fill in seen),
        }
        call = self.calls.get(fills[0].id)
        if call is not None:
            facts["arguments"] = ",".join(call.roles)
        if self._handing(fills):
            facts["handed"] = "yes"
        maker = self.graph[min(self.makers[fills[0].id])] if call is not None else fills[0]
        return Draft(
            self.start.code,
            self._statement(fills[0]),
            maker.module,
            FILL,
            level=Level.MANUAL if reason else Level.SAFE,
            reason=reason or self._remark(fills),
            nodes=self._here(fills),
            operands=operands,
            facts=facts,
        )

    def _remark(self, fills: list[Node]) -> str:
        """What the message adds for a statement that is here for the sake of others."""
        written = (kind_name(fill.operands[2], self.after) for fill in fills)
        return "" if any(kind in ("tensor", "variable") for kind in written) else "the same one is filled here"

    def _here(self, nodes: Iterable[Node]) -> set[int]:
        """Those of ``nodes`` that are met in the same call as ``start``; the others may be of data."""
        return {node.id for node in nodes if self._context(node) is self._context(self.start)}

    def _seen(self, fills: list[Node], target: Node) -> Node:
        """An assignment as it is met in the call that ``start`` is met in, if it is met there."""
        same = [fill for fill in fills if fill.syntax is target.syntax]
        return next((fill for fill in same if self._context(fill) is self._context(self.start)), same[0])

    def _created(self, fill: Node) -> str:
        """Where the filled array is made: rows and columns, parted by semicolons."""
        nodes = [self.graph[number] for number in sorted(self.makers[fill.id])]
        spans = sorted({node.module.span(node.syntax).start for node in nodes})
        return ";".join(f"{start.row}:{start.column}" for start in spans)

    def _obstacle(self, fill: Node) -> str:
        """Why the array that is filled here cannot become a tensor, or nothing."""
        makers = [self.graph[number] for number in sorted(self.makers[fill.id])]
        if not makers:
            return "it is not certain which array is filled"
        for maker in makers:
            if self._is_part(maker):
                return "the array is filled through a part of it that has a name of its own"
            if maker.value.is_only(TENSORS) or maker.id in self.by_others:
                continue
            placed = fill.id in self.calls or fill.id in self.handed
            apart = not placed and _function(maker) is not _function(fill)
            if isinstance(maker.syntax, ast.arg) or apart:
                return "the array is made in another function"
            if not isinstance(maker.syntax, _MAKERS):
                return "it is not plain how the array is made"
            if not maker.value.is_only(Kind.NDARRAY):
                return "it is not certain whether it is an array or a tensor that is filled"
            if (maker.value.dtype or "").startswith(("int", "uint", "bool")):
                return f"the array holds {maker.value.dtype}, which carries no gradient"
        return ""

    def _is_part(self, maker: Node) -> bool:
        """Whether what is made is a window on an array that is used elsewhere too."""
        if maker.symbol not in VIEWS or not maker.operands or not maker.operands[0].is_only(Kind.NDARRAY):
            return False
        return any(set(self.graph[number].outgoing) - {maker.id} for number in maker.operands[0].nodes)

    def _of_call(self, call: HandedFill, statements: Iterable[list[Node]]) -> Draft:
        """The draft of a statement that hands an array to the function that fills it."""
        fills = [fill for here in statements for fill in here if self.handed.get(fill.id) == call]
        return Draft(
            "TGF108",
            call.statement,
            call.module,
            HANDED,
            reason="the array is filled by this call",
            nodes=self._here(fills),
            facts={"created": ",".join(sorted({self._created(fill) for fill in fills})), "argument": call.role},
        )

    # The expression that makes the array -------------------------------------------------------------------------

    def _of_maker(self, makers: list[Node]) -> Draft:
        """The draft of the expression that makes the array."""
        maker = next((node for node in makers if node.context is self._context(self.start)), makers[0])
        numbers = {node.id for node in makers}
        fills = [fill for fill in self.all if self.makers[fill.id] & numbers]
        start = maker.module.span(maker.syntax).start
        facts = {"created": f"{start.row}:{start.column}"}
        dtype = self._dtype(maker, fills)
        if dtype is not None:
            facts["dtype"] = dtype
        if maker.value.rank is not None:
            facts["rank"] = str(maker.value.rank)
        operands = tuple(self._operand(value) for value in maker.operands)
        return Draft(
            "TGF108",
            maker.syntax,
            maker.module,
            maker.symbol,
            reason="the array is made here",
            nodes=self._here(makers),
            operands=operands,
            facts=facts,
        )

    def _dtype(self, maker: Node, fills: Iterable[Node]) -> str | None:
        """The dtype of the tensor that takes the array's place.

        It is the array's own where that is known, else (NumPy makes float64 of everything that is left open) that of
        the tensors that are written into it, else the one dtype of all tensors on the path; None when nothing is known.
        """
        if maker.value.dtype in _DTYPES:
            return maker.value.dtype
        written = {fill.operands[2].dtype for fill in fills if self._writes_tensor(fill)} & set(_DTYPES)
        if written:
            return max(written, key=_DTYPES.index)
        values = (self.graph[number].value for number in self.on_path)
        dtypes = {value.dtype for value in values if value.is_only(TENSORS)} & set(_DTYPES)
        return dtypes.pop() if len(dtypes) == 1 else None

    def _writes_tensor(self, fill: Node) -> bool:
        return kind_name(fill.operands[2], self.after) in ("tensor", "variable")


def rewritten_place(graph: Graph, node: Node) -> ast.AST:
    """The piece of code that is rewritten when ``node`` is: a whole statement where an item is assigned."""
    if node.symbol != FILL or not node.operands:
        return node.syntax
    call = filling_call(node, [graph[number] for number in made_at(graph, node.operands[0].nodes)])
    return statement_of(node) if call is None else call.statement


def arrays_filled(graph: Graph, cuts: Iterable[int]) -> set[int]:
    """The nodes that make the arrays which the item assignments among ``cuts`` fill: they become tensors too."""
    fills = [graph[number] for number in cuts if graph[number].symbol == FILL and graph[number].operands]
    made = {number for fill in fills for number in made_at(graph, fill.operands[0].nodes)}
    return {number for number in made if graph[number].value.is_only(Kind.NDARRAY)}


def _function(node: Node) -> ast.AST | None:
    """The function whose code a node is, None for the module's own."""
    current = node.module.parent(node.syntax)
    while current is not None and not isinstance(current, _FUNCTIONS):
        current = node.module.parent(current)
    return current
