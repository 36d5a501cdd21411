"""A tensor takes the place of a variable, as in `w = w - rate * gradient`.

What breaks:
    The new `w` is a plain tensor. The next tape watches variables only, so that the gradient of everything that is
    computed from it is None, from the second step on.

Repair:
    The new value becomes a variable: `w = tf.Variable(w - rate * gradient)`. Unlike `w.assign_sub(...)` this leaves
    every other name alone that holds the old value: `best = w` stays the snapshot that it was. `w -= ...`, which a
    variable refuses, becomes `w.assign_sub(...)`.

Left alone:
    Earlier values that are put back (`w = best`): they become variables where they are made. Values that do not show
    to be one tensor (the result of an unknown function), new values that another tape records (it would lose sight of
    the old variable), and code inside `tf.function` or a Keras training step, where no variable may be made.

Example:
    >>> w = w - rate * tape.gradient(loss, w)
    <<< w = tf.Variable(w - rate * tape.gradient(loss, w))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.base import Decline, GradientCommand, Level, Rule
from tfgradfix_codemods.blocks import replaced
from tfgradfix_codemods.nodes import atom, call
from tfgradfix_codemods.renewed_values import new_tensors
from tfgradfix_codemods.surroundings import Surroundings, surroundings_of
from tfgradfix_codemods.tape_places import makes_tape

if TYPE_CHECKING:
    from libcst.codemod import CodemodContext

    from tfgradfix.model import Finding

RULE: Final = Rule(code="TGF208", name="variable-replaced", level=Level.SAFE)

#: Methods that Keras runs inside `tf.function`.
TRACED: Final = frozenset({"call", "train_step", "test_step", "predict_step"})

IN_PLACE: Final[Mapping[type[cst.BaseAugOp], str]] = {
    cst.SubtractAssign: "assign_sub",
    cst.AddAssign: "assign_add",
}

Wrap = Callable[[cst.BaseExpression], cst.BaseExpression]


class VariableReplacedCommand(GradientCommand):
    """Make the new value of a variable a variable again."""

    DESCRIPTION = "w = w - step on a variable becomes w = tf.Variable(w - step)"
    RULE = RULE

    def __init__(self, context: CodemodContext, unsafe_fixes: bool = False) -> None:
        """Begin outside of every function and tape."""
        super().__init__(context, unsafe_fixes)
        self.around: list[cst.FunctionDef | cst.With] = []

    @cached_property
    def surroundings(self) -> Surroundings:
        """What the module says about its names."""
        return surroundings_of(self.module)

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        """Enter a function."""
        self.around.append(node)

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        """Leave it."""
        self.around = [one for one in self.around if one is not original_node]
        return updated_node

    def visit_With(self, node: cst.With) -> None:
        """Enter a block."""
        self.around.append(node)

    def leave_With(self, original_node: cst.With, updated_node: cst.With) -> cst.With:
        """Leave it."""
        self.around = [one for one in self.around if one is not original_node]
        return updated_node

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:
        """Make the new value a variable."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        obstacle = self.obstacle(finding)
        result = obstacle or renewed(updated_node, self.wrap(finding), self.surroundings)
        return self.settle(finding, updated_node, result)

    def leave_AugAssign(self, original_node: cst.AugAssign, updated_node: cst.AugAssign) -> cst.BaseSmallStatement:
        """Change the variable in place."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        if finding.fact("alias") == "yes":
            self.decline(finding, "another name holds the same variable and would change with it")
            return updated_node
        changed = changed_in_place(updated_node)
        if isinstance(changed, Decline):
            self.decline(finding, changed.reason)
            return updated_node
        return changed.with_changes(semicolon=updated_node.semicolon)

    def wrap(self, finding: Finding) -> Wrap:
        """What makes a variable of an expression."""
        return lambda value: call(self.tensorflow(finding, "Variable"), value)

    def obstacle(self, finding: Finding) -> Decline | None:
        """Why no variable may be made here, or None."""
        if finding.fact("recorded") == "yes" or any(self.records(one) for one in self.around):
            return Decline("another tape records the new value and would lose sight of the variable")
        if any(self.is_traced(one) for one in self.around):
            return Decline("no variable may be made inside of tf.function; use assign()")
        return None

    def records(self, node: cst.FunctionDef | cst.With) -> bool:
        """Whether ``node`` is the block of a tape."""
        return isinstance(node, cst.With) and any(makes_tape(item, self.surroundings) for item in node.items)

    def is_traced(self, node: cst.FunctionDef | cst.With) -> bool:
        """Whether ``node`` is a function that is traced."""
        if isinstance(node, cst.With):
            return False
        functions = (one.decorator for one in node.decorators)
        names = (one.func if isinstance(one, cst.Call) else one for one in functions)
        traced = any(self.surroundings.full_name(name) == "tensorflow.function" for name in names)
        return traced or node.name.value in TRACED


def renewed(node: cst.Assign, wrap: Wrap, surroundings: Surroundings) -> cst.Assign | Decline:
    """``node`` with a variable made of each new value of what it assigns to."""
    found = new_tensors(node, surroundings)
    for part in () if isinstance(found, Decline) else found:
        node = replaced(node, part, wrap(part))
    return found if isinstance(found, Decline) else node


def changed_in_place(node: cst.AugAssign) -> cst.Expr | Decline:
    """`w.assign_sub(step)` for `w -= step`."""
    method = IN_PLACE.get(type(node.operator))
    if method is None:
        return Decline("a variable has no method for this operator")
    return cst.Expr(call(cst.Attribute(atom(node.target), cst.Name(method)), node.value))
