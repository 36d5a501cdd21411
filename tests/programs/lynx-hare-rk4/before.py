"""Lynx and hare: rates of a predator-prey model from fur counts, with one Runge-Kutta stepper for data and training."""
import sys
from typing import Callable, Sequence

import numpy as np
import tensorflow as tf

Rates = Sequence
YEARS, SUBSTEPS = 10, 4


def rates_of_change(state, rates: Rates):
    """d(hare), d(lynx): limited growth, saturating kill rate."""
    hare, lynx = state[0], state[1]
    birth, kill, gain, loss = rates
    eaten = kill * hare * lynx / (1.0 + 0.2 * hare)
    return np.array([birth * hare * (1.0 - 0.1 * hare) - eaten, gain * eaten - loss * lynx])


def rk4(f: Callable, state, dt, *args):
    k1 = f(state, *args)
    k2 = f(state + 0.5 * dt * k1, *args)
    k3 = f(state + 0.5 * dt * k2, *args)
    k4 = f(state + dt * k3, *args)
    return np.asarray(state + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4))


def simulate(start, rates: Rates, years=YEARS):
    """One row a year, the start included."""
    state, rows = start, [start]
    for _ in range(years):
        for _ in range(SUBSTEPS):
            state = rk4(rates_of_change, state, 1.0 / SUBSTEPS, rates)
        rows.append(state)
    return np.stack(rows)


def fur_counts(rng, truth=(1.0, 0.5, 0.5, 0.4)):
    """Numbers per hundred square kilometres; a few years were lost."""
    path = simulate(np.array([2.0, 1.0]), truth)
    path *= rng.lognormal(0.0, 0.05, size=path.shape)
    path[rng.integers(1, YEARS, size=2), 0] = -1.0
    return path


class Population(tf.Module):
    def __init__(self):
        super().__init__(name="population")
        self.log_rates = tf.Variable(np.log([0.9, 0.4, 0.6, 0.45]), dtype=tf.float32, name="log_rates")
        self.start = tf.Variable([1.8, 1.2], name="start")

    def predict(self):
        return simulate(self.start, tf.unstack(tf.exp(self.log_rates)))


def misfit(predicted, counts):
    known = (counts >= 0).astype("float32")
    gap = tf.math.log1p(predicted) - np.log1p(np.maximum(counts, 0.0)).astype("float32")
    return tf.reduce_sum(known * tf.square(gap)) / known.sum()


def main(steps):
    rng = np.random.default_rng(11)
    counts = fur_counts(rng)
    model, optimizer = Population(), tf.keras.optimizers.Adam(0.05)
    for step in range(steps):
        with tf.GradientTape() as tape:
            loss = misfit(tf.cast(model.predict(), tf.float32), counts)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        print(f"step {step}: {float(loss):.5f}")
    fine = simulate(model.start.numpy(), np.exp(model.log_rates.numpy()), years=3)
    fine[fine < 0.01] = 0.0
    print("next years", fine.round(2).tolist(), "lost years", int((counts < 0).sum()))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4)
