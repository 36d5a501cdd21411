"""Rope-ladder safety model with everything Keras offers: custom layer, loss, metric, callback, train_step, all sound."""
import os

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import backend as K

RUNGS = 8


def loads(count, rng):
    """Load on every rung and whether the ladder held."""
    table = np.zeros((count, RUNGS), dtype=np.float32)
    for i in range(count):
        climbers = rng.integers(1, 4)
        for rung in rng.choice(RUNGS, size=climbers, replace=False):
            table[i, rung] += rng.normal(80.0, 12.0)
    worst = table.max(axis=1) + 0.3 * np.abs(np.diff(table, axis=1)).max(axis=1)
    return table / 100.0, (worst < np.median(worst)).astype("float32")[:, None]


class Neighbour(keras.layers.Layer):
    """Mixes each rung with its neighbours; the mixing matrix is NumPy and fixed."""

    def __init__(self, reach=1, learn=True, **kwargs):
        super().__init__(**kwargs)
        self.reach, self.learn = reach, learn
        distance = np.abs(np.subtract.outer(np.arange(RUNGS), np.arange(RUNGS)))
        self.mix = np.where(distance <= reach, np.exp(-distance), 0.0).astype("float32")

    def build(self, shape):
        self.gain = self.add_weight(shape=(int(np.prod(shape[1:])),), initializer="ones", trainable=self.learn, name="gain")
        super().build(shape)

    def call(self, load, training=None):
        if load.shape[-1] != RUNGS:
            raise ValueError(f"expected {RUNGS} rungs, got {load.shape}")
        mixed = tf.matmul(load, self.mix) * self.gain
        if training and self.reach > 0:
            mixed = mixed * (1.0 + 0.01 * tf.random.stateless_normal(tf.shape(mixed), seed=(1, self.reach)))
        return mixed if self.learn else K.stop_gradient(mixed)


class Margin(keras.losses.Loss):
    def __init__(self, power=2, floor=0.0, **kwargs):
        super().__init__(**kwargs)
        self.power, self.floor = max(int(power), 1), float(floor)

    def call(self, held, score):
        signed = tf.where(held > 0.5, score, -score)
        loss = tf.nn.relu(1.0 - signed) ** self.power
        return loss + self.floor if self.floor > 0 else loss


def sharpness(held, score):
    """Gini-like spread of the scores, by the real NumPy; a metric needs no gradient."""
    def gini(s):
        s = np.sort(np.abs(s), axis=None)
        n = s.size
        return np.float32((2 * np.arange(1, n + 1) - n - 1).dot(s) / (n * s.sum() + 1e-9))
    value = tf.numpy_function(gini, [score], tf.float32)
    value.set_shape(())
    return value


class Watcher(keras.callbacks.Callback):
    def __init__(self, x, held):
        super().__init__()
        self.x, self.held, self.best = x, held, np.inf

    def on_epoch_end(self, epoch, logs=None):
        score = self.model.predict(self.x, verbose=0)
        error = np.mean(np.sign(score) != np.where(self.held > 0.5, 1.0, -1.0))
        self.best = min(self.best, error)
        if np.isnan(logs["loss"]) or error == 0:
            self.model.stop_training = True


class Ladder(keras.Model):
    def __init__(self, margin):
        super().__init__()
        self.mix, self.hidden, self.out = Neighbour(), keras.layers.Dense(6, activation="relu"), keras.layers.Dense(1)
        self.margin = margin

    def call(self, load, training=None):
        return self.out(self.hidden(self.mix(load, training=training)))

    def train_step(self, data):
        load, held = data
        with tf.GradientTape() as tape:
            score = self(load, training=True)
            loss = self.margin(held, score) + (sum(self.losses) if self.losses else 0.0)
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        for metric in self.metrics:
            metric.update_state(loss) if metric.name == "loss" else metric.update_state(held, score)
        return {metric.name: metric.result() for metric in self.metrics}


def main():
    load, held = loads(60, np.random.default_rng(7))
    model = Ladder(Margin(power=os.environ.get("LADDER_POWER", 2)))
    watcher = Watcher(load, held)
    model.compile(optimizer=keras.optimizers.Adam(0.02), loss=Margin(), metrics=[sharpness])
    history = model.fit(load, held, batch_size=20, epochs=3, shuffle=False, verbose=0, callbacks=[watcher]).history
    print({name: np.asarray(values, dtype=float).round(4).tolist() for name, values in history.items()}, "best error", round(float(watcher.best), 3))


if __name__ == "__main__":
    main()
