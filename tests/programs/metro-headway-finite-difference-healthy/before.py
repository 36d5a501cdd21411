"""Headways of a metro line: a NumPy simulator tuned by finite differences, beside a TensorFlow surrogate with a tape."""
import numpy as np
import tensorflow as tf

STATIONS = 6


class Line:
    """Discrete simulation of one train after another; NumPy only, no gradient is asked of it."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.arrivals = rng.uniform(2.0, 9.0, size=STATIONS)
        self.run_time = rng.uniform(1.5, 3.0, size=STATIONS)

    def delay(self, headway, dwell):
        waiting = np.zeros(STATIONS)
        total, behind = 0.0, 0.0
        for k in range(STATIONS):
            waiting[k] = self.arrivals[k] * (headway + behind)
            stop = max(dwell, 0.02 * waiting[k])
            if stop > dwell:
                behind += stop - dwell
            total += waiting[k] * headway / 2.0 + behind * self.run_time[k]
        return total / np.sum(self.arrivals) + 8.0 / headway + 0.5 * dwell


def central_difference(function, point, step=1e-3):
    slope = np.zeros_like(point)
    for k in range(point.size):
        shift = np.zeros_like(point)
        shift[k] = step
        slope[k] = (function(*(point + shift)) - function(*(point - shift))) / (2.0 * step)
    return slope


def huber(x, delta=1.0):
    """Works for both sides; the caller's library is found from the type."""
    if isinstance(x, (tf.Tensor, tf.Variable)):
        size = tf.abs(x)
        return tf.where(size < delta, 0.5 * tf.square(x), delta * (size - 0.5 * delta))
    size = np.abs(x)
    return np.where(size < delta, 0.5 * np.square(x), delta * (size - 0.5 * delta))


class Surrogate(tf.Module):
    def __init__(self):
        super().__init__(name="surrogate")
        self.coefficients = tf.Variable(np.zeros(6, dtype=np.float32), name="coefficients")

    def __call__(self, points):
        h, d = points[:, 0], points[:, 1]
        basis = tf.stack([tf.ones_like(h), h, d, h * h, h * d, 1.0 / h], axis=1)
        return tf.linalg.matvec(basis, self.coefficients)


def fit(surrogate, points, values, steps=4):
    optimizer = tf.keras.optimizers.Adam(0.1)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            residual = surrogate(tf.constant(points)) - values
            loss = tf.reduce_mean(huber(residual))
        grads = tape.gradient(loss, surrogate.trainable_variables)
        optimizer.apply_gradients(zip(grads, surrogate.trainable_variables))
    return np.mean(huber(residual.numpy()))


def main():
    line = Line(seed=20)
    rng = np.random.default_rng(6)
    points = rng.uniform([2.0, 0.3], [6.0, 1.0], size=(24, 2)).astype(np.float32)
    values = np.array([line.delay(*point) for point in points], dtype=np.float32)
    surrogate = Surrogate()
    error = fit(surrogate, points, values)
    here = np.array([4.0, 0.5])
    for _ in range(5):
        here = np.maximum(here - 0.05 * central_difference(line.delay, here), [1.0, 0.2])
    query = tf.constant(here[None].astype(np.float32))
    with tf.GradientTape() as tape:
        tape.watch(query)
        height = surrogate(query)[0]
    slope = tape.gradient(height, query).numpy()[0]
    print("surrogate error", round(float(error), 4), "best point", here.round(3), "delay", round(line.delay(*here), 3))
    print("slopes: simulator", central_difference(line.delay, here).round(3), "surrogate", slope.round(3))


if __name__ == "__main__":
    main()
