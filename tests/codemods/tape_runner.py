"""Runs pairs of programs and says where they differ; stands alone, since it needs TensorFlow.

Reads jobs as JSON from standard input: texts ``faulty``, ``mended`` and ``right``, each defining `step`, and ``graph``:
whether to run inside `tf.function` too. Writes, for each, the list of what is wrong.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import numpy as np
import tensorflow as tf


def load(text: str, graph: bool) -> Any:
    """The function `step` of a program. AutoGraph reads the source of a function from its file."""
    path = Path(tempfile.mkdtemp()) / "program.py"
    path.write_text(text, encoding="utf-8")
    names: dict[str, Any] = {"__name__": "program", "__file__": str(path)}
    exec(compile(text, str(path), "exec"), names)
    return tf.function(names["step"]) if graph else names["step"]


def is_cut(text: str) -> bool:
    """Whether the program as it was has a gradient that is missing, or dies of one."""
    try:
        _, grads = load(text, graph=False)()
    except (TypeError, ValueError, AttributeError):
        return True
    return any(one is None for one in grads)


def difference(mended: Any, right: Any) -> str | None:
    """How the results of two programs differ."""
    values, expected = [[loss, *grads] for loss, grads in (mended, right)]
    if len(values) != len(expected):
        return f"{len(values) - 1} gradients, not {len(expected) - 1}"
    for number, (value, other) in enumerate(zip(values, expected, strict=True)):
        if value is None or not np.allclose(value, other, rtol=1e-5, atol=1e-7):
            return f"{number}: {value} instead of {other}"
    return None


def wrong(job: dict[str, Any]) -> list[str]:
    """What is wrong with the mended program."""
    found = [] if is_cut(job["faulty"]) or job["partial"] else ["the program was right before"]
    right = load(job["right"], graph=False)()
    for graph in (False, True) if job["graph"] else (False,):
        told = difference(load(job["mended"], graph)(), right)
        found += [f"{'graph' if graph else 'eager'}: {told}"] if told else []
    return found


def answer(job: dict[str, Any]) -> list[str]:
    """What is wrong, or what stopped it."""
    try:
        return wrong(job)
    except Exception as error:  # noqa: BLE001 (whatever it is, the test has to show it)
        return [f"{type(error).__name__}: {str(error)[:300]}"]


if __name__ == "__main__":
    json.dump([answer(job) for job in json.load(sys.stdin)], sys.stdout)
