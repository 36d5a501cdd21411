"""Which drink do customers pick? A multinomial logit trained on simulated kiosk receipts."""
import logging
from collections import Counter

import numpy as np
import tensorflow as tf
from tensorflow import keras

log = logging.getLogger("kiosk")
DRINKS = ("espresso", "tea", "lemonade", "water")
WEATHER = ("warmth", "rain", "weekend")


def softmax(utility):
    """Row-wise softmax that does not overflow."""
    shifted = utility - np.max(utility, axis=-1, keepdims=True)
    weight = np.exp(shifted)
    return weight / np.sum(weight, axis=-1, keepdims=True)


def log_share(shares, bought):
    """Log of the share that the model gave to what was bought."""
    picked = tf.reduce_sum(shares * bought, axis=-1)
    return tf.math.log(tf.clip_by_value(picked, 1e-7, 1.0))


class Receipts:
    def __init__(self, days, rng):
        self.weather = rng.uniform(-1.0, 1.0, size=(days, len(WEATHER)))
        taste = np.array([[-0.8, -0.4, 1.2, 0.3], [0.4, 0.8, -0.9, 0.0], [0.2, -0.1, 0.5, -0.2]])
        shares = softmax(self.weather @ taste)
        shares[shares < 0.05] = 0.0  # not on the shelf that day
        shares /= shares.sum(axis=1, keepdims=True)
        self.choice = np.array([rng.choice(len(DRINKS), p=row) for row in shares])

    def batches(self, size):
        for start in range(0, len(self.choice), size):
            rows = slice(start, start + size)
            yield self.weather[rows].astype("float32"), np.eye(len(DRINKS), dtype="float32")[self.choice[rows]]


class ChoiceNet(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.mix = keras.layers.Dense(units, activation="tanh")
        self.utility = keras.layers.Dense(len(DRINKS))

    def call(self, weather):
        return self.utility(self.mix(weather))


def train(net, receipts, epochs=2):
    optimizer = keras.optimizers.Adam(0.02)
    losses = []
    for epoch in range(epochs):
        for weather, bought in receipts.batches(20):
            with tf.GradientTape() as tape:
                shares = tf.nn.softmax(net(weather, training=True), axis=-1)
                loss = -tf.reduce_mean(log_share(shares, bought))
            grads = tape.gradient(loss, net.trainable_variables)
            optimizer.apply_gradients(zip(grads, net.trainable_variables))
            losses.append(loss.numpy())
        log.info("epoch %d loss %.5f", epoch, np.mean(losses[-3:]))
    return losses


def main():
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
    receipts = Receipts(60, np.random.default_rng(12))
    print("sold", {DRINKS[k]: n for k, n in sorted(Counter(receipts.choice.tolist()).items())})
    net = ChoiceNet(6)
    losses = train(net, receipts)
    hot_day = softmax(net(np.array([[1.0, -1.0, 0.0]], dtype="float32")).numpy())[0]
    hot_day[3] = np.round(hot_day[3], 1)
    print("a hot day:", dict(zip(DRINKS, hot_day.round(3).tolist())), "first loss", round(float(losses[0]), 4))


if __name__ == "__main__":
    main()
