"""Salmon counts at a fish ladder from water temperature and flow, with a frozen feature net and a new head."""
import math

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models, optimizers


def ladder_log(days, rng):
    day = np.arange(days)
    temperature = 9.0 + 4.0 * np.sin(2 * np.pi * day / 90.0) + rng.normal(0, 0.5, days)
    flow = rng.gamma(4.0, 0.5, days)
    rate = np.exp(0.5 + 0.25 * (temperature - 9.0) - 0.2 * (flow - 2.0) ** 2)
    counts = rng.poisson(rate)
    x = np.column_stack([(temperature - 9.0) / 4.0, flow - 2.0, np.sin(2 * np.pi * day / 7), np.cos(2 * np.pi * day / 7)])
    return x.astype("float32"), counts.astype("float32")[:, None]


def feature_net():
    net = models.Sequential([layers.Input((4,)), layers.Dense(10, activation="tanh"), layers.Dense(8, activation="tanh")])
    net.trainable = False
    return net


class CountHead(models.Model):
    """Log rate of the count; the hidden width follows the number of features."""

    def __init__(self, spread=0.5):
        super().__init__()
        self.spread = spread
        self.out = layers.Dense(1, kernel_initializer="zeros")

    def build(self, shape):
        width = max(2, int(math.sqrt(shape[-1])))
        self.hidden = layers.Dense(width, activation="elu")
        self.hidden.build(shape)
        self.out.build((shape[0], width))
        super().build(shape)

    def call(self, features):
        return self.out(self.hidden(features))


def poisson_loss(log_rate, counts):
    return tf.reduce_mean(tf.exp(log_rate) - counts * log_rate)


def fit(features, head, data, epochs, rate=0.02):
    opt = optimizers.RMSprop(rate)
    curve = []
    for epoch in range(epochs):
        for x, counts in data:
            with tf.GradientTape() as tape:
                log_rate = head(features(x, training=False))
                loss = poisson_loss(log_rate, counts)
            trained = head.trainable_weights
            grads = tape.gradient(loss, trained)
            grads = [tf.clip_by_norm(g, 1.0) for g in grads]
            opt.apply_gradients(zip(grads, trained))
            curve.append(float(loss))
        print(f"epoch {epoch}: loss {np.mean(curve[-4:]):.4f}")
    return curve


def deviance(counts, rate):
    ratio = np.where(counts > 0, counts / rate, 1.0)
    return 2.0 * np.mean(counts * np.log(ratio) - (counts - rate))


if __name__ == "__main__":
    rng = np.random.default_rng(3)
    x, counts = ladder_log(80, rng)
    batches = tf.data.Dataset.from_tensor_slices((x[:64], counts[:64])).batch(16)
    features, head = feature_net(), CountHead()
    history = fit(features, head, batches, epochs=3)
    rate = np.exp(head(features(x[64:])).numpy())
    print("held-out deviance", deviance(counts[64:], rate).round(4), "loss fell by", round(history[0] - history[-1], 4))
