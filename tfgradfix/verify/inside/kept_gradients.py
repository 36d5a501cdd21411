"""The gradients of a run, kept in a folder, or given to another run."""

from __future__ import annotations

import os
from typing import Any

#: Bytes of gradients that are kept of one run.
ROOM = 256_000_000


class Gradients:
    """The gradients of every call of a run, kept in a folder, or given to a run that lacks them.

    A program that lacks gradients does not train, and nothing after its first update can be compared. Given the
    gradients of the repaired one it goes the same way, and all that it computes has to be the same.
    """

    def __init__(self, tensorflow: Any, numpy: Any, folder: str, give: bool) -> None:
        self.tf, self.np, self.folder, self.give = tensorflow, numpy, folder, give
        self.room = ROOM

    def path(self, order: int) -> str:
        """Where those of one call are."""
        return os.path.join(self.folder, f"{order}.npz")

    def keep(self, order: int, result: Any) -> None:
        """Keep those of one call, as long as there is room."""
        arrays = {}
        for number, gradient in enumerate(self.tf.nest.flatten(result)):
            if gradient is not None:
                arrays[str(number)] = self.np.asarray(self.tf.convert_to_tensor(gradient))
        self.room -= sum(array.nbytes for array in arrays.values())
        if self.room > 0:
            self.np.savez(self.path(order), **arrays)

    def given(self, order: int, sources: Any) -> Any:
        """Those of one call in the structure of its sources; None where there are none for each of them."""
        flat = self.tf.nest.flatten(sources)
        if not os.path.exists(self.path(order)):
            return None
        with self.np.load(self.path(order)) as kept:
            arrays = [kept.get(str(number)) for number in range(len(flat))]
        if any(array is None for array in arrays):
            return None
        return self.tf.nest.pack_sequence_as(sources, [self.tf.constant(array) for array in arrays])
