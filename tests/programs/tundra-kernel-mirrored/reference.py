"""Permafrost temperature between boreholes: Gaussian process with learned length scales, likelihood by hand."""
import numpy as np
import tensorflow as tf

HOLES = 9
JITTER = 1e-4


def boreholes(rng):
    """Position (km), altitude (hundreds of m) and mean ground temperature."""
    place = rng.uniform(0.0, 4.0, size=(HOLES, 2))
    altitude = 2.0 + np.sin(place[:, :1]) + 0.1 * rng.normal(size=(HOLES, 1))
    distance = np.empty((HOLES, HOLES))
    for i in range(HOLES):
        for j in range(i, HOLES):
            distance[i, j] = distance[j, i] = np.linalg.norm(place[i] - place[j])
    cover = np.exp(-distance / 1.5) + 1e-6 * np.eye(HOLES)
    temperature = -3.0 - 0.6 * altitude[:, 0] + np.linalg.cholesky(cover) @ rng.normal(size=HOLES)
    return np.hstack([place, altitude]).astype(np.float32), temperature.astype(np.float32)


class Process(tf.Module):
    def __init__(self, features):
        super().__init__(name="process")
        self.log_scale = tf.Variable(tf.zeros([features]), name="log_scale")
        self.log_height = tf.Variable(0.0, name="log_height")
        self.log_noise = tf.Variable(-1.5, name="log_noise")
        self.level = tf.Variable(-4.0, name="level")

    def covariance(self, a, b):
        gap = (a - b) / tf.exp(self.log_scale)
        return tf.exp(self.log_height - 0.5 * tf.reduce_sum(tf.square(gap)))

    def gram(self, x):
        k = [[None] * len(x) for _ in range(len(x))]
        for i in range(len(x)):
            for j in range(i):
                k[i][j] = k[j][i] = self.covariance(x[i], x[j])
            k[i][i] = self.covariance(x[i], x[i]) + tf.exp(self.log_noise) + JITTER
        return tf.stack([tf.stack(row) for row in k])

    def negative_log_likelihood(self, x, y):
        factor = tf.linalg.cholesky(self.gram(x))
        rest = (y - self.level)[:, None]
        weight = tf.linalg.cholesky_solve(factor, rest)
        return (0.5 * tf.reduce_sum(rest * weight) + tf.reduce_sum(tf.math.log(tf.linalg.diag_part(factor)))) / len(x)

    def predict(self, x, y, new):
        factor = tf.linalg.cholesky(self.gram(x))
        weight = tf.linalg.cholesky_solve(factor, (y - self.level)[:, None])
        across = tf.stack([tf.stack([self.covariance(n, o) for o in x]) for n in new])
        return self.level + tf.squeeze(tf.matmul(across, weight), axis=1)


def fit(process, x, y, turns, rate=0.1):
    opt = tf.keras.optimizers.Adam(rate)
    history = np.zeros((turns, 2))
    for turn in range(turns):
        with tf.GradientTape() as tape:
            loss = process.negative_log_likelihood(x, y)
        grads = tape.gradient(loss, process.trainable_variables)
        usable = [(g, v) for g, v in zip(grads, process.trainable_variables) if g is not None]
        opt.apply_gradients(usable)
        history[turn] = float(loss), len(usable)
        print(f"turn {turn}: {history[turn, 0]:.4f} with {len(usable)} of {len(grads)} parameters moving")
    return history


def leave_one_out(process, x, y):
    error = np.zeros(len(x))
    for k in range(len(x)):
        rest = np.delete(np.arange(len(x)), k)
        error[k] = process.predict(x[rest], tf.constant(y[rest]), x[k:k + 1])[0] - y[k]
    return np.sqrt(np.mean(error ** 2))


if __name__ == "__main__":
    holes, temperature = boreholes(np.random.default_rng(88))
    process = Process(holes.shape[1])
    fit(process, holes, tf.constant(temperature), turns=5)
    print("scales", np.exp(process.log_scale.numpy()).round(3), "level", round(float(process.level), 3),
          "leave one out", leave_one_out(process, holes, temperature).round(3))
