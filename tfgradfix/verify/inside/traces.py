"""Counts how often each tf.function of the user's is traced: once for each kind of argument, or far too often."""

from __future__ import annotations

import functools
import weakref
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .places import Places


class Traces:
    """Hears of each tf.function that is made."""

    def __init__(self, places: Places, tensorflow: Any) -> None:
        self.places = places
        self.kind: Any = type(tensorflow.function(lambda: None))
        self.made: Any = weakref.WeakSet()

    def install(self) -> None:
        """Put the wrapper in place."""
        original = self.kind.__init__

        @functools.wraps(original)
        def init(own: Any, *args: Any, **kwargs: Any) -> None:
            original(own, *args, **kwargs)
            self.made.add(own)

        self.kind.__init__ = init

    def told(self) -> list[list[Any]]:
        """File, function and number of traces of the user's functions."""
        counts: Counter[tuple[str, str]] = Counter()
        for function in list(self.made):
            code = getattr(function.python_function, "__code__", None)
            count = getattr(function, "experimental_get_tracing_count", None)
            if code is not None and count is not None and self.places.kind(code.co_filename) == "user":
                counts[self.places.name(code.co_filename), code.co_name] += count()
        return [[file, name, count] for (file, name), count in sorted(counts.items()) if count]
