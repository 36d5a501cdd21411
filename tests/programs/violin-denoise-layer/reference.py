"""Denoise short violin notes: learned filter bank, soft threshold, inverse by the transposed bank. Trained with fit."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

FRAME = 32


def notes(count, rng, noise=0.3):
    t = np.arange(FRAME) / FRAME
    pitch = rng.integers(2, 7, size=(count, 1))
    tone = np.sin(2 * np.pi * pitch * t) + 0.5 * np.sin(4 * np.pi * pitch * t + rng.uniform(0, 6, (count, 1)))
    attack = np.minimum(t / 0.1, 1.0) * np.exp(-t)
    clean = tone * attack
    clean /= np.abs(clean).max(axis=1, keepdims=True)
    return (clean + noise * rng.normal(size=clean.shape)).astype("float32"), clean.astype("float32")


def cosine_bank(bands):
    n, k = np.arange(FRAME), np.arange(bands)
    bank = np.cos(np.pi * (n[:, None] + 0.5) * k / FRAME)
    return (bank / np.linalg.norm(bank, axis=0)).astype("float32")


class SoftThreshold(keras.layers.Layer):
    """Shrinks every band towards zero by its own learned amount."""

    def __init__(self, start=0.2, **kwargs):
        super().__init__(**kwargs)
        self.start = start

    def build(self, shape):
        self.raw = self.add_weight(shape=(shape[-1],), initializer=keras.initializers.Constant(self.start), name="raw")

    def call(self, bands):
        limit = tf.math.log1p(tf.exp(self.raw)) - np.log(2.0)
        size = tf.abs(bands)
        kept = tf.maximum(size - limit, 0.0)
        return tf.sign(bands) * kept


class Bank(keras.layers.Layer):
    def __init__(self, bands, **kwargs):
        super().__init__(**kwargs)
        self.bands = bands

    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[-1], self.bands), initializer=lambda s, dtype=None: cosine_bank(s[1]), name="kernel")

    def call(self, frames, inverse=False):
        return tf.matmul(frames, self.kernel, transpose_b=inverse)


class Denoiser(keras.Model):
    def __init__(self, bands=16):
        super().__init__()
        self.bank = Bank(bands)
        self.shrink = SoftThreshold()

    def call(self, frames):
        return self.bank(self.shrink(self.bank(frames)), inverse=True)


def snr(clean, other):
    """Signal to noise in decibels, for the report."""
    return 10.0 * np.log10(np.sum(clean ** 2, axis=1) / np.sum((clean - other) ** 2, axis=1))


def main():
    rng = np.random.default_rng(53)
    noisy, clean = notes(60, rng)
    held_noisy, held_clean = notes(12, rng)
    model = Denoiser()
    model.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse")
    run = model.fit(noisy, clean, batch_size=20, epochs=4, shuffle=False, verbose=0)
    print("mse", np.round(run.history["loss"], 4))
    out = model.predict(held_noisy, verbose=0)
    print("snr before", snr(held_clean, held_noisy).mean().round(2), "after", snr(held_clean, out).mean().round(2))
    print("largest shrink in band", int(np.argmax(model.shrink.raw.numpy())))


if __name__ == "__main__":
    main()
