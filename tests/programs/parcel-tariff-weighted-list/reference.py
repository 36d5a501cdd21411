"""Parcel service: delivery time, damage and cost from one trunk, task weights by uncertainty that is estimated from the log."""
import collections

import numpy as np
import tensorflow as tf
from tensorflow import keras

HEADS = ("hours", "damage", "cost")


def shipments(count, rng):
    distance = rng.gamma(2.0, 0.6, size=count)
    weight = rng.lognormal(-0.2, 0.5, size=count)
    fragile = rng.random(count) < 0.3
    peak = np.isin(rng.integers(1, 13, size=count), [11, 12])
    x = np.column_stack([distance, weight, fragile, peak]).astype(np.float32)
    hours = 5.0 * distance + 6.0 * peak + rng.normal(0, 1, count)
    odds = 0.05 + 0.2 * fragile * np.minimum(distance, 2.0)
    cost = 2.0 + 0.8 * weight * distance + rng.normal(0, 0.2, count)
    labels = {"hours": hours / 10.0, "damage": rng.random(count) < odds, "cost": cost / 5.0}
    return x, {name: np.asarray(value, dtype=np.float32)[:, None] for name, value in labels.items()}


class ParcelNet(keras.Model):
    def __init__(self):
        super().__init__()
        self.trunk = keras.layers.Dense(12, activation="relu")
        self.heads_ = {name: keras.layers.Dense(1, name=name) for name in HEADS}

    def call(self, x):
        shared = self.trunk(x)
        return {name: head(shared) for name, head in self.heads_.items()}


class TaskBook:
    """Remembers what each task has cost lately and turns that into weights."""

    def __init__(self, memory=8):
        self.past = {name: collections.deque(maxlen=memory) for name in HEADS}

    def note(self, losses):
        for name, loss in zip(HEADS, losses):
            self.past[name].append(loss.numpy())

    def weights(self):
        level = np.array([np.mean(p) if p else 1.0 for p in self.past.values()], dtype=np.float32)
        weights = 1.0 / np.maximum(level, 1e-2)
        return weights / weights.sum() * len(HEADS)


def task_losses(net, x, labels):
    out = net(x, training=True)
    hours = tf.reduce_mean(tf.abs(out["hours"] - labels["hours"]))
    damage = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels["damage"], out["damage"]))
    cost = tf.reduce_mean(tf.square(out["cost"] - labels["cost"]))
    return [hours, damage, cost]


def train(net, data, epochs):
    opt, book = keras.optimizers.Adam(0.01), TaskBook()
    for epoch in range(epochs):
        shown = []
        for x, labels in data:
            with tf.GradientTape() as tape:
                losses = task_losses(net, x, labels)
                book.note(losses)
                weighted = [w * loss for w, loss in zip(book.weights(), losses)]
            grads = tape.gradient(weighted, net.trainable_variables)
            opt.apply_gradients(zip(grads, net.trainable_variables))
            shown.append([float(v) for v in losses])
        print(f"epoch {epoch}", dict(zip(HEADS, np.mean(shown, axis=0).round(4).tolist())), "weights", book.weights().round(2))


def main():
    rng = np.random.default_rng(55)
    data = tf.data.Dataset.from_tensor_slices(shipments(60, rng)).batch(15)
    net = ParcelNet()
    net(tf.zeros([1, 4]))
    train(net, data, epochs=3)
    x, labels = shipments(20, rng)
    checks = task_losses(net, x, labels)
    print("held out", {n: round(float(v), 4) for n, v in zip(HEADS, checks)})


if __name__ == "__main__":
    main()
