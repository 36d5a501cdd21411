"""Gives a tensor another value in place, which TensorFlow has no way for: two tensors exchange their handles.

An eager tensor is a C structure in which the handle of its value stands just before its number (``_id``). The tape
knows a tensor by the number, so that what is computed from it afterwards is computed from the other value and recorded
all the same. Where the structure is another one, nothing is
exchanged.
"""

from __future__ import annotations

import ctypes
from typing import Any

WORD = ctypes.sizeof(ctypes.c_void_p)


class Handles:
    """Exchanges the values of eager tensors; ``place`` is where the handle stands, None where that is not known."""

    def __init__(self, tensorflow: Any) -> None:
        self.place = self._found(tensorflow)

    def _found(self, tensorflow: Any) -> int | None:
        """The place before that of the number, at which an exchange works."""
        one, other = tensorflow.constant([1.25, 2.5]), tensorflow.constant([3.5])
        for place in range(2 * WORD, type(one).__basicsize__ - WORD, WORD):
            if all(self._word(each, place + WORD) == each._id for each in (one, other)):
                self._swap(one, other, place)
                works = one.numpy().tolist() == [3.5] and other.numpy().tolist() == [1.25, 2.5]
                self._swap(one, other, place)
                if works:
                    return place
        return None

    @staticmethod
    def _word(tensor: Any, place: int) -> int:
        return ctypes.c_int64.from_address(id(tensor) + place).value

    @staticmethod
    def _swap(one: Any, other: Any, place: int) -> None:
        mine, its = (ctypes.c_void_p.from_address(id(each) + place) for each in (one, other))
        mine.value, its.value = its.value, mine.value

    def give(self, tensor: Any, value: Any) -> bool:
        """Give ``tensor`` the value of another tensor of its dtype and shape, which gets its own; whether it could."""
        if self.place is None or tensor.dtype != value.dtype or tensor.shape != value.shape:
            return False
        self._swap(tensor, value, self.place)
        return True
