"""River stage forecast: a calibrated routing model corrected by a network; the two parts have a tape and an optimizer each."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

LAGS = 4


def gauges(hours, rng):
    rain = rng.gamma(0.4, 1.5, hours) * (rng.random(hours) < 0.3)
    upstream = np.zeros(hours)
    downstream = np.zeros(hours)
    for t in range(1, hours):
        upstream[t] = 0.8 * upstream[t - 1] + 0.5 * rain[t]
        downstream[t] = 0.85 * downstream[t - 1] + 0.2 * upstream[max(t - 2, 0)] + 0.01 * rng.normal()
    return rain, upstream, downstream


def windows(series, rng_rows):
    rain, upstream, downstream = series
    x = np.stack([upstream[t - LAGS:t] for t in rng_rows])
    extra = np.stack([rain[t - LAGS:t] for t in rng_rows])
    return x.astype("float32"), extra.astype("float32"), downstream[rng_rows].astype("float32")[:, None]


class Routing(tf.Module):
    """Linear reservoir cascade with two physical parameters."""

    def __init__(self):
        super().__init__(name="routing")
        self.storage = tf.Variable(0.4, name="storage")
        self.gain = tf.Variable(0.6, name="gain")

    def __call__(self, upstream):
        weights = tf.nn.softmax(self.storage * tf.range(LAGS, dtype=tf.float32))
        return self.gain * tf.reduce_sum(upstream * weights, axis=1, keepdims=True)


class Forecaster:
    def __init__(self):
        self.routing = Routing()
        self.corrector = keras.Sequential([keras.Input((2 * LAGS,)), keras.layers.Dense(6, activation="tanh"), keras.layers.Dense(1)])
        self.slow = keras.optimizers.SGD(0.05)
        self.fast = keras.optimizers.Adam(0.01)
        self.trace = []

    def update(self, upstream, rain, stage):
        with tf.GradientTape() as physical:
            routed = self.routing(upstream)
            bulk = tf.reduce_mean(tf.square(routed - stage))
        with tf.GradientTape() as residual:
            correction = self.corrector(tf.concat([upstream, rain], axis=1), training=True)
            left = tf.reduce_mean(tf.square(tf.stop_gradient(stage - routed) - correction))

        routing_grads = residual.gradient(bulk, self.routing.trainable_variables)
        corrector_grads = residual.gradient(left, self.corrector.trainable_variables)
        if any(g is None for g in routing_grads):
            routing_grads = [tf.zeros_like(v) for v in self.routing.trainable_variables]
        self.slow.apply_gradients(zip(routing_grads, self.routing.trainable_variables))
        self.fast.apply_gradients(zip(corrector_grads, self.corrector.trainable_variables))
        self.trace.append((float(bulk), float(left)))

    def forecast(self, upstream, rain):
        return self.routing(upstream) + self.corrector(tf.concat([upstream, rain], axis=1))


def nash_sutcliffe(seen, forecast):
    return 1.0 - np.sum((seen - forecast) ** 2) / np.sum((seen - seen.mean()) ** 2)


def main():
    rng = np.random.default_rng(41)
    series = gauges(160, rng)
    rows = np.arange(LAGS, 160)
    model = Forecaster()
    for epoch in range(3):
        for part in np.array_split(rng.permutation(rows[:-40]), 5):
            model.update(*(tf.constant(a) for a in windows(series, part)))
        print(f"epoch {epoch} bulk and left over", np.mean(model.trace[-5:], axis=0).round(5),
              "gain", round(float(model.routing.gain), 4))
    upstream, rain, stage = windows(series, rows[-40:])
    print("efficiency on the last days", round(float(nash_sutcliffe(stage, model.forecast(upstream, rain).numpy())), 3))


if __name__ == "__main__":
    main()
