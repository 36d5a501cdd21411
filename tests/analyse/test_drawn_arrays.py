"""Dtype and shape of what NumPy's generators draw, beside what NumPy itself draws."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

from tfgradfix.analyse.interpret import Interpreter
from tfgradfix.analyse.modules import Program

DRAWS = (
    "np.random.randn(3, 4)",
    "np.random.rand()",
    "np.random.normal(0.0, 1.0, (2, 3))",
    "np.random.normal()",
    "np.random.randint(0, 5, size=7)",
    "np.random.default_rng(0).normal(size=(2, 3))",
    "np.random.default_rng(0).uniform(0.0, 1.0, 5)",
    "np.random.default_rng(0).random((2, 2))",
    "np.random.default_rng(0).standard_normal(4)",
    "np.random.default_rng(0).integers(0, 3, size=(2,))",
    "np.random.default_rng(0).random(dtype=np.float32, size=3)",
    "np.random.RandomState(0).poisson(2.0, size=4)",
    "np.random.choice(5)",
    "np.random.multinomial(3, np.ones(3) / 3, size=4)",
    "np.random.default_rng(0).dirichlet([1.0, 2.0])",
    "np.random.multivariate_normal([0.0, 0.0], np.eye(2), size=5)",
    "np.random.choice(np.zeros(3, dtype=np.float32))",
    "np.random.default_rng(0).choice(4, size=3)",
)


@pytest.mark.parametrize("draw", DRAWS)
def test_as_numpy_draws(draw: str) -> None:
    path = Path("main.py")
    # The gradient call lets the program matter.
    text = f"import numpy as np\nimport tensorflow as tf\nx = {draw}\ntf.GradientTape().gradient(x, x)\n"
    interpreter = Interpreter(Program({path: text}))
    interpreter.run()
    (frame,) = interpreter.module_frames.values()
    value = (frame.names or {})["x"]
    drawn = np.asarray(eval(compile(ast.parse(draw, mode="eval"), "draw", "eval"), {"np": np}))
    assert value.dtype == drawn.dtype.name
    assert value.shape is not None
    assert len(value.shape) == drawn.ndim
    assert all(known in (None, size) for known, size in zip(value.shape, drawn.shape, strict=True))
