"""The causes of None gradients in words: what each means, its rule, and what to do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tfgradfix.explaining.records import Cause, Reason

if TYPE_CHECKING:
    from collections.abc import Mapping

#: For each reason: its rule, where the static analysis has one; what happened, with {how}.
_TOLD: Final[Mapping[Reason, tuple[str | None, str]]] = {
    Reason.LEFT: ("TGF101", "the value left TensorFlow through {how}"),
    Reason.NUMPY_FUNCTION: ("TGF110", "tf.numpy_function has no gradient"),
    Reason.BEFORE: ("TGF202", "{how} was computed before the tape's block began"),
    Reason.AFTER: ("TGF201", "{how} was computed after the tape's block had ended"),
    Reason.OTHER_TAPE: (None, "{how} was recorded by another tape than the one that is asked"),
    Reason.OUTSIDE: (None, "{how} was computed while no tape recorded"),
    Reason.STOPPED: (None, "{how} was computed while the recording was stopped"),
    Reason.NOT_WATCHED: ("TGF205", "the tape that was opened here never watched this source"),
    Reason.WATCHED_LATE: ("TGF205", "the source was watched only after it had been used"),
    Reason.ASKED_TWICE: ("TGF203", "a tape that is not persistent was asked a second time"),
    Reason.NO_GRADIENT: ("TGF401", "{how} has no gradient"),
    Reason.INTEGER: ("TGF401", "{how} makes or takes whole numbers, which have no gradient"),
    Reason.INTEGER_SOURCE: ("TGF207", "the source holds whole numbers, which have no gradient"),
    Reason.STOP_GRADIENT: ("TGF402", "the gradient is stopped by tf.stop_gradient"),
    Reason.REPLACED: ("TGF208", "a tensor was put where the variable had been"),
    Reason.ASSIGN: ("TGF403", "the value went into a variable ({how}) and was read back"),
    Reason.NO_SOURCES: ("TGF209", "the list of sources is empty: the weights had not been made when it was taken"),
    Reason.EARLY_LIST: (
        "TGF209",
        "the weights of {how} were asked for before they had been made, so that this list lacks them for good",
    ),
    Reason.NO_TENSOR: ("TGF105", "the target is a plain number that comes from no tensor"),
    Reason.CONDITION: ("TGF301", "a condition in Python on a value of this source left the source out"),
    Reason.GRAPH_VALUE: ("TGF101", "a value is asked for that does not exist yet while the function is traced"),
    Reason.GRAPH_CONDITION: ("TGF301", "Python has to decide or loop on a tensor while the function is traced"),
    Reason.GRAPH_LIST: ("TGF305", "a tensor made inside a loop or branch of the graph is used outside of it"),
    Reason.ITEM_ASSIGNMENT: ("TGF109", "an element of a tensor is assigned to"),
    Reason.UNCONNECTED: (None, "the target was not computed from this source"),
    Reason.UNKNOWN: (None, "the cause is not known"),
}
#: Ways out that have rules of their own: a pattern of what was called, the rule.
_WAYS: Final = (
    (r"\.numpy\(\)", "TGF103"),
    (r"\.(predict|predict_on_batch)\(\)", "TGF111"),
    (r"(float|int|complex)\(\)|an index|pickle", "TGF104"),
    (r"math\..*", "TGF106"),
    (r"an element of an array", "TGF108"),
    (r"numpy\.(array|asarray|asanyarray|ascontiguousarray)", "TGF107"),
)


def code_of(cause: Cause) -> str | None:
    """The rule that a cause falls under, or None."""
    if cause.reason is Reason.LEFT:
        for pattern, code in _WAYS:
            if re.fullmatch(pattern, cause.how):
                return code
    return _TOLD[cause.reason][0]


def sentence(cause: Cause) -> str:
    """What happened, in one sentence without its place."""
    text = _TOLD[cause.reason][1].format(how=cause.how or "an operation")
    return f"presumably, {text}" if cause.presumed else text
