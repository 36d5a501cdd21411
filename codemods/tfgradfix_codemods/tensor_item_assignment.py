"""An item of a tensor is assigned.

What breaks:
    `out[:, 0] = x` raises TypeError: a tensor cannot be changed. (Making an array or a variable of it lets the
    assignment run and cuts the gradient.)

Repair:
    A new tensor under the same name: `tf.concat` of the new part with what is before and behind it,
    `tf.tensor_scatter_nd_update` where single places are written, `tf.where` where a mask picks them.

Left alone:
    Tensors that have another name which is read later: an array would change under both names. Parameters that are not
    used after the assignment: the caller's tensor cannot be changed.

Example:
    >>> out[:, 0] = tf.sigmoid(raw[:, 0])
    <<< out = tf.concat([tf.sigmoid(raw[:, 0])[:, tf.newaxis], out[:, 1:]], axis=1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import libcst as cst

from tfgradfix_codemods.array_aliases import Timing
from tfgradfix_codemods.base import Level, Rule
from tfgradfix_codemods.item_commands import ItemCommand
from tfgradfix_codemods.reads_elsewhere import reads_of

if TYPE_CHECKING:
    from tfgradfix_codemods.filled_arrays import Filled

RULE: Final = Rule(
    code="TGF109",
    name="tensor-item-assignment",
    level=Level.SAFE,
    after=("array-fill",),
)


class TensorItemAssignmentCommand(ItemCommand):
    """Put a new tensor in the place of one whose items are assigned."""

    DESCRIPTION = "tensor[i] = value becomes tensor = tf.tensor_scatter_nd_update(tensor, [[i]], [value])"
    RULE = RULE

    def further_refusal(self, filled: Filled, function: cst.FunctionDef | cst.Module) -> str | None:
        """Why a tensor must not get a new value under its name: it is somebody else's too."""
        tree = self.places.tree
        bindings = tree.bindings(function, inside=True).get(filled.name, ())
        timing = Timing(tree, function)
        last = max(timing.moment(store.statement) for store in filled.stores)
        read_later = any(timing.moment(read) > last for read in reads_of(filled.name, function))
        if any(binding.parameter for binding in bindings) and not read_later:
            return "the caller's tensor cannot be changed"
        for binding in bindings:
            if isinstance(binding.value, cst.Name) and binding.value.value != filled.name:
                other = binding.value.value
                if any(timing.moment(read) > timing.moment(binding.place) for read in reads_of(other, function)):
                    return f"`{other}` is the same tensor and is used later"
        return None
