"""Recover the brightness profile along a comet's tail with a small network and ndarray methods."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models, optimizers

ROWS, COLUMNS = 6, 8


class Plate:
    """One night: a stack of exposures, flattened, with a hot-pixel mask."""

    def __init__(self, night, rng):
        profile = np.exp(-np.arange(COLUMNS) / (2.0 + night))
        frames = profile * rng.uniform(0.6, 1.4, size=(ROWS, 1)) + 0.02 * rng.standard_normal((ROWS, COLUMNS))
        hot = rng.random(frames.shape) < 0.05
        frames[hot] += 1.0
        self.mask = (~hot).astype(np.float32)
        self.frames = frames.clip(0.0, None).astype(np.float32)
        self.inputs = np.stack([frames.mean(axis=1), frames.std(axis=1), frames.max(axis=1)], axis=1).astype(np.float32)


def build():
    return models.Sequential([
        layers.Input((3,)),
        layers.Dense(16, activation="relu"),
        layers.Dense(COLUMNS),
    ])


def photometry(raw, mask):
    """Normalised profiles, total light inside the mask and a centroid for every row."""
    profile = tf.clip_by_value(raw, -4.0, 4.0)
    weight = tf.reshape(tf.cumsum(tf.cast(profile, tf.float64), axis=1), (-1, COLUMNS))
    shape = 1.0 / (1.0 + weight ** 2)
    light = tf.reduce_sum(shape * mask, axis=1, keepdims=True)
    share = shape / light
    centroid = tf.linalg.matvec(share, np.arange(COLUMNS, dtype="float64"))
    return shape, tf.squeeze(light), tf.reshape(centroid, [-1])


def loss_parts(plate, raw):
    shape, light, centroid = photometry(raw, plate.mask)
    true_light = (plate.frames * plate.mask).sum(axis=1)
    true_centroid = (plate.frames * plate.mask).dot(np.arange(COLUMNS)) / true_light
    fit = tf.reduce_mean((shape - plate.frames) ** 2 * plate.mask)
    total = tf.reduce_max((light - true_light).__abs__())
    place = tf.reduce_mean(tf.square(centroid - true_centroid))
    across = tf.transpose(shape)
    steps = tf.reduce_sum(tf.nn.relu(across[1:] - across[:-1])) / plate.frames.size
    return fit, total, place, steps


def train(net, plates, epochs=3):
    optimizer = optimizers.Adam(0.01)
    log = []
    for epoch in range(epochs):
        for plate in plates:
            with tf.GradientTape() as tape:
                raw = net(plate.inputs, training=True)
                fit, total, place, steps = loss_parts(plate, raw)
                loss = tf.cast(fit + 0.1 * total + 0.05 * place + steps, tf.float32)
            grads = tape.gradient(loss, net.trainable_variables)
            optimizer.apply_gradients(zip(grads, net.trainable_variables))
            log.append([loss.numpy(), np.max([np.abs(g).max() for g in grads])])
        print(f"epoch {epoch}", np.array(log)[-len(plates):].mean(axis=0).round(4))
    return np.array(log)


def main():
    rng = np.random.default_rng(31)
    plates = [Plate(night, rng) for night in range(3)]
    print("masked pixels", [int((1 - plate.mask).sum()) for plate in plates])
    net = build()
    log = train(net, plates)
    shape, light, centroid = photometry(net(plates[0].inputs), plates[0].mask)
    print("light", np.asarray(light).round(2), "centroid", np.asarray(centroid).round(2))
    print("best loss", log[:, 0].min().round(4), "at", log[:, 0].argmin())


main()
