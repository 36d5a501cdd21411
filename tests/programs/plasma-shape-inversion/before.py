"""Recover plasma shape parameters from magnetic probes: fit a forward network, then invert it by descent on its input."""
import logging

import numpy as np
import tensorflow as tf
from tensorflow import keras

logger = logging.getLogger(__name__)
NAMES = ("major radius", "elongation", "triangularity")
LOW, HIGH = np.array([0.8, 1.0, 0.0]), np.array([1.2, 1.9, 0.6])
PROBES = 10


def probe_signal(shape):
    """Field at the probes for one shape; a cheap stand-in for the equilibrium code."""
    theta = np.linspace(0, 2 * np.pi, PROBES, endpoint=False)
    r = shape[0] + 0.3 * np.cos(theta + shape[2] * np.sin(theta))
    z = 0.3 * shape[1] * np.sin(theta)
    return 1.0 / np.hypot(r - 0.1, z + 0.05)


def library(count, rng):
    unit = rng.uniform(-1.0, 1.0, size=(count, len(NAMES)))
    shapes = LOW + 0.5 * (unit + 1.0) * (HIGH - LOW)
    field = np.array([probe_signal(s) for s in shapes])
    field = (field - field.mean(axis=0)) / field.std(axis=0)
    return unit.astype("float32"), field.astype("float32")


def forward_net():
    return keras.Sequential([
        keras.layers.Input((len(NAMES),)),
        keras.layers.Dense(24, activation="tanh"),
        keras.layers.Dense(PROBES),
    ])


def fit_forward(net, unit, field, epochs):
    opt = keras.optimizers.Adam(0.02)
    for _ in range(epochs):
        with tf.GradientTape() as tape:
            error = tf.reduce_mean(tf.square(net(unit, training=True) - field))
        opt.apply_gradients(zip(tape.gradient(error, net.trainable_variables), net.trainable_variables))
    return float(error)


def invert(net, measured, guess, rate=0.4, turns=6, momentum=0.6):
    """Momentum descent on the unit-cube parameters; stops early when the misfit no longer falls."""
    measured = tf.constant(measured)
    guess = tf.convert_to_tensor(guess)
    velocity = tf.zeros_like(guess)
    trail = []
    for turn in range(turns):
        with tf.GradientTape() as tape:
            misfit = tf.reduce_sum(tf.square(net(guess[None]) - measured))
            edge = 0.1 * tf.reduce_sum(tf.nn.relu(tf.abs(guess) - 1.0))
            cost = misfit + edge
        slope = tape.gradient(cost, guess)
        trail.append(cost.numpy())
        if len(trail) > 2 and np.min(trail[-2:]) > trail[-3]:
            logger.info("stopped at turn %d", turn)
            break
        velocity = momentum * velocity - rate / PROBES * slope
        guess = tf.clip_by_value(guess + velocity, -1.2, 1.2)
    return guess, trail


def main():
    logging.basicConfig(level=logging.WARNING)
    rng = np.random.default_rng(7)
    unit, field = library(90, rng)
    net = forward_net()
    print("forward error", round(fit_forward(net, unit[:80], field[:80], epochs=25), 4))
    for case in range(80, 82):
        start = np.zeros(len(NAMES), dtype="float32")
        found, trail = invert(net, field[case], start)
        shape = LOW + 0.5 * (found.numpy() + 1.0) * (HIGH - LOW)
        true = LOW + 0.5 * (unit[case] + 1.0) * (HIGH - LOW)
        print(f"case {case} misfit {trail[0]:.4f} -> {trail[-1]:.4f}")
        for name, a, b in zip(NAMES, shape, true):
            print(f"   {name:14s} {a:.3f} (true {b:.3f})")


if __name__ == "__main__":
    main()
