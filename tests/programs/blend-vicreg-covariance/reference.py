"""Self-supervised embedding of coffee blends from two roasts' chromatograms (variance, invariance, covariance)."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import Sequential, layers, optimizers

PEAKS = 10
WIDTH = 4
WEIGHTS = {"same": 5.0, "spread": 5.0, "apart": 1.0}


def chromatograms(blends, gen):
    base = gen.gamma(2.0, 1.0, size=(blends, PEAKS))
    roasts = []
    for shift in (0.0, 0.3):
        noisy = base * np.exp(gen.normal(shift, 0.1, size=base.shape))
        roasts.append(((noisy - noisy.mean(axis=0)) / noisy.std(axis=0, ddof=1)).astype("float32"))
    return roasts


def spread_term(z, floor=1.0):
    """Keeps every coordinate's sample deviation above the floor."""
    count = tf.cast(tf.shape(z)[0], z.dtype)
    deviation = tf.sqrt(tf.math.reduce_variance(z, axis=0) * count / (count - 1.0) + 1e-4)
    return tf.reduce_mean(tf.maximum(0.0, floor - deviation))


def apart_term(z):
    """Mean square of the off-diagonal covariances."""
    centred = z - tf.reduce_mean(z, axis=0)
    cov = tf.matmul(centred, centred, transpose_a=True) / (tf.cast(tf.shape(z)[0], z.dtype) - 1.0)
    off = cov - tf.linalg.diag(tf.linalg.diag_part(cov))
    return tf.reduce_sum(off ** 2) / z.shape[1]


class Twin:
    def __init__(self):
        self.encoder = Sequential([
            layers.Input((PEAKS,)),
            layers.Dense(8, activation="gelu"),
            layers.Dense(WIDTH),
        ])
        self.optimizer = optimizers.Adam(5e-3)
        self.parts = []

    def objective(self, light, dark):
        za, zb = self.encoder(light, training=True), self.encoder(dark, training=True)
        same = tf.reduce_mean(tf.square(za - zb))
        spread = spread_term(za) + spread_term(zb)
        apart = apart_term(za) + apart_term(zb)
        self.parts.append([float(same), float(spread), float(apart)])
        return WEIGHTS["same"] * same + WEIGHTS["spread"] * spread + WEIGHTS["apart"] * apart

    def step(self, light, dark):
        with tf.GradientTape() as tape:
            loss = self.objective(light, dark)
        grads = tape.gradient(loss, self.encoder.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.encoder.trainable_variables))
        return float(loss)


def effective_rank(z):
    """How many directions the embedding uses; only printed."""
    values = np.linalg.eigvalsh(np.cov(z, rowvar=False))
    share = values / values.sum()
    return np.exp(-np.sum(share * np.log(np.maximum(share, 1e-12))))


def main():
    gen = np.random.default_rng(19)
    light, dark = chromatograms(36, gen)
    twin = Twin()
    for epoch in range(3):
        order = gen.permutation(len(light))
        losses = [twin.step(light[rows], dark[rows]) for rows in np.array_split(order, 3)]
        print(f"epoch {epoch} loss {np.mean(losses):.5f} parts {np.mean(twin.parts[-3:], axis=0).round(4)}")
    z = twin.encoder(light).numpy()
    print("effective rank", effective_rank(z).round(3), "spread of the embedding", z.std(axis=0, ddof=1).round(3))


if __name__ == "__main__":
    main()
