"""Apple yield per tree with three quantile heads; the update is the minimum-norm mix of the three gradients."""
import argparse

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

LEVELS = (0.1, 0.5, 0.9)
NAMES = ("low", "middle", "high")


def trees(count, rng):
    age = rng.integers(3, 25, size=count)
    light = rng.beta(4, 2, size=count)
    frost = rng.poisson(1.2, size=count)
    yield_kg = 4.0 * np.sqrt(age) * light - 1.5 * frost + rng.gumbel(0.0, 1.5, size=count)
    x = np.column_stack([age / 25.0, light, frost / 5.0])
    return x.astype(np.float32), np.maximum(yield_kg, 0.0).astype(np.float32)[:, None] / 10.0


def build_net(width):
    inputs = layers.Input((3,))
    hidden = layers.Dense(width, activation="softplus")(inputs)
    return tf.keras.Model(inputs, layers.Dense(len(LEVELS))(hidden))


def pinball(truth, forecast):
    """Loss of each quantile, averaged over the batch."""
    level = tf.constant([LEVELS])
    miss = truth - forecast
    return tf.reduce_mean(tf.maximum(level * miss, (level - 1.0) * miss), axis=0)


def min_norm_weights(flat, rounds=20):
    """Frank-Wolfe on the simplex of task weights; flat holds one gradient a row."""
    gram = flat @ flat.T
    weights = np.full(len(flat), 1.0 / len(flat))
    for k in range(rounds):
        best = int(np.argmin(gram @ weights))
        step = 2.0 / (k + 2.0)
        weights = (1.0 - step) * weights
        weights[best] += step
    return weights


def train(net, data, args):
    optimizer = tf.keras.optimizers.Adam(args.rate)
    importance = np.array([1.0, 0.5, 1.0], dtype=np.float32)
    board = {name: [] for name in NAMES}
    for epoch in range(args.epochs):
        for x, y in data:
            with tf.GradientTape(persistent=True) as tape:
                losses = pinball(y, net(x, training=True))
                objectives = [factor * loss for factor, loss in zip(importance, tf.unstack(losses))]
            per_level = []
            for name, objective in zip(NAMES, objectives):
                per_level.append(tape.gradient(objective, net.trainable_variables))
                board[name].append(float(objective))
            del tape
            flat = np.stack([np.concatenate([np.ravel(g) for g in grads]) for grads in per_level])
            mix = min_norm_weights(flat)
            mixed = [sum(float(w) * g for w, g in zip(mix, parts)) for parts in zip(*per_level)]
            optimizer.apply_gradients(zip(mixed, net.trainable_variables))
        print(f"epoch {epoch}:", {name: round(float(np.mean(values[-4:])), 4) for name, values in board.items()},
              "mix", mix.round(3))
    return board


def crossings(net, x):
    forecast = net(x).numpy()
    return int(np.sum(np.any(np.diff(forecast, axis=1) < 0.0, axis=1)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--rate", type=float, default=0.02)
    parser.add_argument("--width", type=int, default=8)
    options = parser.parse_args()
    x, y = trees(64, np.random.default_rng(31))
    batches = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
    net = build_net(options.width)
    train(net, batches, options)
    print("crossing quantiles:", crossings(net, x), "of", len(x))
