"""The tests of an `if` chain as masks that are evaluated once, where the chain stood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.masks import is_guarding, mask
from tfgradfix_codemods.names_read import names_read
from tfgradfix_codemods.nodes import source
from tfgradfix_codemods.operations import ASKS_FOR_BAD_VALUES, ASKS_FOR_EXTENT
from tfgradfix_codemods.side_effects import risky_index, side_effect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix_codemods.sites import Site


#: No program has such a name.
PLACEHOLDER: Final = "__tfgradfix_condition_"


@dataclass(frozen=True)
class Condition:
    """One test: as written, as the mask that it becomes, and the name that stands for the mask until all is arranged.

    ``python`` says that it is a Python bool, for which Python goes on choosing; ``movable`` that it may be evaluated
    later than it was, or again; ``wanted`` is what to call the mask if it needs a name.
    """

    test: cst.BaseExpression
    mask: cst.BaseExpression
    name: cst.Name
    python: bool
    movable: bool
    wanted: str = "condition"


def conditions(
    tests: Sequence[cst.BaseExpression], python: Sequence[bool], site: Site
) -> tuple[Condition, ...] | Decline:
    """The masks of ``tests``, the first of which is the only one that the program evaluates in any case.

    ``python`` tells which tests are Python bools.
    """
    found: list[Condition] = []
    for position, test in enumerate(tests):
        hidden = side_effect(test, site)
        refusal = hidden if position > 0 else None
        refusal = refusal or unanswerable(test, site) or protected(test, tests[:position], site)
        value = test.with_changes(lpar=[], rpar=[]) if python[position] else mask(test, site)
        if refusal is not None:
            return refusal
        if isinstance(value, Decline):
            return value
        found.append(
            Condition(test, value, cst.Name(f"{PLACEHOLDER}{position}"), python[position], movable=hidden is None)
        )
    return tuple(found)


def protected(test: cst.BaseExpression, earlier: Sequence[cst.BaseExpression], site: Site) -> Decline | None:
    """Why ``test`` may fail unless the tests before it have failed, or None."""
    for before in earlier:
        known = names_read(before, indices=False) - site.meanings.keys()
        refusal = risky_index(test, known, site)
        if refusal is None and is_guarding(before, site) and known & names_read(test):
            refusal = Decline(f"`{source(before)}` decides whether the tests behind it can be evaluated")
        if refusal is not None:
            return refusal
    return None


def unanswerable(test: cst.BaseExpression, site: Site) -> Decline | None:
    """Why the branches of a test cannot both be evaluated: it asks for a shape, or whether values are finite."""
    questions = _Questions(site)
    test.visit(questions)
    for name in names_read(test, indices=False):
        for binding in site.values(name):
            # A value computed from a size is a value like others; the size itself decides what exists.
            if binding.value is not None and is_extent(binding.value, site):
                binding.value.visit(questions)
    return questions.refusal


def is_extent(node: cst.BaseExpression, site: Site) -> bool:
    """Whether ``node`` is a size itself: `len(x)`, `tf.shape(x)[0]`, a cast of one."""
    if isinstance(node, cst.Subscript):
        return is_extent(node.value, site)
    known = site.operation(node.func) if isinstance(node, cst.Call) else None
    if known is None or not isinstance(node, cst.Call):
        return False
    return known.name in ASKS_FOR_EXTENT or (known.name == "cast" and is_extent(node.args[0].value, site))


class _Questions(cst.CSTVisitor):
    """Looks for questions that decide whether a branch can be evaluated at all."""

    def __init__(self, site: Site) -> None:
        super().__init__()
        self.site = site
        self.refusal: Decline | None = None

    def visit_Call(self, node: cst.Call) -> None:
        known = self.site.operation(node.func)
        if known is not None and known.name in ASKS_FOR_EXTENT:
            self.refusal = Decline(
                "the test asks for a shape, so that a branch may not be computable unless it is taken"
            )
        last = source(node.func).rpartition(".")[2]
        if last in ASKS_FOR_BAD_VALUES:
            self.refusal = Decline("the test asks for values that are not finite, and these would spoil the gradient")
