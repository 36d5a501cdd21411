"""Brings into a branch what was computed before the test and is not finite where the test fails.

In

    norm = tf.norm(x)
    if norm > limit:
        x = x * limit / norm

the gradient of the norm is NaN where `x` is zero. The program never asks for it there, but `tf.where` does, however
the division is guarded, since it flows back through `norm` as 0 times NaN. So the branch gets a norm of its own,
`tf.norm(tf.where(condition, x, tf.ones_like(x)))`: the name is replaced by what it stands for, which can be guarded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.names_read import names_read
from tfgradfix_codemods.risks import Danger, danger_in, is_harmless
from tfgradfix_codemods.side_effects import side_effect
from tfgradfix_codemods.substitution import Substitution

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tfgradfix_codemods.safe_branches import Guard
    from tfgradfix_codemods.scopes import Binding
    from tfgradfix_codemods.sites import Site


def exposed(
    value: cst.BaseExpression, guard: Guard, shared: frozenset[str], site: Site
) -> cst.BaseExpression | Decline:
    """``value`` with the names written out whose computation may not be finite where the tests fail.

    Args:
        value: an expression of a branch.
        guard: what the tests compare.
        shared: names that every branch reads, so that the gradient flows through them in any case.
        site: the place of the `if`.
    """
    replacements: dict[str, cst.BaseExpression] = {}
    for name in sorted(names_read(value) - site.local.keys() - shared):
        bindings = site.values(name)
        if not any(hides_danger(binding, guard, site) for binding in bindings):
            continue
        definition = definition_of(name, bindings[0], site) if len(bindings) == 1 else None
        if definition is None:
            return Decline(f"`{name}` is computed before the test, and its gradient may be NaN where the test fails")
        inner = exposed(definition, guard, shared, site)
        if isinstance(inner, Decline):
            return inner
        replacements[name] = inner
    if not replacements:
        return value
    result = value.visit(Substitution(replacements))
    return result if isinstance(result, cst.BaseExpression) else value


def hides_danger(binding: Binding, guard: Guard, site: Site) -> bool:
    """Whether the value of a binding, or one it is computed from, may not be finite just where the tests fail.

    A root or logarithm is compared by its value, so everything behind the tests counts; a zero divisor makes
    infinity, which tests do not single out, so there only what the tests compare themselves counts.
    """
    waiting, done = [binding], set()
    while waiting:
        current = waiting.pop()
        if current.value is None or current.parameter or current.place in done:
            continue
        done.add(current.place)
        there = site.at(current.place)
        for danger in dangers(current.value, there):
            names = names_read(danger.argument) - site.meanings.keys()
            if names & (guard.decided if danger.division else guard.behind):
                return True
        waiting += [other for name in names_read(current.value) for other in there.values(name)]
    return False


def dangers(value: cst.BaseExpression, site: Site) -> Iterator[Danger]:
    """Every operand in ``value`` for which something may not be finite."""
    visitor = _Operations()
    value.visit(visitor)
    for node in visitor.found:
        danger = danger_in(node, site)
        if isinstance(danger, Decline):
            yield Danger(node, position=0)
        elif danger is not None and not is_harmless(danger, site):
            yield danger


class _Operations(cst.CSTVisitor):
    """Gathers calls and operators."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[cst.BaseExpression] = []

    def visit_Call(self, node: cst.Call) -> None:
        self.found.append(node)

    def visit_BinaryOperation(self, node: cst.BinaryOperation) -> None:
        self.found.append(node)


def definition_of(name: str, binding: Binding, site: Site) -> cst.BaseExpression | None:
    """What ``name`` stands for, if that can be written again at ``site`` and means the same there."""
    if binding.value is None or site.reaching(name) is None or side_effect(binding.value, site) is not None:
        return None
    calls = _Operations()
    binding.value.visit(calls)
    for node in calls.found:
        known = site.operation(node.func) if isinstance(node, cst.Call) else None
        # A call that is not TensorFlow's yet may be rewritten in this round; what it becomes is not known here.
        if isinstance(node, cst.Call) and (known is None or not known.makes_tensors):
            return None
    there = site.at(binding.place)
    for other in names_read(binding.value) - site.meanings.keys():
        if places(other, site) != places(other, there):
            return None
    return binding.value


def places(name: str, site: Site) -> list[cst.CSTNode]:
    """Where the values come from that a use of ``name`` sees."""
    return [binding.place for binding in site.values(name)]
