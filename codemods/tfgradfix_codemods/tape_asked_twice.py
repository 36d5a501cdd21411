"""A tape is asked for more than one gradient, but it forgets all after the first.

What breaks:
    A `tf.GradientTape()` lets go of what it recorded as soon as one gradient was computed; the second question to it
    raises RuntimeError.

Repair:
    `persistent=True` on the tape.

Left alone:
    Tapes that are asked once, and tapes that are persistent already. Nothing else changes: `del tape` stays right.

Example:
    >>> with tf.GradientTape() as tape:
    <<< with tf.GradientTape(persistent=True) as tape:
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from tfgradfix_codemods.base import Decline, GradientCommand, Level, Rule
from tfgradfix_codemods.nodes import argument, keyword_argument, unpacks, with_argument

RULE: Final = Rule(code="TGF203", name="tape-asked-twice", level=Level.SAFE)


class TapeAskedTwiceCommand(GradientCommand):
    """Make a tape persistent when it is asked more than once."""

    DESCRIPTION = "a tape that is asked for several gradients becomes persistent"
    RULE = RULE

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.Call:
        """Write `persistent=True`."""
        finding = self.finding(original_node)
        if finding is None:
            return updated_node
        return self.settle(finding, updated_node, persistent(updated_node))


def persistent(tape: cst.Call) -> cst.Call | Decline:
    """The tape with `persistent=True`; another value of it is replaced where it stands."""
    if unpacks(tape.args):
        return Decline("its arguments are unpacked and may say persistent= already")
    given = argument(tape.args, 0, "persistent")
    if given is None:
        return with_argument(tape, keyword_argument("persistent", cst.Name("True")))
    if not (isinstance(given.value, cst.Name) and given.value.value == "False"):
        return Decline("persistent= is computed, so that its value is not known")
    return tape.with_deep_changes(given.value, value="True")
