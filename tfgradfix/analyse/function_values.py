"""Drafts for library functions that are called under another name: the place that names the function is rewritten."""

from __future__ import annotations

from typing import Final

from tfgradfix.analyse.drafts import Draft
from tfgradfix.analyse.facts import rows
from tfgradfix.analyse.graph import Node
from tfgradfix.analyse.interpret import Interpreter
from tfgradfix.analyse.values import TENSORS, Value
from tfgradfix.model import Level

#: TensorFlow's functions for what is written out in another way where it is called: operators and compositions.
NAMED: Final = {
    "numpy.add": "add",
    "numpy.divide": "divide",
    "numpy.multiply": "multiply",
    "numpy.negative": "negative",
    "numpy.power": "pow",
    "numpy.subtract": "subtract",
    "numpy.true_divide": "divide",
    **{
        f"numpy.{name}": f"experimental.numpy.{name}"
        for name in ("cbrt", "exp2", "hypot", "log10", "log2", "logaddexp", "logaddexp2", "deg2rad", "rad2deg", "sinc")
    },
}
_LIBRARIES: Final = ("numpy.", "math.", "scipy.", "builtins.")


def is_called_by_another_name(interpreter: Interpreter, node: Node) -> bool:
    """Whether a call's text does not name the library function that is called."""
    if not node.symbol.startswith(_LIBRARIES) or rows.row(node.symbol) is None:
        return False
    return not interpreter.functions.is_direct(node.symbol, node.syntax)


def draft_function_value(interpreter: Interpreter, draft: Draft, after: set[int]) -> list[Draft]:
    """The drafts that stand for ``draft``, one for each place that names the function; itself where there is none."""
    row = rows.row(draft.symbol)
    places = interpreter.functions.values(draft.symbol)
    function = row.function or NAMED.get(draft.symbol) if row is not None else None
    reason = ""
    if function is None:
        reason = "it is called under another name, and TensorFlow has no function with the same arguments"
    elif not places:
        reason = "it is called under another name"
    elif not all(_takes_tensor(arguments, after) for arguments in interpreter.functions.given(draft.symbol)):
        reason = "the same function is given data elsewhere"
    if reason:
        draft.level, draft.reason = Level.MANUAL, reason
        return [draft]
    return [
        Draft(
            "TGF116",
            syntax,
            module,
            draft.symbol,
            draft.source,
            draft.level,
            draft.extent,
            draft.reason,
            set(draft.nodes),
            (),
            draft.path,
            {"function": function or ""},
        )
        for syntax, module in places
    ]


def _takes_tensor(arguments: tuple[Value, ...], after: set[int]) -> bool:
    """Whether one of the arguments is a tensor, as it stands or after the repair."""
    return any(value.is_only(TENSORS) or (bool(value.nodes) and value.nodes <= after) for value in arguments)
