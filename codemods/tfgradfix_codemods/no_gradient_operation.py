"""An operation without a derivative stands between a variable and the loss.

What breaks:
    `tf.argmax`, `tf.round`, `tf.cast(x, tf.int32)`, comparisons, counts and sort orders are flat wherever they are
    smooth: their derivative is zero or does not exist. TensorFlow gives None for every gradient through them.

Repair:
    None that keeps the values: the loss itself has to be another one. Usual choices are a soft version (softmax for
    argmax, sigmoid for a comparison, a soft sort), a surrogate loss, a straight-through estimator
    (`x + tf.stop_gradient(tf.round(x) - x)`), or a score-function estimator for sampled decisions.

Left alone:
    Always. Masks and indices off the gradient path are not reported.

Example:
    >>> loss = tf.reduce_mean(tf.cast(tf.argmax(logits, axis=1) == labels, tf.float32))
    <<< # no automatic repair: accuracy has no gradient; minimise the cross-entropy of logits and labels
"""

from __future__ import annotations

from typing import Final

from tfgradfix_codemods.base import Level, Rule

RULE: Final = Rule(code="TGF401", name="no-gradient-operation", level=Level.MANUAL)
