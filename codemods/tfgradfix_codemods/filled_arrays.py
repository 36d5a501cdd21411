"""The arrays of a module that are filled item by item, each with all its assignments and the places that make it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.blocks import nodes_in
from tfgradfix_codemods.item_statements import Statement, flattened
from tfgradfix_codemods.nodes import keyword_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from tfgradfix.model import Finding, Operand
    from tfgradfix_codemods.scopes import Function
    from tfgradfix_codemods.trees import Tree

#: The symbols of findings about assignments and about calls that fill an array; others are about what makes one.
FILL: Final = "ndarray.__setitem__"
HANDED: Final = "ndarray filled by a call"

SCOPES: Final = (cst.FunctionDef, cst.Lambda, cst.ClassDef, cst.Module)


@dataclass(frozen=True)
class Store:
    """One item that a statement assigns: the statement, the target, and what its finding says.

    ``base`` is the array in the statement, which may also be the call of a helper that does nothing but assign.
    ``number`` counts the targets with an index in the statement; ``created`` are the places that make the array.
    """

    statement: Statement | cst.Expr
    target: cst.Subscript
    base: cst.BaseExpression
    number: int
    created: tuple[str, ...]
    kinds: tuple[str, ...]
    fits: str
    array: Operand
    index: Operand
    value: Operand


@dataclass(frozen=True)
class Handing:
    """A statement that hands an array to a function which fills it; ``base`` is the argument."""

    statement: cst.Expr
    base: cst.Name
    created: tuple[str, ...]


@dataclass(frozen=True)
class Maker:
    """An expression that makes an array, and its finding."""

    node: cst.BaseExpression
    finding: Finding


@dataclass(eq=False)
class Filled:
    """One array: all assignments to its items, and the expressions that make it (none where it is a tensor).

    An array that one function makes and another fills is two: that of the function which has the array as a parameter
    (``parameter``) has the assignments, that of the other has the ``calls``.
    """

    stores: list[Store] = field(default_factory=list)
    makers: list[Maker] = field(default_factory=list)
    calls: list[Handing] = field(default_factory=list)
    parameter: bool = False

    @property
    def is_array(self) -> bool:
        """Whether it is an array, and no tensor, before the repair."""
        return bool(self.makers) or self.parameter

    @property
    def names(self) -> list[str]:
        """The plain names by which it is filled; "" stands for anything else."""
        bases = [*(store.base for store in self.stores), *(one.base for one in self.calls)]
        return list(dict.fromkeys(base.value if isinstance(base, cst.Name) else "" for base in bases))

    @property
    def name(self) -> str:
        """The name by which it is filled."""
        return self.names[0] if self.names else ""

    @cached_property
    def rank(self) -> int | None:
        """The number of its axes, or None."""
        facts = (maker.finding.fact("rank") for maker in self.makers)
        known = {int(fact) for fact in facts if fact} | {store.array.rank for store in self.stores} - {None}
        known |= {rank for maker in self.makers if (rank := rank_of(maker.node, maker.finding.symbol)) is not None}
        return known.pop() if len(known) == 1 else None

    def function(self, tree: Tree) -> Function | cst.ClassDef | None:
        """The function that all of it stands in; None when it is spread over several."""
        statements = [*(store.statement for store in self.stores), *(one.statement for one in self.calls)]
        nodes = [*statements, *(maker.node for maker in self.makers)]
        scopes = {scope_of(tree, node) for node in nodes}
        return scopes.pop() if len(scopes) == 1 else None


def scope_of(tree: Tree, node: cst.CSTNode) -> Function | cst.ClassDef:
    """The innermost function, class or module round ``node``."""
    scope = next(one for one in reversed(tree.path(node)[:-1]) if isinstance(one, SCOPES))
    if not isinstance(scope, SCOPES):
        raise TypeError(f"{type(scope).__name__} is no scope")
    return scope


def rank_of(maker: cst.BaseExpression, symbol: str) -> int | None:
    """How many axes an array has that is written out as a list, or is a unit matrix."""
    if symbol in ("numpy.eye", "numpy.identity"):
        return 2
    depth, inside = 0, maker.args[0].value if isinstance(maker, cst.Call) and maker.args else maker
    if symbol != "numpy.array":
        return None
    while isinstance(inside, (cst.List, cst.Tuple)) and inside.elements:
        depth, inside = depth + 1, inside.elements[0].value
    return depth if depth and isinstance(inside, (cst.BaseNumber, cst.UnaryOperation)) else None


def filled_arrays(tree: Tree, named: Callable[[cst.CSTNode], Finding | None]) -> list[Filled]:
    """Every array of a module that findings are about.

    Args:
        tree: the module before this round.
        named: gives the finding about a node, if there is one.
    """
    stores: list[Store] = []
    handed: list[Store] = []
    calls: list[Handing] = []
    makers: list[Maker] = []
    for node in nodes_in(tree.module):
        finding = named(node)
        if finding is None:
            continue
        if isinstance(node, cst.Expr) and finding.symbol == HANDED:
            calls.append(handing_of(node, finding))
        elif finding.fact("handed") and isinstance(node, (cst.Assign, cst.AugAssign)):
            handed += stores_of(node, finding)
        elif isinstance(node, (cst.Assign, cst.AugAssign, cst.Expr)):
            stores += stores_of(node, finding)
        elif isinstance(node, cst.BaseExpression) and finding.symbol not in (FILL, HANDED):
            makers.append(Maker(node, finding))
    return [*grouped(stores, makers, calls), *parameters(handed, tree)]


def handing_of(statement: cst.Expr, finding: Finding) -> Handing:
    """The array that a statement hands to a function which fills it."""
    called = cst.ensure_type(statement.value, cst.Call)
    role = finding.fact("argument")
    given = next(one.value for place, one in enumerate(called.args) if role in (str(place), keyword_of(one)))
    return Handing(statement, cst.ensure_type(given, cst.Name), tuple(parts(finding, "created")))


def parameters(stores: Iterable[Store], tree: Tree) -> list[Filled]:
    """The arrays that functions fill for their callers: one for each function and parameter."""
    found: dict[tuple[cst.CSTNode, str], Filled] = {}
    for store in stores:
        name = store.base.value if isinstance(store.base, cst.Name) else ""
        found.setdefault((scope_of(tree, store.statement), name), Filled(parameter=True)).stores.append(store)
    return list(found.values())


def stores_of(statement: Statement | cst.Expr, finding: Finding) -> Iterator[Store]:
    """The items that a statement assigns, as its finding counts them."""
    written = as_assignment(statement, finding) if isinstance(statement, cst.Expr) else statement
    with_index = [target for target in targets_of(written) if isinstance(target, cst.Subscript)]
    numbers = [int(number) for number in parts(finding, "which")]
    for position, number in enumerate(numbers):
        array, index, value = finding.operands[3 * position : 3 * position + 3]
        yield Store(
            statement=statement,
            target=with_index[number],
            base=base_of(with_index[number]),
            number=number,
            created=tuple(parts(finding, "created")[position].split(";")),
            kinds=tuple(parts(finding, "index")[position].split(":")),
            fits=parts(finding, "fits")[position],
            array=array,
            index=index,
            value=value,
        )


def as_assignment(statement: cst.Expr, finding: Finding) -> cst.Assign:
    """What a helper does that only assigns an item: `place(levels, house, value)` is `levels[house] = value`."""
    called = cst.ensure_type(statement.value, cst.Call)
    roles = parts(finding, "arguments")
    array, index, value = (
        next(one.value for place, one in enumerate(called.args) if role in (str(place), keyword_of(one)))
        for role in roles
    )
    target = cst.Subscript(array, [cst.SubscriptElement(cst.Index(index))])
    return cst.Assign([cst.AssignTarget(target)], value)


def base_of(item: cst.Subscript) -> cst.BaseExpression:
    """The array of which something is an item: `array` in `array[i][j]`."""
    base: cst.BaseExpression = item
    while isinstance(base, cst.Subscript):
        base = base.value
    return base


def targets_of(statement: Statement) -> list[cst.BaseExpression]:
    """What a statement assigns, tuples taken apart."""
    targets = [one.target for one in statement.targets] if isinstance(statement, cst.Assign) else [statement.target]
    return [part for target in targets for part in flattened(target)]


def parts(finding: Finding, fact: str) -> Sequence[str]:
    """The entries of a fact, one for each item."""
    return (finding.fact(fact) or "").split(",")


def grouped(stores: Iterable[Store], makers: Iterable[Maker], calls: Iterable[Handing]) -> list[Filled]:
    """The arrays behind assignments, makers and calls: what shares a place that makes it is one array."""
    parents: dict[str, str] = {}

    def root(place: str) -> str:
        while parents.setdefault(place, place) != place:
            place = parents[place]
        return place

    every, handing = [*stores], [*calls]
    for created in (*(store.created for store in every), *(one.created for one in handing)):
        for place in created:
            parents[root(place)] = root(created[0])
    found: dict[str, Filled] = defaultdict(Filled)
    for store in every:
        found[root(store.created[0])].stores.append(store)
    for call in handing:
        found[root(call.created[0])].calls.append(call)
    for maker in makers:
        found[root(maker.finding.fact("created") or "")].makers.append(maker)
    return list(found.values())
