"""Wave height at six buoys from pressure and wind; the buoys fail often, so the labels are full of NaN."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

BUOYS = ("A1", "A2", "B1", "B2", "C1", "C2")


def archive(hours, seed=71):
    rng = np.random.default_rng(seed)
    pressure = np.cumsum(rng.normal(size=hours)) * 0.3
    wind = np.abs(rng.normal(6.0, 3.0, size=hours))
    exposure = np.linspace(0.6, 1.4, len(BUOYS))
    height = 0.05 * wind[:, None] ** 1.3 * exposure - 0.02 * pressure[:, None] + rng.normal(0.0, 0.05, (hours, len(BUOYS)))
    height[rng.random(height.shape) < 0.3] = np.nan
    height[:, 4] = np.where(np.arange(hours) < hours // 2, np.nan, height[:, 4])
    x = np.stack([pressure, wind, np.gradient(pressure)], axis=1)
    return ((x - x.mean(axis=0)) / x.std(axis=0)).astype("float32"), height.astype("float32")


def masked_error(height, forecast):
    """Root mean square per buoy over the hours it was alive, averaged over the buoys that have any."""
    alive = ~np.isnan(height)
    square = tf.where(alive, tf.square(forecast - np.where(alive, height, 0.0).astype("float32")), 0.0)
    reporting = np.flatnonzero(alive.any(axis=0))
    total = tf.gather(tf.reduce_sum(square, axis=0), reporting)
    per_buoy = total / alive.sum(axis=0)[reporting].astype("float32")
    return tf.reduce_mean(tf.sqrt(per_buoy + 1e-8))


def bias(height, forecast):
    """Mean of forecast minus label where there is a label."""
    gap = tf.where(np.isnan(height), 0.0, forecast - height)
    return tf.reduce_sum(gap) / np.count_nonzero(np.isfinite(height))


class WaveNet(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = keras.layers.Dense(10, activation="swish")
        self.outer = keras.layers.Dense(len(BUOYS), activation="softplus")

    def call(self, x):
        return self.outer(self.inner(x))


def skill(net, x, height):
    """1 - mse / variance for each buoy; NaN where a buoy never reported."""
    miss = np.nanmean((net(x).numpy() - height) ** 2, axis=0)
    return 1.0 - miss / np.nanvar(height, axis=0)


def main():
    x, height = archive(90)
    print("share of gaps", {b: round(float(s), 2) for b, s in zip(BUOYS, np.isnan(height).mean(axis=0))})
    net, optimizer = WaveNet(), keras.optimizers.Adam(0.02)
    trace = []
    for epoch in range(2):
        for start in range(0, len(x), 30):
            rows = slice(start, start + 30)
            with tf.GradientTape() as tape:
                forecast = net(x[rows], training=True)
                loss = masked_error(height[rows], forecast) + 0.1 * tf.abs(bias(height[rows], forecast))
                loss = tf.convert_to_tensor(loss, dtype=tf.float32)
            grads = tape.gradient(loss, net.trainable_variables)
            optimizer.apply_gradients(zip(grads, net.trainable_variables))
            trace.append(float(loss))
    print("loss", np.round(trace, 4).tolist(), "finite", bool(np.isfinite(trace).all()))
    print("skill", np.nan_to_num(skill(net, x, height), nan=-9.0).round(3).tolist())


if __name__ == "__main__":
    main()
