"""Counts how often the weights of a program are changed."""

from __future__ import annotations

import functools
import importlib
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class Updates:
    """Wraps what changes weights: ``made`` is how often it was called."""

    def __init__(self, tensorflow: Any) -> None:
        self.tf = tensorflow
        self.made = 0
        self.wrapped: set[type] = set()

    def install(self) -> None:
        """Put the wrappers in place; Keras' optimizers follow once Keras is there."""
        variables = importlib.import_module("tensorflow.python.ops.resource_variable_ops")
        for variable in (variables.BaseResourceVariable, variables.ResourceVariable):
            for method in ("assign", "assign_add", "assign_sub"):
                if method in vars(variable):
                    original = getattr(variable, method)
                    setattr(variable, method, self.counting(original, lambda own: bool(own.trainable)))
        self.wrap_optimizer(self.tf.compat.v1.train.Optimizer)

    def wrap_optimizers(self) -> None:
        """Wrap Keras' optimizers once Keras is there; importing it here would cost programs without it."""
        for name in ("keras", "tf_keras"):
            optimizers = getattr(sys.modules.get(name), "optimizers", None)
            for holder in (optimizers, getattr(optimizers, "legacy", None)):
                optimizer = getattr(holder, "Optimizer", None)
                if isinstance(optimizer, type):
                    self.wrap_optimizer(optimizer)

    def wrap_optimizer(self, optimizer: type) -> None:
        """Count the updates that an optimizer class makes."""
        if optimizer not in self.wrapped:
            self.wrapped.add(optimizer)
            for method in ("apply", "apply_gradients"):
                if hasattr(optimizer, method):
                    setattr(optimizer, method, self.counting(getattr(optimizer, method), lambda _: True))

    def counting(self, original: Callable[..., Any], counts: Callable[[Any], bool]) -> Callable[..., Any]:
        """``original``, counted as a change of trained weights where ``counts`` says so of its object."""

        @functools.wraps(original)
        def changed(own: Any, *args: Any, **kwargs: Any) -> Any:
            if counts(own):
                self.made += 1
            return original(own, *args, **kwargs)

        changed.autograph_info__ = {}  # type: ignore[attr-defined]  # AutoGraph calls it as it is
        return changed
