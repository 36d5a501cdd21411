"""Every code of finding: its name, its usual level, and the sentence that a person reads.

In a sentence ``{symbol}`` is what is called, ``{source}`` what loses its gradient.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tfgradfix.model import Level


@dataclass(frozen=True)
class Code:
    """One code: its name is the fault, readable after "ignore"."""

    name: str
    message: str
    level: Level = Level.SAFE


CODES: Final = {
    "TGF101": Code("numpy-call", "{symbol} leaves TensorFlow: the tape sees a constant, no gradient reaches {source}"),
    "TGF102": Code("ndarray-method", "{symbol} is NumPy's: no gradient passes through it to {source}"),
    "TGF103": Code("numpy-detach", "`.numpy()` takes the value out of TensorFlow: no gradient reaches {source}"),
    "TGF104": Code("python-conversion", "{symbol}() makes a plain Python number: no gradient reaches {source}"),
    "TGF105": Code(
        "python-builtin",
        "{symbol}() picks one of its arguments as it is: where a number wins, no gradient reaches {source}",
    ),
    "TGF106": Code("math-call", "{symbol} works on plain numbers: no gradient reaches {source}"),
    "TGF107": Code("array-of-tensors", "{symbol} copies tensors into an array: no gradient reaches {source}"),
    "TGF108": Code("array-fill", "a tensor is written into an array: no gradient reaches {source}"),
    "TGF109": Code("tensor-item-assignment", "a tensor does not support item assignment"),
    "TGF110": Code("numpy-function", "tf.numpy_function has no gradient: none reaches {source}"),
    "TGF111": Code("predict-in-tape", "{symbol}() gives an array: no gradient reaches {source}"),
    "TGF112": Code(
        "tensor-rewrapped", "{symbol} makes a new value of the tensor's numbers: no gradient reaches {source}"
    ),
    "TGF113": Code("array-index", "a tensor cannot be indexed by an array"),
    "TGF114": Code("dtype-meeting", "tensors of {symbol} meet here, and TensorFlow does not convert"),
    "TGF115": Code("shape-sum", "the shape of a tensor is added to a tuple as if it were one"),
    "TGF116": Code("numpy-function-value", "{symbol} is handed on as a function and called on what has a gradient"),
    "TGF120": Code("array-consumer", "what is a tensor now is used as an array here"),
    "TGF130": Code(
        "shared-helper", "{symbol} serves data as well as the gradient path: the path gets a copy of its own"
    ),
    "TGF201": Code(
        "target-outside-tape",
        "computed after the tape's block has ended: the tape does not know it, the gradient is None",
    ),
    "TGF202": Code(
        "forward-outside-tape", "computed before the tape's block begins: no gradient reaches {source}", Level.SAFE
    ),
    "TGF203": Code("tape-asked-twice", "the tape is asked for more than one gradient but is not persistent"),
    "TGF204": Code("variables-not-watched", "the tape does not watch variables and {source} is not watched by hand"),
    "TGF205": Code("source-not-watched", "{source} is a tensor that the tape does not watch: its gradient is None"),
    "TGF206": Code(
        "inner-gradient-outside", "the inner gradient is taken outside the outer tape: to that tape it is a constant"
    ),
    "TGF207": Code("source-not-float", "{source} is of an integer dtype: its gradient is always None"),
    "TGF208": Code(
        "variable-replaced", "a tensor takes the place of the variable: nobody watches it, its gradient is None"
    ),
    "TGF209": Code(
        "weights-before-build", "{source} was taken before the model had made its weights: the list lacks them for ever"
    ),
    "TGF210": Code(
        "two-forward-passes", "{source} comes from one forward pass and the target from another: nothing connects them"
    ),
    "TGF211": Code(
        "remembered-values", "what {source} gave is remembered as numbers: inside the tape nothing is computed from it"
    ),
    "TGF301": Code("tensor-condition", "a Python `if` on a tensor"),
    "TGF302": Code("tensor-range", "a loop over tf.range whose bound is static: its counter is a tensor"),
    "TGF303": Code("conditional-expression", "a conditional expression on a tensor"),
    "TGF304": Code("tensor-boolean", "Python's and, or, not or a chained comparison on tensors"),
    "TGF305": Code(
        "list-in-graph-loop", "a list grows in a loop of the graph: what is appended there cannot be used outside"
    ),
    "TGF401": Code(
        "no-gradient-operation", "{symbol} has no useful derivative: no gradient passes to {source}", Level.MANUAL
    ),
    "TGF402": Code("gradient-stopped", "tf.stop_gradient stands on the only path to {source}", Level.MANUAL),
    "TGF403": Code(
        "gradient-through-state",
        "{source} is written into a variable: what is read from it later has no history",
        Level.MANUAL,
    ),
}
