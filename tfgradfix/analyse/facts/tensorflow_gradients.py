"""Which functions and operations of TensorFlow carry no gradient: found by ``scripts/tensorflow_gradients.py``.

Names are canonical and without the leading ``tensorflow.``; raw operations are ``raw_ops.Name``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

_TABLE: Final[dict[str, Any]] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))

#: The version of TensorFlow that the table comes from.
TENSORFLOW: Final[str] = _TABLE["tensorflow"]

#: Functions that gave a zero gradient when they were called, and are differentiable all the same.
DIFFERENTIABLE: Final[dict[str, str]] = {"math.angle": "it is for complex numbers, and has a gradient for these"}

#: Functions whose result has no useful derivative, with the dtype of what they give ("float": that of the input).
MEASURED: Final[dict[str, str]] = {
    name: dtype
    for outcome in ("none", "zero")
    for name, dtype in _TABLE["functions"][outcome].items()
    if name not in DIFFERENTIABLE
}

#: Operations that have no function in the gradient registry.
OPERATIONS: Final = frozenset(f"raw_ops.{name}" for name in _TABLE["operations_without_gradient"])

#: Functions that the script could not call with floats, each with the reason why it has no gradient all the same.
EXCEPTIONS: Final[dict[str, str]] = {
    "math.invert_permutation": "takes whole numbers only",
    "ones": "makes data of a shape",
    "random.Generator.from_seed": "makes a generator of a seed",
    "random.set_seed": "gives nothing",
    "zeros": "makes data of a shape",
}

#: Modules whose functions work on texts, bits, sets and files, which the script does not make.
MODULES: Final = ("strings.", "bitwise.", "sets.", "audio.", "io.")


def without_gradient(name: str) -> bool:
    """Whether no gradient passes through the function ``name``. A function that is not listed is differentiable."""
    return name in MEASURED or name in EXCEPTIONS or name in OPERATIONS or name.startswith(MODULES)
