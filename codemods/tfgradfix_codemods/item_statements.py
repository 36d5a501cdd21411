"""Statements that assign items of arrays, as statements that bind the arrays' names to new tensors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.item_choices import changed_by, chosen
from tfgradfix_codemods.item_parts import bounds_of, differ
from tfgradfix_codemods.item_update import changed, element, scattered, updated
from tfgradfix_codemods.names_read import names_read
from tfgradfix_codemods.new_lines import standing
from tfgradfix_codemods.surroundings import names_bound
from tfgradfix_codemods.tensor_items import Item, Written, display

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tfgradfix.model import Operand
    from tfgradfix_codemods.fresh_names import FreshNames
    from tfgradfix_codemods.item_choices import Choice

Small = cst.BaseSmallStatement
Statement = cst.Assign | cst.AugAssign

DISPLAYS: Final = (cst.Tuple, cst.List)


@dataclass(frozen=True)
class Assigned:
    """One item that a statement assigns: its place, what the analysis knows of the value, and what picks it.

    ``choice`` is given where an array picks several items; ``place`` then is the whole tensor.
    """

    place: Item
    operand: Operand
    fits: str
    choice: Choice | None = None

    def written(self, node: cst.BaseExpression) -> Written:
        """``node`` as the value that the analysis speaks of."""
        return Written(node, self.operand, self.fits)

    def put(self, node: cst.BaseExpression) -> cst.Assign | Decline:
        """The statement that puts ``node`` there."""
        value = self.written(node)
        new = updated(self.place, value) if self.choice is None else chosen(self.choice, value)
        return new if isinstance(new, Decline) else bound(self.place.array, new)

    def change(self, operator: cst.BaseAugOp, node: cst.BaseExpression) -> cst.Assign | Decline:
        """The statement that changes what is there by ``node``."""
        value = self.written(node)
        choice = self.choice
        new = changed(self.place, operator, value) if choice is None else changed_by(choice, operator, value)
        return new if isinstance(new, Decline) else bound(self.place.array, new)

    @property
    def names(self) -> frozenset[str]:
        """The names that the index reads."""
        bounds = [bound for part in self.place.parts for bound in bounds_of(part)]
        chosen_by = [] if self.choice is None else [self.choice.index]
        return frozenset().union(*(names_read(bound) for bound in (*bounds, *chosen_by)))


def rewritten(statement: Statement, items: Mapping[int, Assigned], names: FreshNames) -> list[Small] | Decline:
    """What takes the place of ``statement``.

    Args:
        statement: assigns items, and perhaps other things too.
        items: those that are items of tensors, by their numbers among the targets with an index.
        names: gives names that are not in use.
    """
    if evaluates_in_steps(statement.value):
        return Decline("the value binds a name, waits or yields")
    if isinstance(statement, cst.AugAssign):
        return complete([items[0].change(statement.operator, statement.value)])
    targets = [target.target for target in statement.targets]
    if len(targets) == 1 and isinstance(targets[0], cst.Subscript):
        return complete([items[0].put(statement.value)])
    flat = [part for target in targets for part in flattened(target)]
    by_target = dict(numbered(flat, items))
    read = frozenset[str]().union(*(item.names for item in by_target.values()))
    if not read.isdisjoint(name for target in flat for name in names_bound(target)):
        return Decline("the statement binds a name that an index needs")
    if len(targets) == 1:
        return unpacked(statement, flat, by_target, names)
    if len(flat) != len(targets):
        return Decline("several targets, with tuples among them")
    return chained(statement, by_target, names)


def complete(statements: Sequence[Small | Decline]) -> list[Small] | Decline:
    """``statements``, if none of them is refused."""
    refused = next((one for one in statements if isinstance(one, Decline)), None)
    return refused or [one for one in statements if not isinstance(one, Decline)]


def chained(
    statement: cst.Assign, items: Mapping[cst.BaseExpression, Assigned], names: FreshNames
) -> list[Small] | Decline:
    """`a[i, j] = a[j, i] = value`: the value is computed once, and then put into one place after the other."""
    others = [target for target in statement.targets if target.target not in items]
    named = next((target.target for target in others if isinstance(target.target, cst.Name)), None)
    value: cst.BaseExpression | None = named
    first: list[Small] = []
    if value is None and not others and isinstance(statement.value, (cst.Name, cst.BaseNumber)):
        value = statement.value
    if value is None:
        value = names.name("value")
        others = [cst.AssignTarget(value), *others]
    if others:
        first = [cst.Assign(others, statement.value)]
    return complete([*first, *(item.put(value.deep_clone()) for item in items.values())])


def unpacked(
    statement: cst.Assign,
    targets: Sequence[cst.BaseExpression],
    items: Mapping[cst.BaseExpression, Assigned],
    names: FreshNames,
) -> list[Small] | Decline:
    """`a[i], a[j] = values`: the values get names, and are then put into one place after the other."""
    whole = statement.targets[0].target
    if not isinstance(whole, DISPLAYS) or any(isinstance(target, DISPLAYS) for target in targets):
        return Decline("tuples within tuples are assigned")
    together = at_once(statement.value, targets, items)
    if together is not None:
        return [together]
    given: dict[cst.BaseExpression, cst.Name] = {target: names.name("value") for target in items}
    elements = [one.with_changes(value=given[one.value]) if one.value in given else one for one in whole.elements]
    unpacking = cst.Assign([cst.AssignTarget(whole.with_changes(elements=elements))], statement.value)
    return complete([unpacking, *(item.put(given[target].deep_clone()) for target, item in items.items())])


def at_once(
    value: cst.BaseExpression, targets: Sequence[cst.BaseExpression], items: Mapping[cst.BaseExpression, Assigned]
) -> cst.Assign | None:
    """One statement for `a[i, 0], a[i, 1] = x, y`, where the places certainly differ; None for anything else."""
    if not isinstance(value, DISPLAYS) or len(value.elements) != len(targets) or len(items) != len(targets):
        return None
    assigned = [items[target] for target in targets]
    place = assigned[0].place
    parts = [item.place.parts for item in assigned]
    apart = all(differ(one, other) for index, one in enumerate(parts) for other in parts[index + 1 :])
    same = all(item.place.array.value == place.array.value and item.place.axes == 0 for item in assigned)
    if not apart or not same or any(item.place.rest or item.choice for item in assigned):
        return None
    values = [element(item.place, item.written(one.value)) for item, one in zip(assigned, value.elements, strict=True)]
    return bound(place.array, scattered("update", place, [item.place for item in assigned], display(values)))


def bound(name: cst.Name, value: cst.BaseExpression) -> cst.Assign:
    """`name = value`."""
    return cst.Assign([cst.AssignTarget(cst.Name(name.value))], standing(value))


def flattened(target: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The targets in a target; a tuple in a tuple stays one."""
    if isinstance(target, DISPLAYS):
        yield from (element.value for element in target.elements)
    else:
        yield target


def numbered(
    targets: Sequence[cst.BaseExpression], items: Mapping[int, Assigned]
) -> Iterator[tuple[cst.BaseExpression, Assigned]]:
    """Each target that is an item of a tensor, with that item."""
    with_index = [target for target in targets if isinstance(target, cst.Subscript)]
    for number, target in enumerate(with_index):
        if number in items:
            yield target, items[number]


def evaluates_in_steps(node: cst.CSTNode) -> bool:
    """Whether more happens in an expression than that a value comes of it."""
    if isinstance(node, (cst.NamedExpr, cst.Await, cst.Yield)):
        return True
    return any(evaluates_in_steps(child) for child in node.children)
