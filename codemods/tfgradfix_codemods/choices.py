"""The choice between two values by a mask: `tf.where`, with Python numbers written so that the dtypes agree.

TensorFlow gives a Python number the dtype of the tensor before it, but not of one behind it: inside `tf.function`,
`tf.where(c, x, 0)` works for every `x` and `tf.where(c, 0, x)` for int32 only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.joined_kinds import NUMBERS
from tfgradfix_codemods.masks import negated
from tfgradfix_codemods.nodes import call
from tfgradfix_codemods.value_kinds import kind_of

if TYPE_CHECKING:
    from tfgradfix_codemods.sites import Site

#: The dtype of numbers that a program gives no dtype: that of TensorFlow's own variables.
USUAL: Final = "float32"


@dataclass(frozen=True)
class Chosen:
    """A value that is chosen, or to choose from.

    ``numbers`` says that it is made of Python numbers alone, ``made`` that it is a tensor that a choice has made.
    """

    value: cst.BaseExpression
    numbers: bool
    made: bool = False

    @property
    def is_weak(self) -> bool:
        """Whether this is a Python number, which takes the dtype of what it meets."""
        return self.numbers and not self.made


def candidate(value: cst.BaseExpression, site: Site) -> Chosen:
    """``value`` as something to choose from."""
    return Chosen(value.with_changes(lpar=[], rpar=[]), kind_of(value, site) in NUMBERS)


def choose(condition: cst.BaseExpression, first: Chosen, second: Chosen, site: Site) -> Chosen:
    """What is ``first`` where ``condition`` holds and ``second`` elsewhere."""
    if first.numbers and second.numbers:
        return Chosen(choose_number(condition, first, second, site), numbers=True, made=True)
    where = site.tensorflow("where")
    if first.is_weak and (site.dtype != USUAL or literal(first.value) is None):
        return Chosen(call(where, negated(condition, site), second.value, first.value), numbers=False, made=True)
    value = as_float(first.value) if first.is_weak else first.value
    return Chosen(call(where, condition, value, second.value), numbers=False, made=True)


def choose_number(condition: cst.BaseExpression, first: Chosen, second: Chosen, site: Site) -> cst.BaseExpression:
    """A choice between Python numbers: a mask, a mask as numbers, or `tf.where` of a dtype that is written out."""
    dtype = site.dtype or USUAL
    pair = literal(first.value), literal(second.value)
    if isinstance(first.value, cst.Name) and isinstance(second.value, cst.Name) and pair in ((1, 0), (0, 1)):
        return condition if pair == (1, 0) else negated(condition, site)
    if pair == (1, 0):
        return call(site.tensorflow("cast"), condition, site.tensorflow(dtype))
    if pair == (0, 1):
        return call(site.tensorflow("cast"), negated(condition, site), site.tensorflow(dtype))
    values = [as_float(side.value) if dtype.startswith("float") else side.value for side in (first, second)]
    if first.is_weak and pair[0] is None:
        values[0] = call(site.tensorflow("cast"), values[0], site.tensorflow(dtype))
    elif first.is_weak and dtype != USUAL:
        values[0] = call(site.tensorflow("constant"), values[0], site.tensorflow(dtype))
    return call(site.tensorflow("where"), condition, *values)


def literal(node: cst.BaseExpression) -> float | None:
    """The number that ``node`` writes out, True and False among them."""
    if isinstance(node, (cst.Integer, cst.Float)):
        return float(node.evaluated_value)
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        value = literal(node.expression)
        return None if value is None else -value
    return {"True": 1.0, "False": 0.0}.get(node.value) if isinstance(node, cst.Name) else None


def as_float(node: cst.BaseExpression) -> cst.BaseExpression:
    """A whole number with its decimal point; anything else as it is."""
    if isinstance(node, cst.Integer):
        return cst.Float(f"{node.evaluated_value}.0")
    if isinstance(node, cst.UnaryOperation) and isinstance(node.expression, cst.Integer):
        return node.with_changes(expression=as_float(node.expression))
    return node


#: What leaves a sum as it is; written as an integer it takes any dtype.
ZERO: Final = Chosen(cst.Integer("0"), numbers=True)
