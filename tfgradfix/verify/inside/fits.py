"""Ends Keras' ``fit`` after a few epochs of a few batches each, as loops are ended (see ``caps``)."""

from __future__ import annotations

import functools
import inspect
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from .caps import Caps

#: Epochs of one ``fit``, and batches of each.
EPOCHS, BATCHES = 4, 12


class Fits:
    """Wraps ``fit`` of the Keras that is loaded."""

    def __init__(self, caps: Caps) -> None:
        self.caps = caps

    def install(self) -> None:
        """Put the wrappers in place."""
        for keras in filter(None, (self.caps.tf.keras, sys.modules.get("tf_keras"))):
            owner = next(each for each in keras.Model.__mro__ if "fit" in each.__dict__)
            if not hasattr(owner.fit, "_tfgradfix_capped"):  # both may be the same
                owner.fit = self.fitting(owner.fit, keras.callbacks)

    def fitting(self, original: Callable[..., Any], callbacks: Any) -> Callable[..., Any]:
        """``original``, the ``fit`` of one Keras, with callbacks that end it."""
        signature = inspect.signature(original)
        first, last = stoppers(callbacks.Callback)

        @functools.wraps(original)
        def fit(*args: Any, **kwargs: Any) -> Any:
            bound = signature.bind(*args, **kwargs)
            given = bound.arguments.get("callbacks")
            if isinstance(given, callbacks.CallbackList):  # made by the user, who calls it himself: left alone
                return original(*args, **kwargs)
            own = [] if given is None else list(given) if isinstance(given, (list, tuple)) else [given]
            state = State()
            bound.arguments["callbacks"] = [first(state), *own, last(state)]
            place = self.caps.places.caller()
            try:
                return original(*bound.args, **bound.kwargs)
            finally:
                if state.cut:
                    self.caps.ended[(str(place["file"]), place["line"])] = state.steps
                live = self.caps.live()
                if live:
                    live[-1].inner += state.steps

        fit._tfgradfix_capped = True  # type: ignore[attr-defined]
        return fit


class State:
    """How far one ``fit`` has come."""

    def __init__(self) -> None:
        self.steps = self.batches = self.epochs = 0
        self.stopping = self.cut = False


def stoppers(base: Any) -> tuple[Any, Any]:
    """A callback that goes before the user's and takes our stop of an epoch back, and one behind them that stops."""

    class First(base):  # type: ignore[misc]
        def __init__(self, state: State) -> None:
            super().__init__()
            self.state = state

        def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002  # Keras gives them
            self.state.batches = 0

        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002  # Keras gives them
            if self.state.stopping:  # that was for the rest of the epoch only; the user's callbacks may stop for good
                self.state.stopping = self.model.stop_training = False

    class Last(base):  # type: ignore[misc]
        def __init__(self, state: State) -> None:
            super().__init__()
            self.state = state

        def on_train_batch_end(self, batch: int, logs: Any = None) -> None:  # noqa: ARG002  # Keras gives them
            state = self.state
            state.steps, state.batches = state.steps + 1, state.batches + 1
            if state.batches >= BATCHES and not self.model.stop_training:
                steps = self.params.get("steps")
                if steps is None or batch + 1 < steps:
                    state.stopping = state.cut = self.model.stop_training = True

        def on_epoch_end(self, epoch: int, logs: Any = None) -> None:  # noqa: ARG002  # Keras gives them
            self.state.epochs += 1
            enough = self.state.epochs >= EPOCHS and self.state.steps >= EPOCHS * BATCHES
            if enough and epoch + 1 < self.params.get("epochs", 0) and not self.model.stop_training:
                self.state.cut = self.model.stop_training = True

    return First, Last
