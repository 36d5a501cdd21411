"""Compares programs before and after a repair by running them; stands alone, since it needs TensorFlow.

Reads a list of pairs of programs from standard input. The first of a pair computes the right loss, by arrays; the second
has to give the same loss, and a gradient that central differences of the first confirm. Writes a list of what differs.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import warnings
from typing import Any

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import numpy as np
import tensorflow as tf

warnings.simplefilter("ignore")


def load(text: str) -> dict[str, Any]:
    """What a program defines. AutoGraph reads the source of a function from its file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        names: dict[str, Any] = {"__name__": "__main__", "__file__": path}
        exec(compile(text, path, "exec"), names)
    return names


def slopes(names: dict[str, Any]) -> np.ndarray[Any, Any]:
    """The gradient of `f` at `w` by central differences."""
    variable, function = names["w"], names["f"]
    start = variable.numpy()
    step = 1e-2 if start.dtype == np.float32 else 1e-5
    found = []
    for place in range(start.size):
        sides = []
        for sign in (1, -1):
            moved = start.copy()
            moved[place] += sign * step
            variable.assign(moved)
            sides.append(np.float64(function(variable)))
        found.append((sides[0] - sides[1]) / (2 * step))
    variable.assign(start)
    return np.array(found)


def difference(before: str, after: str) -> str | None:
    """How the second program differs from what the first computes."""
    old, new = load(before), load(after)
    if not np.allclose(np.float64(old["loss"]), np.float64(new["loss"]), rtol=1e-5):
        return f"loss {old['loss']} became {new['loss']}"
    wanted, gradient = slopes(old), new["gradients"][0]
    tolerance = 2e-2 if old["w"].dtype == tf.float32 else 1e-4
    given = np.zeros(wanted.shape) if gradient is None else tf.convert_to_tensor(gradient).numpy()
    if not np.allclose(given, wanted, rtol=tolerance, atol=tolerance):
        return f"gradient {gradient}, by differences {wanted}"
    return None


def main() -> None:
    """Compare all pairs."""
    found = []
    for before, after in json.load(sys.stdin):
        try:
            told = difference(before, after)
        except Exception as error:  # noqa: BLE001 (whatever it is, the test has to show it)
            told = f"{type(error).__name__}: {str(error)[:300]}"
        if told is not None:
            found.append(f"{told}\n{after}")
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
