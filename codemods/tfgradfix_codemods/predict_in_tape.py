"""A model's `predict` stands on the only gradient path.

What breaks:
    `predict`, `predict_on_batch` and `K.eval` give NumPy arrays: no gradient passes through them.

Repair:
    The model is called: `model(x)` gives the same values as a tensor. `K.eval(x)` becomes `x`.

Left alone:
    Calls beside a live path (a fixed target, an evaluation), which are meant to be constants; calls on data sets or
    generators; arguments that change what is computed (`steps`, `callbacks`).

Example:
    >>> loss = tf.reduce_mean(tf.square(y - model.predict(x, verbose=0)))
    <<< loss = tf.reduce_mean(tf.square(y - model(x)))
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from tfgradfix_codemods.base import Decline, GradientCommand, Level, Rule
from tfgradfix_codemods.nodes import argument, in_place_of, keyword_of, unpacks

RULE: Final = Rule(code="TGF111", name="predict-in-tape", level=Level.SAFE)

#: Arguments that say how to compute, not what.
IRRELEVANT: Final = frozenset({"x", "verbose", "batch_size", "workers", "use_multiprocessing", "max_queue_size"})


class PredictInTapeCommand(GradientCommand):
    """Call the model where predict was called on the gradient path."""

    DESCRIPTION = "model.predict(x) on the only gradient path becomes model(x)"
    RULE = RULE

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        """Call the model, or take the conversion off."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        write = called if finding.symbol.startswith("model.") else unwrapped
        return self.settle(finding, updated_node, write(updated_node))


def called(predict: cst.Call) -> cst.BaseExpression | Decline:
    """`model(x)` for `model.predict(x, ...)`."""
    if unpacks(predict.args):
        return Decline("its arguments are unpacked")
    given = argument(predict.args, 0, "x")
    if given is None or not isinstance(predict.func, cst.Attribute):
        return Decline("it is not called on one argument")
    for other in predict.args[1:]:
        if keyword_of(other) not in IRRELEVANT:
            return Decline("an argument changes what it computes")
    return predict.with_changes(func=predict.func.value, args=[cst.Arg(given.value)])


def unwrapped(conversion: cst.Call) -> cst.BaseExpression | Decline:
    """`x` for `K.eval(x)`."""
    if len(conversion.args) != 1 or unpacks(conversion.args):
        return Decline("it is not called on one argument")
    return in_place_of(conversion, conversion.args[0].value)
