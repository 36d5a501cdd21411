"""Stand-ins for Keras' data sets where they are neither at hand nor to be had: no network, or one that is cut off.

They have the shapes, dtypes and ranges of the real ones, and noise for content.
"""

from __future__ import annotations

import functools
import inspect
import socket
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

#: Seconds for each step of a download.
PATIENCE = 5.0
#: Training and test examples, shape of one, and classes.
IMAGES = {
    "mnist": (60_000, 10_000, (28, 28), 10),
    "fashion_mnist": (60_000, 10_000, (28, 28), 10),
    "cifar10": (50_000, 10_000, (32, 32, 3), 10),
    "cifar100": (50_000, 10_000, (32, 32, 3), 100),
}
#: Training and test examples, and classes, of the texts; what `num_words=None` stands for.
TEXTS = {"imdb": (25_000, 25_000, 2), "reuters": (8_982, 2_246, 46)}
WORDS = 20_000
LONGEST = 400
#: Training and test examples, and columns.
TABLES = {"boston_housing": (404, 102, 13)}


class Datasets:
    """Wraps ``load_data`` of the Keras that is loaded."""

    def __init__(self, tensorflow: Any, numpy: Any) -> None:
        self.tf, self.np = tensorflow, numpy
        self.used: set[str] = set()

    def install(self) -> None:
        """Put the wrappers in place, under every name that Keras gives its modules."""
        _ = self.tf.keras.datasets  # loaded when it is asked for
        for module in list(sys.modules.values()):
            _, _, name = str(getattr(module, "__name__", "")).rpartition(".datasets.")
            if name in (*IMAGES, *TEXTS, *TABLES) and "keras" in module.__name__ and hasattr(module, "load_data"):
                own: Any = module
                own.load_data = self.loading(own.load_data, name)

    def told(self) -> list[str]:
        """The names of the data sets that could not be had."""
        return sorted(self.used)

    def loading(self, original: Callable[..., Any], name: str) -> Callable[..., Any]:
        """``original``, or the stand-in where the file cannot be fetched."""

        @functools.wraps(original)
        def load_data(*args: Any, **kwargs: Any) -> Any:
            patience = socket.getdefaulttimeout()
            socket.setdefaulttimeout(PATIENCE)
            try:
                return original(*args, **kwargs)
            except Exception as error:  # Keras raises no narrower kind for a download that failed
                if type(error) is not Exception and not isinstance(error, OSError):
                    raise
                self.used.add(name)
                bound = inspect.signature(original).bind(*args, **kwargs)
                bound.apply_defaults()
                return self.stand_in(name, bound.arguments)
            finally:
                socket.setdefaulttimeout(patience)

        return load_data

    def stand_in(self, name: str, arguments: dict[str, Any]) -> Any:
        """Noise in the form of a data set: the same in every run, and no draw of the program's generators."""
        draw = self.np.random.RandomState(len(name))
        if name in TABLES:
            *sizes, columns = TABLES[name]
            return tuple((draw.uniform(0, 100, (size, columns)), draw.uniform(5, 50, size)) for size in sizes)
        if name in TEXTS:
            *sizes, classes = TEXTS[name]
            return tuple(
                (self.texts(draw, size, arguments), draw.randint(0, classes, size).astype("int64")) for size in sizes
            )
        training, test, shape, classes = IMAGES[name]
        if arguments.get("label_mode") == "coarse":
            classes = 20
        labels = ((), "uint8") if "mnist" in name else ((1,), "int64" if name == "cifar100" else "uint8")
        return tuple(
            (
                draw.randint(0, 256, (size, *shape), dtype="uint8"),
                draw.randint(0, classes, (size, *labels[0])).astype(labels[1]),
            )
            for size in (training, test)
        )

    def texts(self, draw: Any, size: int, arguments: dict[str, Any]) -> Any:
        """An array of lists of word numbers."""
        words, longest = arguments.get("num_words") or WORDS, arguments.get("maxlen") or LONGEST
        texts = self.np.empty(size, dtype=object)
        for place, length in enumerate(draw.randint(min(10, longest - 1), longest, size)):
            texts[place] = draw.randint(1, words, length).tolist()
        return texts
