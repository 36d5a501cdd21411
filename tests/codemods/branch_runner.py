"""Runs a program before and after a rewrite and says where they differ; stands alone, since it needs TensorFlow.

Reads one job a line from standard input and answers each with a line: a list of differences. A job has the texts
``before`` and ``after``, each defining `f`, and ``inputs``: lists of arguments of `f`. Compared are the value, its dtype
and shape, and the gradient of the sum of all results, eagerly and inside `tf.function` without AutoGraph.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import numpy as np
import tensorflow as tf


def load(text: str) -> Any:
    """The function `f` of a program."""
    names: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, "program", "exec"), names)
    return names["f"]


def run(function: Any, arguments: list[Any]) -> tuple[list[Any], list[Any]]:
    """The results of ``function`` and the gradient of their sum for each argument."""
    with tf.GradientTape() as tape:
        for argument in arguments:
            tape.watch(argument)
        result = function(*arguments)
        results = list(result) if isinstance(result, (tuple, list)) else [result]
        floats = [value for value in results if not tf.is_tensor(value) or value.dtype.is_floating]
        total = tf.add_n([tf.cast(tf.reduce_sum(value), arguments[0].dtype) for value in floats])
    return results, tape.gradient(total, arguments)


def difference(what: str, before: Any, after: Any) -> str | None:
    """How two values differ; None and zero are the same gradient."""
    if what != "gradient" and tf.is_tensor(before):
        if before.dtype != after.dtype:
            return f"{what}: dtype {before.dtype.name} became {after.dtype.name}"
        if before.shape != after.shape:
            return f"{what}: shape {before.shape} became {after.shape}"
    old = np.zeros(()) if before is None else np.asarray(before, np.float64)
    new = np.zeros(()) if after is None else np.asarray(after, np.float64)
    if what == "gradient" and not np.all(np.isfinite(old)):
        return None
    if not np.allclose(old, new, rtol=1e-5, atol=1e-6, equal_nan=True):
        return f"{what}: {old} became {new}"
    return None


def differences(job: dict[str, Any]) -> list[str]:
    """Every difference between the two programs of a job."""
    before, after = load(job["before"]), load(job["after"])
    graph = tf.function(lambda *given: run(after, list(given)), autograph=False)
    found = []
    for values in job["inputs"]:
        arguments = [tf.constant(value, job["dtype"]) for value in values]
        old_results, old_gradients = run(before, arguments)
        for mode, (results, gradients) in (("eager", run(after, arguments)), ("graph", graph(*arguments))):
            pairs = [("value", *pair) for pair in zip(old_results, results, strict=True)]
            pairs += [("gradient", *pair) for pair in zip(old_gradients, gradients, strict=True)]
            if not all(np.all(np.isfinite(value)) for value in old_results):
                # Nothing can be said of its gradient, and in a graph TensorFlow itself turns `not x > 0` into `x <= 0`.
                continue
            told = (difference(what, old, new) for what, old, new in pairs)
            found += [f"{mode} {values}: {text}" for text in told if text is not None]
    return found


def answer(line: str) -> list[str]:
    """The differences of one job, or what stopped it."""
    try:
        return differences(json.loads(line))
    except Exception as error:  # noqa: BLE001 (whatever it is, the test has to show it)
        return [f"{type(error).__name__}: {str(error).splitlines()[0][:300]}"]


if __name__ == "__main__":
    for each in sys.stdin:
        sys.stdout.write(json.dumps(answer(each)) + "\n")
        sys.stdout.flush()
