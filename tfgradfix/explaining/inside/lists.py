"""Lists of weights that were taken from a Keras layer before its weights were made, so that they stay empty."""

from __future__ import annotations

import functools
import sys
import weakref
from typing import TYPE_CHECKING, Any

from .tapes import identity

if TYPE_CHECKING:
    from .record import Line, Record, Tape

LISTS = ("trainable_variables", "trainable_weights", "variables", "weights")
#: Lists kept; a loop may take one at every step.
MOST = 1000


class Lists:
    """Hears of lists that are empty because the layer is not built."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.empty: list[tuple[Any, tuple[Line, ...]]] = []

    def install(self) -> None:
        """Wrap the properties of Keras layers, where there are any; a Keras that is imported later is not followed."""
        layer: Any = getattr(sys.modules.get("keras"), "layers", None)
        layer = getattr(layer, "Layer", None)
        for name in LISTS:
            asked = getattr(layer, name, None)
            if isinstance(asked, property) and asked.fget is not None:
                setattr(layer, name, property(self.taken(asked.fget), asked.fset, asked.fdel, asked.__doc__))

    def taken(self, original: Any) -> Any:
        """The getter of a list of weights."""

        @functools.wraps(original)
        def weights(layer: Any) -> Any:
            found = original(layer)
            by_user = self.record.places.kind(sys._getframe(1).f_code.co_filename) == "user"
            if by_user and not found and not getattr(layer, "built", True) and len(self.empty) < MOST:
                self.empty.append((weakref.ref(layer), self.record.lines()))
            return found

        return weights

    def lacking(self, tape: Tape, sources: list[Any]) -> list[tuple[str, tuple[Line, ...]]]:
        """The layers whose weights were used under the tape and lack among ``sources``, and where their list was taken.

        A layer is told once for each line.
        """
        given = {identity(each) for each in sources}
        opened, nodes = tape.opened or 0, list(self.record.nodes.values())
        used = {each for node in nodes if node.number > opened for each in node.inputs}
        found: dict[Any, tuple[str, tuple[Line, ...]]] = {}
        for reference, lines in self.empty:
            layer = reference()
            made = {identity(each) for each in layer.trainable_variables} if layer is not None else set()
            if made & used and not made & given:
                found.setdefault((layer.name, lines[:1]), (layer.name, lines))
        return list(found.values())
