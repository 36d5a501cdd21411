"""Autoencoder for grazing patterns of collared cattle, with a denoising input and a sparse code."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers, optimizers

HOURS, CODE = 24, 4


def collar_days(count, rng):
    hours = np.arange(HOURS)
    dawn = rng.normal(6.0, 1.0, size=(count, 1))
    dusk = rng.normal(19.0, 1.0, size=(count, 1))
    graze = np.exp(-0.5 * ((hours - dawn) / 1.8) ** 2) + np.exp(-0.5 * ((hours - dusk) / 1.5) ** 2)
    graze += rng.normal(0, 0.05, size=graze.shape)
    lost = rng.random(graze.shape) < 0.03
    graze[lost] = 0.0
    return np.clip(graze, 0.0, 1.2).astype("float32")


def encoder_net():
    day = layers.Input((HOURS,))
    hidden = layers.Dense(16, activation="relu")(day)
    return Model(day, layers.Dense(CODE, activation="softplus")(hidden), name="encoder")


def decoder_net():
    code = layers.Input((CODE,))
    hidden = layers.Dense(16, activation="relu")(code)
    return Model(code, layers.Dense(HOURS)(hidden), name="decoder")


class GrazingAutoencoder:
    def __init__(self, noise=0.1, sparsity=0.02):
        self.encoder, self.decoder = encoder_net(), decoder_net()
        self.noise, self.sparsity = noise, sparsity
        self.opt = optimizers.Adam(5e-3)

    @property
    def weights(self):
        return self.encoder.trainable_variables + self.decoder.trainable_variables

    def corrupt(self, days):
        return days + self.noise * tf.random.normal(tf.shape(days))

    def update(self, days):
        noisy = self.corrupt(days)
        codes = self.encoder(noisy, training=True)
        active = float(tf.reduce_mean(tf.cast(codes > 0.1, tf.float32)))
        with tf.GradientTape() as tape:
            rebuilt = self.decoder(codes, training=True)
            error = tf.reduce_mean(tf.square(rebuilt - days))
            loss = error + self.sparsity * tf.reduce_mean(codes)
        grads = tape.gradient(loss, self.weights)
        missing = [w.path for g, w in zip(grads, self.weights) if g is None]
        if missing:
            print("   no gradient for", ", ".join(missing))
        self.opt.apply_gradients((g, w) for g, w in zip(grads, self.weights) if g is not None)
        return error.numpy(), active

    def groups(self, days, count=3):
        """A crude k-means on the codes, to name the habits of the herd."""
        codes = self.encoder(days).numpy()
        centres = codes[:count].copy()
        for _ in range(5):
            nearest = np.argmin(((codes[:, None] - centres) ** 2).sum(axis=-1), axis=1)
            for k in range(count):
                if np.any(nearest == k):
                    centres[k] = codes[nearest == k].mean(axis=0)
        return np.bincount(nearest, minlength=count)


def main():
    rng = np.random.default_rng(29)
    herd = collar_days(72, rng)
    model = GrazingAutoencoder()
    start = model.encoder(herd[:8])
    print("codes before training", start.numpy().mean(axis=0).round(3))
    for epoch in range(3):
        seen = [model.update(tf.constant(part)) for part in np.split(herd[rng.permutation(len(herd))], 6)]
        error, active = np.mean(seen, axis=0)
        print(f"epoch {epoch}: error {error:.4f}, active codes {active:.2f}")
    moved = model.encoder(herd[:8]) - start
    print("codes moved by", np.abs(moved).mean().round(4), "groups", model.groups(herd))


if __name__ == "__main__":
    main()
