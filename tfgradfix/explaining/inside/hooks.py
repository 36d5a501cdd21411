"""The one adapter to TensorFlow's private parts: each is looked up here, and what is missing is named."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

#: The hook, the module that has it, the attributes that lead to it.
PLACES = {
    "op callbacks": ("tensorflow.python.framework.op_callbacks", "add_op_callback"),
    "fast path": ("tensorflow.python.pywrap_tfe", "TFE_Py_FastPathExecute"),
    "recorded operations": ("tensorflow.python.pywrap_tfe", "TFE_Py_TapeSetRecordOperation"),
    "stopped recording": ("tensorflow.python.pywrap_tfe", "TFE_Py_TapeSetIsStopped"),
    "function calls": ("tensorflow.python.eager.polymorphic_function.concrete_function", "ConcreteFunction"),
    "entries": ("tensorflow.python.framework.constant_op", "convert_to_eager_tensor"),
    "numpy functions": ("tensorflow.python.ops.script_ops", "py_func_common"),
    "tensors": ("tensorflow.python.framework.ops", "_EagerTensorBase"),
    "eager tensors": ("tensorflow.python.framework.ops", "EagerTensor"),
    "gradient registry": ("tensorflow.python.framework.ops", "gradient_registry"),
    "tapes": ("tensorflow.python.eager.backprop", "GradientTape"),
}
#: Where older versions have it.
OLDER = {
    "function calls": ("tensorflow.python.eager.function", "ConcreteFunction"),
}
#: Methods that a hook's class must have.
METHODS = {
    "function calls": ("_call_flat",),
    "tapes": ("_push_tape", "_pop_tape", "watch", "gradient", "jacobian", "batch_jacobian"),
}


class Hooks:
    """The private parts that were found, by name, and the names of those that were not."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {}
        self.missing: list[str] = []
        for name, (module, attribute) in PLACES.items():
            part = look_up(module, attribute)
            if part is None and name in OLDER:
                part = look_up(*OLDER[name])
            if part is None or not all(hasattr(part, method) for method in METHODS.get(name, ())):
                self.missing.append(name)
            else:
                self.found[name] = part

    def has(self, name: str) -> bool:
        """Whether a part was found."""
        return name in self.found

    def __getitem__(self, name: str) -> Any:
        return self.found[name]

    def replace_function(self, name: str, make: Callable[[Any], Any]) -> None:
        """Put ``make(original)`` where a function of a module is; without the function nothing happens."""
        if self.has(name):
            module, attribute = PLACES[name]
            place = importlib.import_module(module)
            setattr(place, attribute, make(self.found[name]))

    def stopped(self) -> bool:
        """Whether a ``stop_recording`` block is open."""
        return bool(self.has("stopped recording") and self["stopped recording"]())


def look_up(module: str, attribute: str) -> Any:
    """A part of a module, or None."""
    try:
        return getattr(importlib.import_module(module), attribute, None)
    except ImportError:
        return None
