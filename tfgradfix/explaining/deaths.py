"""What an exception that ended a program says of its gradient path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tfgradfix.explaining.records import Cause, Reason

if TYPE_CHECKING:
    from tfgradfix.verify.records import Failure

#: A part of the message, and what it tells. The first that fits is taken.
_MESSAGES: Final = (
    ("symbolic tf.Tensor", Reason.GRAPH_VALUE),
    ("Cannot convert a symbolic", Reason.GRAPH_VALUE),
    ("symbolic tensor to a numpy", Reason.GRAPH_VALUE),
    ("KerasTensor cannot be used", Reason.GRAPH_VALUE),
    ("'SymbolicTensor' object has no attribute", Reason.GRAPH_VALUE),
    ("numpy() is only available when eager", Reason.GRAPH_VALUE),
    ("Iterating over a symbolic", Reason.GRAPH_CONDITION),
    ("as a Python `bool`", Reason.GRAPH_CONDITION),
    ("out of scope", Reason.GRAPH_LIST),
    ("does not support item assignment", Reason.ITEM_ASSIGNMENT),
)
_TYPES: Final = {
    "InaccessibleTensorError": Reason.GRAPH_LIST,
    "OperatorNotAllowedInGraphError": Reason.GRAPH_CONDITION,
}
_PASSED: Final = frozenset({Reason.GRAPH_VALUE, Reason.GRAPH_CONDITION, Reason.GRAPH_LIST, Reason.ITEM_ASSIGNMENT})


def of_failure(failure: Failure) -> Cause | None:
    """The cause that an exception names, or None when it says nothing of the gradient path."""
    reason = _TYPES.get(failure.type)
    for part, meant in _MESSAGES if reason is None else ():
        if part in failure.message:
            reason = meant
            break
    if reason is None or not failure.frames:
        return None
    return Cause(reason, chain=tuple(reversed(failure.frames)), how=failure.reason)


def can_be_passed(reason: Reason) -> bool:
    """Whether a run with functions eager, and lenient, comes past such a fault and sees what is behind it."""
    return reason in _PASSED
