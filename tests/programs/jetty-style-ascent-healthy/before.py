"""Make a wave spectrum look like the one at the jetty: the input itself is optimised, clipped with NumPy between steps."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models, optimizers

LENGTH = 48


def record(seed, period):
    rng = np.random.default_rng(seed)
    t = np.arange(LENGTH)
    wave = np.sin(2 * np.pi * t / period) + 0.3 * np.sin(2 * np.pi * t / (period / 2.7) + rng.uniform(0, 6))
    return (wave + 0.05 * rng.normal(size=LENGTH)).astype(np.float32)


def extractor():
    """A fixed random filter bank; never trained."""
    bank = models.Sequential([
        layers.Input((LENGTH, 1)),
        layers.Conv1D(6, 7, activation="relu", name="first"),
        layers.Conv1D(8, 5, strides=2, activation="relu", name="second"),
    ])
    bank.trainable = False
    return bank


def gram(activation):
    width = activation.shape[1]
    return tf.linalg.einsum("btc,btd->bcd", activation, activation) / float(width)


def total_variation(signal):
    return tf.reduce_mean(tf.abs(signal[:, 1:] - signal[:, :-1]))


class Ascent:
    def __init__(self, bank, style):
        self.bank = bank
        self.style = gram(bank(style[None, :, None])).numpy()  # a fixed target: numbers on purpose
        self.scale = np.float32(1.0 / np.mean(np.square(self.style)))
        self.history = {"loss": [], "peak": []}

    def loss(self, signal):
        distance = tf.reduce_mean(tf.square(gram(self.bank(signal[..., None])) - self.style))
        return self.scale * distance + 0.05 * total_variation(signal)

    def step(self, signal, rate=0.4):
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(signal)
            loss = self.loss(signal)
        grad = tape.gradient(loss, signal)
        grad = grad.numpy()
        grad /= np.sqrt(np.mean(np.square(grad))) + 1e-8
        moved = np.clip(signal.numpy() - rate * 0.1 * grad, -2.0, 2.0)
        self.history["loss"].append(float(loss))
        self.history["peak"].append(np.abs(moved).max())
        return tf.constant(moved)


def calibrate(bank, pairs):
    """A read-out on top of the frozen bank, trained in the usual way."""
    head = models.Sequential([layers.Input((8,)), layers.Dense(1)])
    adam = optimizers.Adam(0.05)
    for wave, period in pairs:
        features = np.mean(bank(wave[None, :, None]).numpy(), axis=1)  # frozen: no gradient is wanted through it
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(head(features) - np.log(period)))
        adam.apply_gradients(zip(tape.gradient(loss, head.trainable_variables), head.trainable_variables))
    return head, loss.numpy()


def main():
    bank = extractor()
    ascent = Ascent(bank, record(1, 9.0))
    signal = tf.constant(record(2, 14.0)[None])
    for _ in range(5):
        signal = ascent.step(signal)
    head, last = calibrate(bank, [(record(s, p), p) for s, p in zip(range(3, 7), (6.0, 9.0, 12.0, 15.0))])
    spectrum = np.abs(np.fft.rfft(signal.numpy()[0]))
    period = float(np.exp(head(np.mean(bank(signal[..., None]).numpy(), axis=1)))[0, 0])
    print("loss", np.round(ascent.history["loss"], 4), "peak", np.round(ascent.history["peak"][-1], 3))
    print("strongest line", LENGTH / max(int(spectrum[1:].argmax()) + 1, 1), "read-out", round(period, 2), "last", round(float(last), 4))


main()
