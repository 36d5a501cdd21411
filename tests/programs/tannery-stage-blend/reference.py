"""Leather quality from process data: three objectives blended differently in every stage of a curriculum."""
import math
from dataclasses import dataclass, field

import numpy as np
import tensorflow as tf
from tensorflow import keras


@dataclass
class Stage:
    name: str
    steps: int
    weights: dict
    rate: float = 0.02


@dataclass
class Journal:
    rows: list = field(default_factory=list)

    def add(self, stage, values):
        self.rows.append((stage, {k: float(v) for k, v in values.items()}))

    def mean(self, stage):
        picked = [values for name, values in self.rows if name == stage]
        return {k: round(float(np.mean([v[k] for v in picked])), 4) for k in picked[0]}


STAGES = [
    Stage("grain", 4, {"grain": 1.0}),
    Stage("both", 4, {"grain": 0.5, "tear": 0.5}),
    Stage("fine", 4, {"grain": 0.3, "tear": 0.5, "even": 0.2}, rate=0.01),
]


def hides(count, rng):
    ph = rng.normal(3.8, 0.3, count)
    chrome = rng.gamma(6.0, 0.3, count)
    hours = rng.uniform(4, 12, count)
    grain = np.tanh(chrome - 1.5) - 0.4 * np.abs(ph - 3.8)
    tear = 0.5 * np.log(hours) - 0.2 * chrome + rng.normal(0, 0.05, count)
    x = np.column_stack([(ph - 3.8) / 0.3, chrome - 1.8, (hours - 8) / 4])
    return x.astype("float32"), np.column_stack([grain, tear]).astype("float32")


def blend(parts, weights):
    """Weighted sum of the named parts; what is not named does not count."""
    return tf.add_n([w * parts[name] for name, w in weights.items()]) / math.fsum(weights.values())


def build():
    x = keras.Input((3,))
    h = keras.layers.Dense(10, activation="tanh")(x)
    return keras.Model(x, keras.layers.Dense(2)(h))


def measure(net, x, y):
    out = net(x)
    return {
        "grain": tf.reduce_mean(tf.square(out[:, 0] - y[:, 0])),
        "tear": tf.reduce_mean(tf.abs(out[:, 1] - y[:, 1])),
        "even": tf.math.reduce_std(out[:, 0]),
    }


def run_stage(net, stage, batches, journal):
    optimizer = keras.optimizers.Adam(stage.rate)
    for step in range(stage.steps):
        x, y = batches[step % len(batches)]
        with tf.GradientTape() as tape:
            parts = measure(net, x, y)
            loss = blend(parts, stage.weights)
        grads = tape.gradient(loss, net.trainable_variables)
        optimizer.apply_gradients(zip(grads, net.trainable_variables))
        journal.add(stage.name, {**parts, "blend": blend(parts, stage.weights)})


def main():
    rng = np.random.default_rng(23)
    x, y = hides(48, rng)
    batches = [(tf.constant(x[rows]), tf.constant(y[rows])) for rows in np.array_split(rng.permutation(len(x)), 4)]
    net, journal = build(), Journal()
    for stage in STAGES:
        run_stage(net, stage, batches, journal)
        print(stage.name, journal.mean(stage.name))
    final = measure(net, tf.constant(x), tf.constant(y))
    print("all hides", {k: round(v.numpy().item(), 4) for k, v in final.items()},
          "score", round(float(blend(final, STAGES[-1].weights)), 4))


if __name__ == "__main__":
    main()
