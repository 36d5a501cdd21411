"""Blast vibration at the village: network with a smoothness constraint on its input gradient (charge, distance, delay)."""
import numpy as np
import tensorflow as tf
import tensorflow.keras.layers as kl

CENTRE, SPREAD = np.float32([0.6, 0.9, 0.5]), np.float32([0.25, 0.35, 0.3])
MONOTONE = np.array([1.0, -1.0, 0.0], dtype="float32")      # more charge shakes more, distance less


def blasts(count, rng):
    charge = rng.uniform(0.2, 1.0, count)
    distance = rng.uniform(0.3, 1.5, count)
    delay = rng.uniform(0.0, 1.0, count)
    peak = 0.8 * np.sqrt(charge) / distance ** 1.4 * (1.0 + 0.1 * np.cos(6 * delay))
    peak *= rng.lognormal(0.0, 0.1, count)
    return np.column_stack([charge, distance, delay]).astype("float32"), np.log(peak).astype("float32")[:, None]


class VibrationModel(tf.keras.Model):
    def __init__(self, width=12):
        super().__init__()
        self.first = kl.Dense(width, activation="tanh")
        self.second = kl.Dense(width, activation="tanh")
        self.out = kl.Dense(1)

    def call(self, x):
        scaled = (x - CENTRE) / SPREAD
        return self.out(self.second(self.first(scaled)))

    def slope(self, x):
        """Derivative of the log peak with respect to each input, one row a blast."""
        with tf.GradientTape() as probe:
            log_peak = self(x)
            probe.watch(x)
            total = tf.reduce_sum(log_peak)
        return probe.gradient(total, x)


def wrong_way(slope):
    """How far the slopes point against physics."""
    return tf.reduce_mean(tf.nn.relu(-slope * MONOTONE))


def train(model, x, y, epochs, weight=0.5):
    opt = tf.keras.optimizers.Adam(0.01)
    rows = []
    for epoch in range(epochs):
        for part in np.array_split(np.random.permutation(len(x)), 3):
            batch, seen = tf.constant(x[part]), tf.constant(y[part])
            with tf.GradientTape() as tape:
                error = tf.reduce_mean(tf.square(model(batch) - seen))
                against = wrong_way(model.slope(batch))
                loss = error + weight * against
            grads = tape.gradient(loss, model.trainable_variables)
            opt.apply_gradients(zip(grads, model.trainable_variables))
            rows.append((float(error), float(against)))
        mean = np.mean(rows[-3:], axis=0)
        print(f"epoch {epoch} error {mean[0]:.4f} against physics {mean[1]:.5f}")
    return np.array(rows)


def safe_charge(model, distance, limit):
    """Largest charge on a grid that keeps the forecast below the limit."""
    grid = np.linspace(0.2, 1.0, 17, dtype="float32")
    x = np.stack([grid, np.full_like(grid, distance), np.full_like(grid, 0.5)], axis=1)
    peak = np.exp(model(x).numpy()[:, 0])
    allowed = grid[peak < limit]
    return float(allowed.max()) if allowed.size else 0.0


if __name__ == "__main__":
    rng = np.random.default_rng(101)
    x, y = blasts(54, rng)
    model = VibrationModel()
    model(x[:1])
    history = train(model, x, y, epochs=3)
    print("safe charge at 0.9 km:", safe_charge(model, 0.9, 1.0), " best error", history[:, 0].min().round(4))
