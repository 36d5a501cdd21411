"""`check_gradient` passes right gradients of all kinds and refuses wrong ones. One process of its own: see conftest."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.runs_tensorflow]

TABLE = Path(__file__).with_name("functions.py")


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    """What the check says of each function of the table; TensorFlow is started once."""
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": f"{root}:{root / 'codemods'}", "CUDA_VISIBLE_DEVICES": "-1"}
    done = subprocess.run([sys.executable, TABLE], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr[-2000:]
    return dict(json.loads(done.stdout))


#: Names of right functions, and the largest error that is let pass.
RIGHT = {
    "linear": 1e-3,
    "exp, float64": 1e-8,
    "tanh network": 1e-3,
    "lstm": 1e-2,
    "dropout with a seed": 1e-3,
    "relu network": 5e-2,
    "convolution and pooling": 5e-2,
    "log-det and inverse": 1e-2,
    "log-det and inverse, float64": 1e-6,
    "tf.function": 1e-3,
    "nested arguments": 1e-3,
    "rows of a table": 1e-3,
}


@pytest.mark.parametrize("name", RIGHT)
def test_right(answers: dict[str, Any], name: str) -> None:
    kind, told = answers[name]
    assert kind == "Checked", told
    assert told["error"] <= RIGHT[name]
    assert told["directions"] >= 1


@pytest.mark.parametrize(
    ("name", "kind", "told"),
    [
        ("a tenth is stopped", "GradientError", "wrong gradient by argument 0"),
        ("half is stopped", "GradientError", "wrong gradient by argument 0"),
        ("turned round", "GradientError", "wrong gradient by argument 0"),
        ("a wrong custom gradient", "GradientError", "wrong gradient by argument 0"),
        ("one of two is wrong", "GradientError", "wrong gradient by argument 1"),
        ("through NumPy", "GradientError", "the gradient by argument 0 is None"),
        ("infinite", "GradientError", "is not finite"),
        ("a large constant", "GradientError", "lost in the round-off"),
        ("a jump", "GradientError", "not smooth there"),
        ("random", "ValueError", "seed what the function draws"),
        ("complex", "TypeError", "complex64"),
        ("integers", "TypeError", "only floats have gradients"),
        ("nothing", "TypeError", "nothing to differentiate by"),
        ("no such argument", "TypeError", "argument 3 of 1"),
    ],
)
def test_refused(answers: dict[str, Any], name: str, kind: str, told: str) -> None:
    assert answers[name][0] == kind
    assert told in answers[name][1]


def test_variables_are_as_they_were(answers: dict[str, Any]) -> None:
    assert answers["weights kept"] == ["Checked", True]


def test_the_package_is_light() -> None:
    code = "import sys, tfgradfix.testing; print('tensorflow' in sys.modules or 'numpy' in sys.modules)"
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    )
    assert done.stdout.strip() == "False"
