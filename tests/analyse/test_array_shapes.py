"""Shapes of joined, reshaped and multiplied arrays, beside those that NumPy and TensorFlow give."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

from tfgradfix.analyse.interpret import Interpreter
from tfgradfix.analyse.modules import Program
from tfgradfix.analyse.values import Shape

SETUP = "a, b, v, s = np.zeros((3, 4)), np.zeros((3, 4)), np.zeros(4), np.zeros((4, 4))\nt = np.zeros((2, 3, 4))\n"

#: Expressions, and whether their rank has to be known; sizes that are known have to be right in any case.
NUMPY = (
    "np.concatenate([a, b])",
    "np.concatenate([a, b], axis=1)",
    "np.stack([a, b])",
    "np.stack([a, b], axis=-1)",
    "np.vstack([v, v])",
    "np.hstack([v, v])",
    "np.hstack([a, b])",
    "np.column_stack([v, v])",
    "np.dstack([a, b])",
    "np.tile(a, (2, 1, 1))",
    "np.tile(v, 3)",
    "np.reshape(a, (2, -1))",
    "a.reshape(2, 6)",
    "a.reshape(-1)",
    "np.transpose(a)",
    "np.transpose(t, (2, 0, 1))",
    "a.ravel()",
    "np.repeat(a, 2)",
    "np.repeat(a, 2, axis=0)",
    "np.expand_dims(a, -1)",
    "np.expand_dims(a, 1)",
    "np.squeeze(a[:, None], axis=1)",
    "np.eye(3)",
    "np.eye(3, 5)",
    "np.identity(4)",
    "np.diag(v)",
    "np.diag(s)",
    "np.linalg.inv(np.eye(4))",
    "np.linalg.cholesky(np.eye(4))",
    "np.linalg.det(s)",
    "np.linalg.eigvalsh(s)",
    "np.matmul(a, s)",
    "np.matmul(t, s)",
    "np.matmul(a, v)",
    "np.matmul(v, s)",
    "a @ s",
    "np.outer(v, v)",
    "np.kron(a, s)",
    "np.linalg.solve(np.eye(4), v)",
    "np.broadcast_to(v, (3, 4))",
    "np.einsum('ij,kj->ik', a, b)",
    "np.einsum('ij->', a)",
    "np.linalg.norm(a)",
)
TENSORFLOW = (
    "tf.concat([a, b], axis=0)",
    "tf.concat([a, b], -1)",
    "tf.stack([v, v], axis=1)",
    "tf.tile(a, [2, 1])",
    "tf.reshape(a, [-1, 2])",
    "tf.transpose(a)",
    "tf.transpose(t, perm=[0, 2, 1])",
    "tf.expand_dims(v, 0)",
    "tf.squeeze(tf.zeros([3, 1]), axis=1)",
    "tf.eye(3)",
    "tf.matmul(a, s)",
    "tf.linalg.matvec(a, v)",
    "tf.linalg.solve(tf.eye(4, dtype=tf.float64), s)",
    "tf.linalg.det(s)",
    "tf.linalg.diag_part(s)",
    "tf.broadcast_to(v, [3, 4])",
    "tf.gather(a, [0, 2])",
    "tf.one_hot([0, 1], 3)",
    "tf.einsum('ij,j->i', a, v)",
    "tf.norm(a)",
)


def shape_of(expression: str) -> Shape | None:
    """What the analysis takes the shape of an expression to be."""
    path = Path("main.py")
    head = "import numpy as np\nimport tensorflow as tf\n"
    # The gradient call lets the program matter.
    text = f"{head}{SETUP}x = {expression}\ntf.GradientTape().gradient(x, x)\n"
    interpreter = Interpreter(Program({path: text}))
    interpreter.run()
    (frame,) = interpreter.module_frames.values()
    return (frame.names or {})["x"].shape


def check(expression: str, names: dict[str, object]) -> None:
    exec(SETUP, names)
    true = np.shape(eval(compile(ast.parse(expression, mode="eval"), "shape", "eval"), names))
    found = shape_of(expression)
    assert found is not None
    assert len(found) == len(true)
    assert all(size in (None, known) for size, known in zip(found, true, strict=True))


@pytest.mark.parametrize("expression", NUMPY)
def test_as_numpy_gives(expression: str) -> None:
    check(expression, {"np": np})


@pytest.mark.slow
@pytest.mark.parametrize("expression", TENSORFLOW)
def test_as_tensorflow_gives(expression: str) -> None:
    tf = pytest.importorskip("tensorflow")
    check(expression, {"np": np, "tf": tf})
