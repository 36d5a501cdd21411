"""Snow load on a roof: density network and drift network chained, with a running normalisation between them."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, Sequential

NORM = 9.81


def stations(count, rng):
    depth = rng.gamma(3.0, 0.2, count)
    age = rng.uniform(0, 30, count)
    wind = rng.weibull(2.0, count) * 4.0
    density = 0.15 + 0.25 * (1.0 - np.exp(-age / 12.0))
    drift = 1.0 + 0.12 * np.maximum(wind - 3.0, 0.0)
    load = depth * density * drift * NORM * rng.lognormal(0.0, 0.05, count)
    x = np.column_stack([depth, age / 30.0, wind / 8.0])
    return x.astype(np.float32), load.astype(np.float32)[:, None]


class Scale:
    """Running mean and spread; kept outside the gradient."""

    def __init__(self, momentum=0.9):
        self.mean = tf.Variable(0.0, trainable=False)
        self.spread = tf.Variable(1.0, trainable=False)
        self.momentum = momentum

    def update(self, values):
        self.mean.assign(self.momentum * self.mean + (1.0 - self.momentum) * tf.reduce_mean(values))
        self.spread.assign(self.momentum * self.spread + (1.0 - self.momentum) * tf.math.reduce_std(values))

    def __call__(self, values):
        return (values - self.mean) / (self.spread + 1e-3)


class SnowLoad:
    def __init__(self):
        self.density = Sequential([layers.Input((2,)), layers.Dense(8, activation="tanh"), layers.Dense(1, activation="softplus")])
        self.drift = Sequential([layers.Input((2,)), layers.Dense(8, activation="tanh"), layers.Dense(1, activation="softplus")])
        self.exposure = tf.Variable(1.0, name="exposure")
        self.scale = Scale()

    @property
    def variables(self):
        return [*self.density.trainable_variables, *self.drift.trainable_variables, self.exposure]

    def forward(self, x, training=False):
        depth, wind = x[:, :1], x[:, 2:]
        density = tf.Variable(self.density(x[:, :2], training=training), trainable=False)
        if training:
            self.scale.update(density)
        blown = self.drift(tf.concat([self.scale(density), wind], axis=1), training=training)
        factor = tf.constant(blown, dtype=tf.float32)
        exposure = tf.constant(self.exposure, dtype=tf.float32)
        return NORM * exposure * depth * density * factor


def relative_loss(load, forecast):
    ratio = tf.math.log(forecast + 1e-3) - tf.math.log(load + 1e-3)
    return tf.reduce_mean(tf.square(tf.convert_to_tensor(ratio)))


def train(model, x, load, epochs):
    opt = tf.keras.optimizers.Adam(0.02)
    for epoch in range(epochs):
        losses = []
        for rows in np.array_split(np.random.permutation(len(x)), 4):
            with tf.GradientTape() as tape:
                loss = relative_loss(tf.constant(load[rows]), model.forward(tf.constant(x[rows]), training=True))
            grads = tape.gradient(loss, model.variables)
            opt.apply_gradients(zip(grads, model.variables))
            losses.append(float(loss))
        print(f"epoch {epoch}: {np.mean(losses):.5f}  density mean {float(model.scale.mean):.3f}")


def main():
    rng = np.random.default_rng(47)
    x, load = stations(64, rng)
    model = SnowLoad()
    train(model, x[:48], load[:48], epochs=3)
    forecast = model.forward(tf.constant(x[48:])).numpy()
    ratio = forecast / load[48:]
    print("held-out ratio, quartiles", np.percentile(ratio, [25, 50, 75]).round(3), "overloaded", int((forecast > 6.0).sum()))


if __name__ == "__main__":
    main()
