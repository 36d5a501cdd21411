"""Hail damage claims: a robust fit by median and trimmed terms instead of the mean."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import Input, Sequential, layers

TRIM = 0.2


class Claims:
    """Stone size (cm), roof age, slope; damage in thousands, with a few absurd entries."""

    def __init__(self, count, seed):
        rng = np.random.default_rng(seed)
        size, age, slope = rng.gamma(4.0, 0.8, count), rng.uniform(0, 30, count), rng.uniform(10, 45, count)
        damage = 0.4 * size ** 1.5 + 0.03 * age * size - 0.01 * slope + rng.normal(0.0, 0.2, count)
        absurd = rng.random(count) < 0.07
        damage = np.where(absurd, damage * rng.choice([-1.0, 20.0], size=count), damage)
        table = np.stack([size, age, slope], axis=1)
        self.centre, self.width = np.median(table, axis=0), np.percentile(table, 75, axis=0) - np.percentile(table, 25, axis=0)
        self.x = ((table - self.centre) / self.width).astype(np.float32)
        self.y = damage.astype(np.float32)

    def folds(self, parts):
        for k in range(parts):
            yield self.x[k::parts], self.y[k::parts]


def robust_loss(truth, guess):
    """Median absolute error, trimmed mean of squares, and the upper decile of the errors."""
    error = np.abs(truth - guess)
    middle = np.median(error)
    ordered = np.sort(np.square(truth - guess))
    kept = ordered[:int(len(ordered) * (1.0 - TRIM))]
    upper = np.percentile(error, 90)
    spread = np.ptp(guess) / (np.max(error) + 1.0)
    return middle + 0.1 * kept.mean() + 0.05 * upper + 0.01 * spread


def train(net, claims, optimizer, epochs=2):
    log = []
    for epoch in range(epochs):
        for x, y in claims.folds(3):
            with tf.GradientTape() as tape:
                guess = tf.squeeze(net(x, training=True), axis=1)
                loss = tf.cast(robust_loss(y, guess), tf.float32)
            grads = tape.gradient(loss, net.trainable_variables)
            optimizer.apply_gradients(zip(grads, net.trainable_variables))
            log.append(loss.numpy())
        print(f"epoch {epoch}: {np.median(log[-3:]):.4f}")
    return log


def main():
    claims = Claims(75, seed=29)
    net = Sequential([Input((3,)), layers.Dense(8, activation="tanh"), layers.Dense(1)])
    log = train(net, claims, tf.keras.optimizers.Adam(0.05))
    residual = claims.y - net(claims.x).numpy()[:, 0]
    low, high = np.quantile(residual, [0.1, 0.9])
    print(f"80% of the residuals in [{low:.2f}, {high:.2f}], range {np.ptp(residual):.1f}, "
          f"worst claim {int(np.argsort(np.abs(residual))[-1])}, loss {log[0]:.4f} -> {log[-1]:.4f}")


if __name__ == "__main__":
    main()
