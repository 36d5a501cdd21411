"""A gradient is asked for with respect to an integer.

What breaks:
    Gradients exist for float and complex tensors only. For `x = tf.constant(3)` or `tf.Variable([1, 2])`, whose dtype
    is int32, TensorFlow warns and gives None.

Repair:
    None that is sure: making the source a float (`tf.constant(3.0)`, `dtype=tf.float32`) also changes the dtype of
    all that is computed from it.

Left alone:
    Always.

Example:
    >>> x = tf.constant(3)
    <<< # no automatic repair: write tf.constant(3.0) if the dtype of what follows may change with it
"""

from __future__ import annotations

from typing import Final

from tfgradfix_codemods.base import Level, Rule

RULE: Final = Rule(code="TGF207", name="source-not-float", level=Level.MANUAL)
