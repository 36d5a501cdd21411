"""Learn a knitting chart that tiles: patches are cut, turned and repeated with NumPy's shape functions."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

TILE = 4
COLOURS = 3


def sample_charts(count, seed):
    """Charts of 2 x 2 tiles with four-fold symmetry, as one-hot colours."""
    rng = np.random.default_rng(seed)
    charts = []
    for _ in range(count):
        tile = rng.integers(COLOURS, size=(TILE, TILE))
        tile = np.where(np.triu(np.ones_like(tile)), tile, tile.T)
        full = np.block([[tile, np.fliplr(tile)], [np.flipud(tile), np.rot90(tile, 2)]])
        charts.append(np.eye(COLOURS, dtype=np.float32)[full])
    return np.stack(charts)


class Designer(tf.keras.Model):
    """Draws one tile from a mood vector and builds the whole chart from it."""

    def __init__(self):
        super().__init__()
        self.body = layers.Dense(16, activation="elu")
        self.tile = layers.Dense(TILE * TILE * COLOURS)

    def call(self, mood):
        raw = np.reshape(self.tile(self.body(mood)), (-1, COLOURS, TILE, TILE))
        tile = np.moveaxis(raw, 1, -1)
        tile = 0.5 * (tile + np.transpose(tile, (0, 2, 1, 3)))
        right = np.flip(tile, axis=2)
        top = np.concatenate((tile, right), axis=2)
        chart = np.concatenate([top, top[:, ::-1]], axis=1)
        return tf.convert_to_tensor(chart)


def scarf(chart, rows, columns):
    """The chart repeated, with one plain border row on top (colour 0 wins clearly)."""
    cloth = np.tile(chart, (1, rows, columns, 1))
    border = np.expand_dims(np.repeat(np.array([[4.0, 0.0, 0.0]], dtype=np.float32), cloth.shape[2], axis=0), 0)
    border = np.broadcast_to(border, (cloth.shape[0], 1, cloth.shape[2], COLOURS))
    return np.concatenate([border, cloth], axis=1)


def float_length(cloth):
    """Long floats snag: neighbours in a row should not stay the same colour for ever."""
    share = tf.nn.softmax(cloth)
    left, right = np.split(np.swapaxes(share, 0, 1), [1], axis=2)
    same = np.sum(np.multiply(np.roll(right, 1, axis=2), right), axis=(0, -1))
    first = np.sum(np.take(left, [0], axis=-1), axis=0)[..., 0]
    return np.mean(np.squeeze(np.hstack([same, first])) ** 2) / cloth.shape[1] ** 2


def main():
    charts = sample_charts(12, seed=48)
    moods = np.random.default_rng(1).normal(size=(12, 5)).astype("float32")
    designer, optimizer = Designer(), tf.keras.optimizers.Adam(0.01)
    designer(moods[:1])
    curve = []
    for step in range(6):
        rows = np.roll(np.arange(12), -2 * step)[:4]
        with tf.GradientTape() as tape:
            drawn = designer(moods[rows], training=True)
            wrong = tf.nn.softmax_cross_entropy_with_logits(labels=charts[rows], logits=drawn)
            loss = tf.reduce_mean(wrong) + 0.1 * float_length(scarf(drawn, 2, 1))
        grads = tape.gradient(loss, designer.trainable_variables)
        optimizer.apply_gradients(zip(grads, designer.trainable_variables))
        curve.append(float(loss))
    print("loss", np.round(curve, 4).tolist(), "without gradient", sum(g is None for g in grads))
    chart = np.argmax(designer(moods[:1])[0], axis=-1)
    print("\n".join("".join(".ox"[c] for c in row) for row in np.vstack([chart, chart[:2]])))
    print("symmetric", bool((chart == np.flipud(chart)).all()))


if __name__ == "__main__":
    main()
