"""A Python builtin picks or computes a plain number where a tensor is needed.

What breaks:
    `max(0.0, margin - gap)` gives the Python number `0.0` when it wins: no tensor, so no gradient, and the tape may
    be asked for the gradient of a float. In `tf.function` the comparison inside `max` and `min` fails.

Repair:
    The TensorFlow function of the same meaning: `tf.maximum`, `tf.minimum`, and the others of the table.

Left alone:
    The same builtins on Python numbers, sizes and lists of data; `abs(tensor)` and `sum([tensors])`, which carry the
    gradient as they are.

Example:
    >>> loss = max(0.0, margin - gap)
    <<< loss = tf.maximum(0.0, margin - gap)
"""

from __future__ import annotations

from typing import Final

from tfgradfix_codemods.base import Level, Rule
from tfgradfix_codemods.table_command import TableCommand

RULE: Final = Rule(code="TGF105", name="python-builtin", level=Level.SAFE)


class PythonBuiltinCommand(TableCommand):
    """Replace Python builtins on a gradient path with TensorFlow functions."""

    DESCRIPTION = "max(a, b), min(a, b) … on a gradient path become tf.*"
    RULE = RULE
