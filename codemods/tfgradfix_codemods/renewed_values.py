"""Finds, in a new value, the tensors that take the place of variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.effects_of_statements import effects_of
from tfgradfix_codemods.names_of_statements import place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfgradfix_codemods.surroundings import Surroundings

#: Functions of TensorFlow whose result is not one tensor, or a variable already.
NOT_ONE_TENSOR: Final = frozenset({"Variable", "unstack", "split", "map_structure", "flatten", "meshgrid", "switch"})

#: Literals that `+` joins to lists.
LISTS: Final = (cst.List, cst.ListComp, cst.Tuple)

Pair = tuple[cst.BaseExpression, cst.BaseExpression]


def new_tensors(node: cst.Assign, surroundings: Surroundings) -> tuple[cst.BaseExpression, ...] | Decline:
    """The expressions in ``node`` that make new tensors out of what it assigns to.

    There are none where earlier values are only put back: these become variables where they are made.
    """
    pairs = pairs_of(node)
    if pairs is None:
        return Decline("it cannot be seen which value goes to which name")
    found = [part for target, value in pairs for part in made_anew(target, value, surroundings)]
    if not found and not all(place_of(value) for _, value in pairs):
        return Decline("the new value does not show to be a tensor made of the old one")
    return tuple(found)


def pairs_of(node: cst.Assign) -> list[Pair] | None:
    """Targets and values of an assignment, part by part; None when they do not show."""
    target, value = node.targets[0].target, node.value
    if len(node.targets) != 1:
        return None
    if not isinstance(target, (cst.Tuple, cst.List)):
        return [(target, value)]
    if not isinstance(value, (cst.Tuple, cst.List)) or len(target.elements) != len(value.elements):
        return None
    return [(one.value, other.value) for one, other in zip(target.elements, value.elements, strict=True)]


def made_anew(
    target: cst.BaseExpression, value: cst.BaseExpression, surroundings: Surroundings
) -> Iterator[cst.BaseExpression]:
    """The tensors in ``value``, when it is made of the old value of ``target``."""
    if place_of(target) in effects_of(value, surroundings).reads:
        yield from tensors_in(value, surroundings)


def tensors_in(value: cst.BaseExpression, surroundings: Surroundings) -> Iterator[cst.BaseExpression]:
    """``value`` if it shows to be one tensor, or the elements of a collection that do."""
    if is_tensor(value, surroundings):
        yield value
    elif isinstance(value, (cst.List, cst.Tuple)):
        for element in value.elements:
            yield from tensors_in(element.value, surroundings)
    elif isinstance(value, cst.Dict):
        for item in value.elements:
            yield from tensors_in(item.value, surroundings)
    elif isinstance(value, cst.ListComp):
        yield from tensors_in(value.elt, surroundings)
    elif isinstance(value, cst.DictComp):
        yield from tensors_in(value.value, surroundings)
    elif isinstance(value, cst.IfExp):
        yield from tensors_in(value.body, surroundings)
        yield from tensors_in(value.orelse, surroundings)


def is_tensor(value: cst.BaseExpression, surroundings: Surroundings) -> bool:
    """Whether ``value`` is arithmetic, or calls a function of TensorFlow that gives one tensor."""
    if isinstance(value, cst.BinaryOperation):
        return not isinstance(value.left, LISTS) and not isinstance(value.right, LISTS)
    full = surroundings.full_name(value.func) or "" if isinstance(value, cst.Call) else ""
    return full.startswith("tensorflow.") and full.rpartition(".")[2] not in NOT_ONE_TENSOR
