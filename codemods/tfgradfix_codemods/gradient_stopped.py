"""The gradient is stopped on purpose, between a variable and the loss.

What breaks:
    `tf.stop_gradient(x)` and `with tape.stop_recording():` end the gradient where they stand. When every path to a
    source goes through one of them, its gradient is None.

Repair:
    None: whether the stop is meant is the author's to say. If it is not, take it off; if it is, take the source out
    of the list that the gradient is asked for.

Left alone:
    Always. Stops for target networks, baselines and straight-through estimators are right as they are.

Example:
    >>> loss = tf.reduce_mean(tf.stop_gradient(model(x)) - y)
    <<< # no automatic repair: every path from the model to the loss is stopped here
"""

from __future__ import annotations

from typing import Final

from tfgradfix_codemods.base import Level, Rule

RULE: Final = Rule(code="TGF402", name="gradient-stopped", level=Level.MANUAL)
