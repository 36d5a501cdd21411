"""Functions with right and with wrong gradients; run as a script it prints what `check_gradient` says of each."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import numpy as np
import tensorflow as tf

from tfgradfix.testing import check_gradient

KERAS = tf.keras
KERAS.utils.set_random_seed(3)
X = tf.random.stateless_uniform([3, 4], [1, 2], 0.2, 1.0)
X64 = tf.cast(X, tf.float64)
IMAGES = tf.random.stateless_uniform([2, 8, 8, 1], [3, 4])
SERIES = tf.random.stateless_uniform([2, 5, 3], [5, 6])


def built(*layers: Any, on: Any = X) -> Any:
    model = KERAS.Sequential(list(layers))
    model(on)
    return model


def log_det(x: Any) -> Any:
    square = tf.matmul(x, x, transpose_b=True) + tf.eye(3, dtype=x.dtype)
    return tf.linalg.logdet(square) + tf.reduce_sum(tf.linalg.inv(square))


@tf.custom_gradient  # type: ignore[untyped-decorator]
def cubed(x: Any) -> Any:
    return x**3, lambda upstream: 2.0 * upstream * x**2


def dense(*sizes: int, activation: str) -> list[Any]:
    return [KERAS.layers.Dense(size, activation=activation) for size in sizes]


TABLE_OF_ROWS = tf.Variable(X)
WEIGHT = tf.Variable([[1.5], [0.5], [1.0], [2.0]], name="weight")

#: By name: the function, its arguments, and what to differentiate by.
FUNCTIONS: dict[str, tuple[Any, Any, Any]] = {
    "linear": (lambda x: tf.matmul(x, WEIGHT), X, [0, WEIGHT]),
    "exp, float64": (tf.exp, X64, None),
    "tanh network": (built(*dense(5, 1, activation="tanh")), X, None),
    "lstm": (built(KERAS.layers.LSTM(4), on=SERIES), SERIES, None),
    "dropout with a seed": (lambda x: tf.square(tf.nn.experimental.stateless_dropout(x, 0.5, [1, 1])), X, None),
    "relu network": (built(*dense(6, activation="relu"), KERAS.layers.Dense(1)), X, None),
    "convolution and pooling": (
        built(KERAS.layers.Conv2D(2, 3), KERAS.layers.MaxPool2D(), KERAS.layers.Flatten(), on=IMAGES),
        IMAGES,
        None,
    ),
    "log-det and inverse": (log_det, X, None),
    "log-det and inverse, float64": (log_det, X64, None),
    "tf.function": (tf.function(lambda x: tf.reduce_sum(tf.sin(x))), X, None),
    "nested arguments": (lambda pair, z: (pair["a"] * z, pair["b"]), ({"a": X, "b": X * 2.0}, np.float32(X)), None),
    "rows of a table": (lambda: tf.square(tf.gather(TABLE_OF_ROWS, [1, 1, 2])), (), TABLE_OF_ROWS),
    "a tenth is stopped": (lambda x: 0.9 * tf.exp(x) + 0.1 * tf.stop_gradient(tf.exp(x)), X, None),
    "half is stopped": (lambda x: tf.exp(x / 2.0 + tf.stop_gradient(x / 2.0)), X, None),
    "turned round": (lambda x: tf.stop_gradient(2.0 * tf.exp(x)) - tf.exp(x), X, None),
    "a wrong custom gradient": (cubed, X, None),
    "one of two is wrong": (lambda x, y: tf.exp(x) + cubed(y), (X, X + 1.0), None),
    "through NumPy": (lambda x: np.exp(x), X, None),
    "infinite": (lambda x: tf.sqrt(x - x), X, None),
    "a large constant": (lambda x: tf.reduce_sum(1e-3 * x) + 1e6, X, None),
    "a jump": (lambda x: tf.reduce_sum(x + 100.0 * tf.cast(x[0] > X[0, 0], tf.float32)), X, None),
    "random": (lambda x: x * tf.random.normal([4]), X, None),
    "complex": (lambda x: tf.complex(x, x), X, None),
    "integers": (lambda x: tf.cast(x, tf.float32) ** 2, tf.constant([1, 2]), 0),
    "nothing": (lambda x: tf.cast(x, tf.float32) ** 2, tf.constant([1, 2]), None),
    "no such argument": (tf.exp, X, 3),
}


def answer(function: Any, args: Any, wrt: Any) -> tuple[str, Any]:
    try:
        return "Checked", dataclasses.asdict(check_gradient(function, args, wrt))
    except (AssertionError, TypeError, ValueError) as error:
        return type(error).__name__, str(error)


def main() -> None:
    answers: dict[str, tuple[str, Any]] = {name: answer(*each) for name, each in FUNCTIONS.items()}
    kept = np.array_equal(WEIGHT, [[1.5], [0.5], [1.0], [2.0]]) and np.array_equal(TABLE_OF_ROWS, X)
    print(json.dumps({**answers, "weights kept": ("Checked", kept)}))


if __name__ == "__main__":
    main()
