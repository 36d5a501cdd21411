"""How long the proof of programs of 1,000 epochs takes: `python -m benchmarks.early_stop`."""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from tfgradfix.verify import verify
from tfgradfix.verify.interpreter import find_python

BROKEN, MENDED = "tf.constant(np.mean(np.square(error)))", "tf.reduce_mean(tf.square(error))"
#: What a broken step computes inside a tf.function: a NumPy call would end the program there.
IN_GRAPH = "tf.numpy_function(lambda e: np.mean(np.square(e)), [error], tf.float32)"
OPENING = """import numpy as np
import keras
import tensorflow as tf
x = np.random.randn(3200, 4).astype("float32")
y = x.sum(1, keepdims=True)
"""
STEP = """w = tf.Variable([[0.1], [0.2], [0.3], [0.4]])
def step(x, y):
    with tf.GradientTape() as tape:
        error = tf.matmul(x, w) - y
        loss = LOSS
    gradient = tape.gradient(loss, w)
    if gradient is not None:
        w.assign_sub(0.001 * gradient)
    return loss
"""
EPOCHS = "for epoch in range(1000):\n"
NESTED = EPOCHS + "    for at in range(0, 3200, 32):\n        loss = step(x[at:at + 32], y[at:at + 32])\n"
FIT = """model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", loss=loss, run_eagerly=True)
model.fit(x, y, epochs=1000, verbose=0)
"""
CUSTOM = """class Model(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(1)
    def call(self, x):
        return self.dense(x)
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            error = self(x, training=True) - y
            loss = LOSS
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"mse": loss}
model = Model()
model.compile("sgd", run_eagerly=True)
model.fit(x, y, epochs=1000, verbose=0)
"""
LOSS_OF_FIT = "def loss(y, predicted):\n    error = predicted - y\n    return LOSS\n"
PROGRAMS = {
    "plain loop": (STEP + EPOCHS + "    loss = step(x, y)\n", BROKEN),
    "nested batches": (STEP + NESTED, BROKEN),
    "tf.function step": (STEP + "step = tf.function(step)\n" + NESTED, IN_GRAPH),
    "custom train_step": (CUSTOM, BROKEN),
    "Keras fit": (LOSS_OF_FIT + FIT, BROKEN),
}


def main() -> None:
    """Prove each program, and print a table of the seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", type=Path, default=None)
    python = find_python(Path.cwd(), parser.parse_args().python)
    print("| 1,000 epochs of | proof, s | verdict | after: gradient calls, training, s |\n| --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        paths = Path(folder) / "before.py", Path(folder) / "after.py"
        for name, (text, broken) in PROGRAMS.items():
            for path, loss in zip(paths, (broken, MENDED), strict=True):
                path.write_text(OPENING + text.replace("LOSS", loss))
            started = time.perf_counter()
            verdict = verify(*paths, python=python)
            seconds = time.perf_counter() - started
            after = verdict.after
            calls = f"{sum(after.totals.values())}, {after.seconds:.1f}"
            print(f"| {name} | {seconds:.1f} | {verdict.status.value} | {calls} |", *verdict.reasons, flush=True)


if __name__ == "__main__":
    main()
