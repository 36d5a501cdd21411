"""Depth of a kelp canopy from sonar pings: the depth bin with the largest score is compared with the diver's reading."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

BINS = 16
METRES_PER_BIN = 0.5


def pings(count, rng):
    """Echo strength per depth bin, and the depth that the diver wrote down."""
    depth = rng.uniform(1.0, 7.0, size=count)
    grid = np.arange(BINS) * METRES_PER_BIN
    echo = np.exp(-((grid - depth[:, None]) / 0.6) ** 2) + 0.2 * rng.random((count, BINS))
    loudest = np.argmax(echo, axis=1) * METRES_PER_BIN
    print("naive error of the loudest bin", np.abs(loudest - depth).mean().round(3))
    return echo.astype("float32"), depth.astype("float32")


class Sonar(keras.Model):
    def __init__(self):
        super().__init__()
        self.smooth = keras.layers.Conv1D(4, 5, padding="same", activation="relu")
        self.score = keras.layers.Conv1D(1, 3, padding="same")

    def call(self, echo):
        return tf.squeeze(self.score(self.smooth(echo[..., None])), axis=-1)


def canopy_depth(scores):
    """Metres, from the best bin of every ping."""
    best = tf.argmax(scores, axis=1)
    return METRES_PER_BIN * tf.cast(best, tf.float32)


def depth_error(depth, scores):
    gap = canopy_depth(scores) - depth
    return tf.reduce_mean(tf.where(tf.abs(gap) < 1.0, 0.5 * gap ** 2, tf.abs(gap) - 0.5))


def main(epochs=2):
    rng = np.random.default_rng(46)
    echo, depth = pings(60, rng)
    sonar, optimizer = Sonar(), keras.optimizers.Adam(0.01)
    for epoch in range(epochs):
        losses = []
        for rows in np.array_split(rng.permutation(len(depth)), 4):
            with tf.GradientTape() as tape:
                loss = depth_error(depth[rows], sonar(echo[rows]))
            grads = tape.gradient(loss, sonar.trainable_variables)
            optimizer.apply_gradients(zip(grads, sonar.trainable_variables))
            losses.append(float(loss))
        print(f"epoch {epoch}: {np.mean(losses):.4f}")
    answer = canopy_depth(sonar(echo)).numpy()
    print("median error", np.median(np.abs(answer - depth)).round(3), "deepest", answer.max())


if __name__ == "__main__":
    main()
