"""A function of `math` or SciPy stands between a variable and the loss.

What breaks:
    `math.exp(x)` and `scipy.special.gammaln(x)` take a number or array out of the tensor and compute outside
    TensorFlow: the tape sees a constant, and every gradient through it is None.

Repair:
    The TensorFlow function of the same meaning, as the table gives it.

Left alone:
    The same functions on Python numbers and data; functions that TensorFlow has no differentiable counterpart for.

Example:
    >>> weight = math.exp(-decay)
    <<< weight = tf.exp(-decay)
"""

from __future__ import annotations

from typing import Final

from tfgradfix_codemods.base import Level, Rule
from tfgradfix_codemods.table_command import TableCommand

RULE: Final = Rule(code="TGF106", name="math-call", level=Level.SAFE)


class MathCallCommand(TableCommand):
    """Replace functions of math and SciPy on a gradient path with TensorFlow's."""

    DESCRIPTION = "math.exp(x), scipy.special.gammaln(x) … on a gradient path become tf.*"
    RULE = RULE
