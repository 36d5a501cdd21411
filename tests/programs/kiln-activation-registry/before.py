"""Kiln temperature curves with home-made activations kept in a registry; the controller picks them by name."""
from functools import partial, reduce

import numpy as np
import tensorflow as tf

ACTIVATIONS = {
    "softplus": lambda x: np.logaddexp(0.0, x),
    "swish": lambda x: x / (1.0 + np.exp(-x)),
    "bump": lambda x: np.exp2(-np.square(x)),
    "squash": np.tanh,
    "hypot": partial(np.hypot, 1.0),
}
LAYOUT = (("squash", 6), ("swish", 6), ("bump", 4), ("hypot", 4))


def register(name):
    def wrap(function):
        ACTIVATIONS[name] = function
        return function
    return wrap


@register("cubic")
def cubic(x):
    return np.cbrt(x * x * x) - 0.1 * np.clip(x, -1.0, 1.0) ** 3


class Kiln:
    """First-order plant with heat loss; simulated in NumPy to make training data."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def firing(self, minutes):
        power = np.repeat(self.rng.uniform(0.0, 1.0, size=minutes // 10), 10)
        temperature = np.empty(minutes)
        temperature[0] = self.rng.uniform(0.0, 0.2)
        for k in range(1, minutes):
            heat = power[k - 1] - 0.3 * temperature[k - 1] - 0.2 * ACTIVATIONS["softplus"](temperature[k - 1] - 1.0)
            temperature[k] = temperature[k - 1] + 0.05 * heat
        return np.stack([power[:-1], temperature[:-1]], axis=1), np.diff(temperature) / 0.05


class Net(tf.Module):
    def __init__(self, inputs, seed=3):
        super().__init__(name="net")
        widths = [inputs, *(width for _, width in LAYOUT)]
        draw = np.random.default_rng(seed)
        self.layers = []
        for (name, width), before in zip(LAYOUT, widths):
            kernel = tf.Variable(draw.normal(scale=1.0 / np.sqrt(before), size=(before, width)).astype("float32"))
            self.layers.append((kernel, tf.Variable(tf.zeros([width])), ACTIVATIONS[name]))
        self.out = tf.Variable(draw.normal(scale=0.3, size=(widths[-1], 1)).astype("float32"))

    def __call__(self, x):
        hidden = reduce(lambda h, layer: layer[2](h @ layer[0] + layer[1]), self.layers, tf.cast(x, tf.float32))
        return ACTIVATIONS["cubic"](tf.matmul(hidden, self.out))[:, 0]


def main():
    kiln = Kiln(seed=13)
    net, optimizer = Net(inputs=2), tf.keras.optimizers.Adam(0.01)
    errors = []
    for _ in range(5):
        x, rate = kiln.firing(60)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(net(x) - rate))
        grads = tape.gradient(loss, net.trainable_variables)
        optimizer.apply_gradients(zip(grads, net.trainable_variables))
        errors.append(float(loss))
    print("errors", np.round(errors, 4).tolist())
    grid = np.linspace(-2.0, 2.0, 5)
    for name in sorted(ACTIVATIONS):
        print(f"{name:>9}", np.asarray(ACTIVATIONS[name](grid)).round(3).tolist())


if __name__ == "__main__":
    main()
