"""Write which operations and functions of TensorFlow carry no gradient, as the installed TensorFlow says.

    python -m scripts.tensorflow_gradients tfgradfix/analyse/facts/tensorflow_gradients.json

The operations are those without an entry in the gradient registry, or entered as not differentiable. The public
functions are called under a tape, each in a process of its own. The file says which TensorFlow it comes from.
"""

from __future__ import annotations

import argparse
import inspect
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf
from tensorflow.core.framework.op_def_pb2 import OpList
from tensorflow.python.client import pywrap_tf_session
from tensorflow.python.framework import ops

from scripts.gradient_trials import Outcome, Trial, examine

if TYPE_CHECKING:
    from collections.abc import Callable

#: Modules of TensorFlow whose functions a program computes a loss with; "" is the top.
MODULES: Final = (
    "",
    "audio",
    "bitwise",
    "debugging",
    "dtypes",
    "image",
    "io",
    "linalg",
    "math",
    "nn",
    "quantization",
    "ragged",
    "random",
    "sets",
    "signal",
    "sparse",
    "strings",
)
#: They would change this process for good, or write files.
NOT_CALLED: Final = frozenset(
    """
    debugging.enable_check_numerics debugging.experimental.enable_dump_debug_info io.write_file io.write_graph
    """.split()
)


def operations_without_gradient() -> list[str]:
    """Names of the operations that the gradient registry has no function for."""
    content = pywrap_tf_session.TF_GetBuffer(pywrap_tf_session.TF_GetAllOpList())
    every = OpList.FromString(bytes(content)).op
    differentiable = {name for name in ops.gradient_registry.list() if ops.gradient_registry.lookup(name) is not None}
    return sorted({each.name for each in every} - differentiable)


def public_functions() -> dict[str, Callable[..., Any]]:
    """The public functions of `MODULES` by their names without the leading ``tf.``."""
    found = {}
    for module in MODULES:
        holder = getattr(tf, module) if module else tf
        for name in dir(holder):
            value, full = getattr(holder, name), f"{module}.{name}" if module else name
            if not name.startswith("_") and callable(value) and not inspect.isclass(value) and full not in NOT_CALLED:
                found[full] = value
    return found


def outcomes(functions: dict[str, Callable[..., Any]]) -> dict[str, Trial]:
    """What each function does to a gradient; the names of one function are tried once."""
    tried = dict[int, Trial]()
    for name, function in functions.items():
        if id(function) not in tried:
            tried[id(function)] = examine(function)
            print(f"{name}: {tried[id(function)].outcome.value}", file=sys.stderr, flush=True)
    return {name: tried[id(function)] for name, function in functions.items()}


def table(found: dict[str, Trial]) -> dict[str, object]:
    """The content of the file: what has no gradient gives its dtype, the other functions are lists of names."""
    lists = {
        outcome.value.replace(" ", "_"): sorted(name for name, trial in found.items() if trial.outcome is outcome)
        for outcome in (Outcome.GRADIENT, Outcome.NO_TENSOR, Outcome.UNTRIED, Outcome.CRASHED)
    }
    without = {
        outcome.value: {name: trial.gives for name, trial in sorted(found.items()) if trial.outcome is outcome}
        for outcome in (Outcome.NONE, Outcome.ZERO)
    }
    return {
        "tensorflow": tf.__version__,
        "made_by": "python -m scripts.tensorflow_gradients",
        "functions": {**without, **lists},
        "operations_without_gradient": operations_without_gradient(),
    }


def main() -> None:
    """Write the file that is named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=Path)
    output: Path = parser.parse_args().output
    content = table(outcomes(public_functions()))
    output.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
