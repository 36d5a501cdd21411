"""A NumPy function stands between a variable and the loss.

What breaks:
    `np.mean(x)` turns the tensor into an array and computes outside TensorFlow: the tape sees a constant, and every
    gradient through it is None. Inside `tf.function` it fails on the symbolic tensor.

Repair:
    The TensorFlow expression of the same meaning, value, dtype and shape, as the table of NumPy functions gives it;
    where TensorFlow would refuse operands of different dtypes, they are cast as NumPy promotes them.

Left alone:
    NumPy on data, for plots, for metrics: no gradient has to pass there. Arguments that TensorFlow has no counterpart
    for (`out=`, `where=`, unpacked arguments), and functions without a derivative.

Example:
    >>> loss = np.mean(np.square(errors), axis=0)
    <<< loss = tf.reduce_mean(tf.square(errors), axis=0)
"""

from __future__ import annotations

from typing import Final

from tfgradfix_codemods.base import Level, Rule
from tfgradfix_codemods.table_command import TableCommand

RULE: Final = Rule(code="TGF101", name="numpy-call", level=Level.SAFE)


class NumpyCallCommand(TableCommand):
    """Replace NumPy functions on a gradient path with TensorFlow's."""

    DESCRIPTION = "np.mean(x), np.dot(a, b) … on a gradient path become tf.*"
    RULE = RULE
