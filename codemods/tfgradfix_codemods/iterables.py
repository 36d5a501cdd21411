"""What a `for` runs over: made fit for Python lists of targets, and written anew over such a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.decline import Decline
from tfgradfix_codemods.nodes import argument, call, keyword_of, unpacks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tfgradfix_codemods.lifting import Lifted, Setting
    from tfgradfix_codemods.surroundings import Surroundings

INTEGERS: Final = frozenset({"int32", "int64", "int16", "int8", "uint8", "uint16", "uint32", "uint64"})


def plain_iterable(iterable: cst.BaseExpression, setting: Setting) -> cst.BaseExpression | Decline:
    """``iterable`` with `range` in place of `tf.range`: a tensor cannot index a list inside `tf.function`."""
    surroundings = setting.knowledge.surroundings
    if not isinstance(iterable, cst.Call) or surroundings.full_name(iterable.func) != "tensorflow.range":
        return iterable
    if "range" not in surroundings.builtins:
        return Decline("range means something else in this module")
    bounds = bounds_of(iterable)
    if bounds is None:
        return Decline("the arguments of tf.range are not plain")
    if setting.bound is not None and len(bounds) == 1:
        bounds = (cst.parse_expression(setting.bound),)
    if any(computes_tensor(bound, surroundings) for bound in bounds):
        return Decline("the number of turns is a tensor")
    return iterable.with_changes(func=cst.Name("range"), args=call(cst.Name("range"), *bounds).args)


def bounds_of(node: cst.Call) -> tuple[cst.BaseExpression, ...] | None:
    """The arguments of a call of `tf.range` in the order of `range`, or None when `range` cannot take them."""
    keywords = {keyword_of(given) for given in node.args} - {None}
    if unpacks(node.args) or not keywords <= {"start", "limit", "delta", "dtype"}:
        return None
    dtype = argument(node.args, 3, "dtype")
    if dtype is not None and not is_integer_dtype(dtype.value):
        return None
    positional = [given.value for given in node.args if given.keyword is None][:3]
    if not keywords - {"dtype"}:
        return tuple(positional)
    found = [argument(node.args, place, name) for place, name in enumerate(("start", "limit", "delta"))]
    start, limit, delta = (None if one is None else one.value for one in found)
    if limit is None:
        return None
    return tuple(value for value in (start or cst.Integer("0"), limit, delta) if value is not None)


def is_integer_dtype(node: cst.BaseExpression) -> bool:
    """Whether ``node`` names an integer dtype: `tf.int32`, `"int64"`."""
    if isinstance(node, cst.SimpleString):
        return node.evaluated_value in INTEGERS
    return isinstance(node, cst.Attribute) and node.attr.value in INTEGERS


def computes_tensor(bound: cst.BaseExpression, surroundings: Surroundings) -> bool:
    """Whether ``bound`` is not a whole number of Python: it calls TensorFlow, or is written with a point."""
    if isinstance(bound, cst.Float):
        return True
    if isinstance(bound, cst.Call):
        return (surroundings.full_name(bound.func) or "").startswith("tensorflow.")
    return any(
        computes_tensor(child, surroundings) for child in bound.children if isinstance(child, cst.BaseExpression)
    )


def clause_over(clause: cst.CompFor, setting: Setting) -> cst.CompFor | Decline:
    """``clause`` and the clauses inside it over plain iterables."""
    iterable = plain_iterable(clause.iter, setting)
    inner = None if clause.inner_for_in is None else clause_over(clause.inner_for_in, setting)
    for result in (iterable, inner):
        if isinstance(result, Decline):
            return result
    if clause.asynchronous is not None:
        return Decline("the loop waits for other work between its turns")
    return clause.with_changes(iter=iterable, inner_for_in=inner)


def list_over(
    clause: cst.CompFor, used: Sequence[str], inner: Lifted, setting: Setting
) -> tuple[cst.ListComp, cst.BaseAssignTargetExpression, cst.BaseExpression, str]:
    """The list of all targets, and what a loop over it binds and runs over, when it needs the names ``used``."""
    listed = setting.names.name(inner.plural).value
    element = inner.value
    target: cst.BaseAssignTargetExpression = cst.Name(inner.name)
    iterable: cst.BaseExpression = cst.Name(listed)
    if used and counts(clause, setting.knowledge.surroundings):
        target = names_tuple([*used, inner.name])
        iterable = call(cst.Name("enumerate"), iterable)
    elif used:
        target = names_tuple([*used, inner.name])
        parts = [cst.Element(cst.Name(name)) for name in used]
        element = cst.Tuple([*parts, cst.Element(element)])
    return cst.ListComp(element, clause), target, iterable, listed


def names_tuple(names: Sequence[str]) -> cst.Tuple:
    """`a, b` as the target of a loop."""
    return cst.Tuple([cst.Element(cst.Name(name)) for name in names], lpar=(), rpar=())


def counts(clause: cst.CompFor, surroundings: Surroundings) -> bool:
    """Whether ``clause`` is `for i in range(n)`, so that `enumerate` over the list gives the same `i`."""
    count = clause.iter
    plain = not clause.ifs and clause.inner_for_in is None and isinstance(clause.target, cst.Name)
    is_range = isinstance(count, cst.Call) and surroundings.full_name(count.func) == "builtins.range"
    known = "enumerate" in surroundings.builtins
    return plain and known and is_range and len(cst.ensure_type(count, cst.Call).args) == 1


def source_of(
    name: str, target: cst.BaseExpression, iterable: cst.BaseExpression, surroundings: Surroundings
) -> cst.BaseExpression | None:
    """The part of ``iterable`` whose elements ``name`` stands for, seen through `enumerate` and `zip`."""
    if isinstance(target, cst.Name):
        return iterable if target.value == name else None
    if not isinstance(target, cst.Tuple) or not isinstance(iterable, cst.Call) or unpacks(iterable.args):
        return None
    function = surroundings.full_name(iterable.func)
    parts = [element.value for element in target.elements]
    given = [one.value for one in iterable.args]
    if function == "builtins.enumerate" and len(parts) == 2:
        return source_of(name, parts[1], given[0], surroundings)
    if function != "builtins.zip" or len(parts) != len(given):
        return None
    found = (source_of(name, part, one, surroundings) for part, one in zip(parts, given, strict=True))
    return next((part for part in found if part is not None), None)
