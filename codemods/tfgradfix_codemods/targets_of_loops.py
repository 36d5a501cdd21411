"""Brings the targets of a `for` loop out of it: they are computed in a list before, and the loop runs over the list.

for i in range(n):                              targets = [loss[i] * w[i] for i in range(n)]
a = loss[i]                       becomes   for target in targets:
g = tape.gradient(a * w[i], v)                  g = tape.gradient(target, v)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.blocks import nodes_in, path_to, replaced
from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.effects import roots
from tfgradfix_codemods.inlined_targets import assignment, comments_of, has_own_names, inlined
from tfgradfix_codemods.iterables import clause_over, list_over, source_of
from tfgradfix_codemods.lifting import Lifted
from tfgradfix_codemods.nodes import call, operand
from tfgradfix_codemods.reads_elsewhere import read_outside_loops, reads_of
from tfgradfix_codemods.surroundings import names_bound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix_codemods.lifting import Setting

#: Functions whose result is a list or tuple of tensors already.
LISTS: Final = frozenset({"tensorflow.unstack", "tensorflow.split", "builtins.list", "builtins.tuple"})


def out_of_loop(loop: cst.For, statement: cst.CSTNode, inner: Lifted, setting: Setting) -> Lifted | Decline:
    """Compute the targets of all turns of ``loop``, which ``statement`` of its block asks for, before it."""
    if loop.asynchronous is not None:
        return Decline("the loop waits for other work between its turns")
    body = loop.body.body
    position = next(number for number, line in enumerate(body) if line is statement)
    block = replaced(loop, loop.body, inner.node).body
    if has_own_names(inner.value) and not inner.levels:
        return Decline("the target has names of its own inside")
    chain = inlined(inner.value, block.body[:position], setting)
    if isinstance(chain, Decline):
        return chain
    gone = needless(loop, block, chain.used, inner.name, setting)
    comments = [comment for number in sorted(gone) for comment in comments_of(block.body[number])]
    lines = [line for number, line in enumerate(block.body) if number not in gone]
    if gone and any(any(reads_of(inner.name, line)) for line in lines[: position - len(gone)]):
        return Decline(f"{inner.name} is read before it is computed anew")
    target = Lifted(block.with_changes(body=lines), inner.name, chain.value, (*inner.comments, *comments), inner.levels)
    return over_list(loop, target, setting)


def needless(loop: cst.For, block: cst.BaseSuite, used: Sequence[int], target: str, setting: Setting) -> set[int]:
    """The statements among ``used`` that may go: a finding names them, and nothing reads what they bind any more."""
    gone: set[int] = set()
    for number in used:
        found = assignment(loop.body.body[number])
        if found is None or not is_named(loop.body.body[number], setting):
            continue
        others = [line for place, line in enumerate(block.body) if place not in gone | {number}]
        outside = count_reads(found[0], setting.scope) - count_reads(found[0], loop)
        if found[0] == target or not (outside or any(count_reads(found[0], line) for line in others)):
            gone.add(number)
    return gone


def is_named(line: cst.CSTNode, setting: Setting) -> bool:
    """Whether a finding names the statement on ``line``, or a loop that holds it."""
    small = line.body if isinstance(line, cst.SimpleStatementLine) else ()
    parts = (line, *small)
    return any(named is part or path_to(named, line) is not None for named in setting.named for part in parts)


def count_reads(name: str, node: cst.CSTNode) -> int:
    """How often ``name`` is read in ``node``."""
    return sum(1 for _ in reads_of(name, node))


def over_list(loop: cst.For, target: Lifted, setting: Setting) -> Lifted | Decline:
    """``loop`` over a list of its targets, with the names of the old loop that are still read."""
    own = names_bound(loop.target)
    iterable = unstacked(loop, target.value, setting) if any(loop is one for one in setting.iterated) else loop.iter
    clause = clause_over(cst.CompFor(loop.target, in_brackets(iterable)), setting)
    if isinstance(clause, Decline):
        return clause
    body = setting.effects(target.node)
    if setting.knowledge.owning(own).conflict(body, setting.effects((target.value, clause.iter))):
        return Decline("what else the loop does may change its targets")
    used = [name for name in own if name in roots(body.reads) or read_outside_loops(name, setting.scope)]
    if clause.iter is not iterable and any(has_attribute_read(name, target.node) for name in used):
        return Decline("the loop needs its counter as a tensor")
    value, targets, over, listed = list_over(clause, used, target, setting)
    node = loop.with_changes(target=targets, iter=over, body=target.node)
    return Lifted(node, listed, value, target.comments, target.levels + 1)


def has_attribute_read(name: str, node: cst.CSTNode) -> bool:
    """Whether an attribute or method of ``name`` is used in ``node``."""
    attributes = (inner.value for inner in nodes_in(node) if isinstance(inner, cst.Attribute))
    return any(isinstance(value, cst.Name) and value.value == name for value in attributes)


def in_brackets(iterable: cst.BaseExpression) -> cst.BaseExpression:
    """``iterable`` fit to stand in a comprehension."""
    loose = isinstance(iterable, (cst.Tuple, cst.IfExp, cst.Lambda)) and not iterable.lpar
    return operand(iterable) if loose else iterable


def unstacked(loop: cst.For, value: cst.BaseExpression, setting: Setting) -> cst.BaseExpression:
    """What ``loop`` runs over, with the one tensor in it that ``value`` has an element of taken apart."""
    part = iterated_part(loop, [value], setting)
    return loop.iter if part is None else replaced(loop.iter, part, as_list(part, setting))


def iterated_part(loop: cst.For, readers: Sequence[cst.CSTNode], setting: Setting) -> cst.BaseExpression | None:
    """The one part of what ``loop`` runs over whose elements ``readers`` read; None when there are more, or none."""
    surroundings = setting.knowledge.surroundings
    read = [name for name in names_bound(loop.target) if any(count_reads(name, reader) for reader in readers)]
    found = [source_of(name, loop.target, loop.iter, surroundings) for name in read]
    parts = [part for part in found if part is not None]
    return parts[0] if len(parts) == 1 else None


def as_list(tensor: cst.BaseExpression, setting: Setting) -> cst.BaseExpression:
    """``tensor`` as a list of tensors, also inside `tf.function`."""
    function = setting.knowledge.surroundings.full_name(tensor.func) if isinstance(tensor, cst.Call) else None
    return tensor if function in LISTS else call(setting.tensorflow("unstack"), tensor)
