"""Glaze colour in three channels from kiln settings; channel gradients are normalised before they are added up."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models, optimizers

CHANNELS = 3


def firings(count, rng):
    peak = rng.uniform(1180.0, 1260.0, count)
    soak = rng.gamma(4.0, 5.0, count)
    copper = rng.beta(2, 6, count)
    heat = (peak - 1220.0) / 40.0
    colour = np.stack([0.3 + 0.2 * heat * copper, 0.5 - 0.3 * copper + 0.002 * soak, 0.4 + 0.5 * copper - 0.1 * heat ** 2], axis=1)
    x = np.stack([heat, soak / 20.0 - 1.0, 4.0 * copper - 1.0], axis=1)
    return x.astype(np.float32), (colour + rng.normal(0, 0.01, colour.shape)).astype(np.float32)


class GlazeTrainer:
    def __init__(self, rate=0.05):
        self.net = models.Sequential([layers.Input((3,)), layers.Dense(8, activation="tanh"), layers.Dense(CHANNELS)])
        self.opt = optimizers.SGD(rate)
        self.net.summary(print_fn=lambda line: None)

    def channel_losses(self, x, colour):
        return tf.reduce_mean(tf.square(self.net(x, training=True) - colour), axis=0)

    @tf.function
    def step(self, x, colour):
        weights = self.net.trainable_variables
        with tf.GradientTape(persistent=True) as tape:
            losses = self.channel_losses(x, colour)
            mean = tf.reduce_mean(losses)
            targets = [losses[channel] for channel in range(CHANNELS)]

        total = [tf.zeros_like(w) for w in weights]
        for channel in range(CHANNELS):
            grads = tape.gradient(targets[channel], weights)
            norm = tf.linalg.global_norm(grads)
            total = [t + g / (norm + 1e-6) for t, g in zip(total, grads)]
        plain = tape.gradient(mean, weights)
        del tape

        size = tf.linalg.global_norm(plain)
        self.opt.apply_gradients([(size * t / CHANNELS, w) for t, w in zip(total, weights)])
        return losses, size


def delta_e(a, b):
    """Colour distance per tile, NumPy only."""
    return np.sqrt(np.sum((np.asarray(a) - np.asarray(b)) ** 2, axis=1))


def main():
    rng = np.random.default_rng(82)
    x, colour = firings(48, rng)
    trainer = GlazeTrainer()
    for epoch in range(3):
        table = []
        for rows in np.split(rng.permutation(len(x)), 4):
            losses, size = trainer.step(tf.constant(x[rows]), tf.constant(colour[rows]))
            table.append(np.append(losses.numpy(), size.numpy()))
        print(f"epoch {epoch}: channels {np.mean(table, axis=0)[:CHANNELS].round(4)} pull {np.mean(table, axis=0)[-1]:.4f}")
    away = delta_e(trainer.net(x), colour)
    print("median distance", np.median(away).round(4), "off by more than 0.1:", int(np.count_nonzero(away > 0.1)))


if __name__ == "__main__":
    main()
