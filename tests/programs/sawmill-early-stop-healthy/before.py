"""Log volume from scanner outlines: training loop with averaged weights, early stopping, restarts and a JSON record."""
import copy
import io
import json

import numpy as np
import tensorflow as tf
from tensorflow import keras


def scans(count, rng):
    diameter = rng.normal(0.35, 0.08, count).clip(0.15)
    taper = rng.gamma(2.0, 0.01, count)
    length = rng.uniform(3.0, 6.0, count)
    sweep = rng.exponential(0.02, count)
    volume = np.pi / 4 * (diameter - 0.5 * taper * length) ** 2 * length * (1.0 - sweep)
    x = np.stack([diameter / 0.35 - 1, 20 * taper, length / 4.5 - 1, 20 * sweep], axis=1)
    return x.astype(np.float32), volume.astype(np.float32)[:, None]


class Averaged:
    """Exponential average of the weights, swapped in for evaluation."""

    def __init__(self, model, keep=0.8):
        self.model, self.keep = model, keep
        self.copies = [tf.Variable(v.value, trainable=False) for v in model.trainable_variables]

    def update(self):
        for copy_, v in zip(self.copies, self.model.trainable_variables):
            copy_.assign(self.keep * copy_ + (1.0 - self.keep) * v)

    def __enter__(self):
        self.live = [v.numpy() for v in self.model.trainable_variables]
        for v, copy_ in zip(self.model.trainable_variables, self.copies):
            v.assign(copy_)

    def __exit__(self, *error):
        for v, value in zip(self.model.trainable_variables, self.live):
            v.assign(value)


class Stopper:
    def __init__(self, patience):
        self.patience, self.left = patience, patience
        self.best, self.weights = np.inf, None

    def should_stop(self, value, model):
        if value < self.best - 1e-5:
            self.best, self.left = float(value), self.patience
            self.weights = copy.deepcopy(model.get_weights())
        else:
            self.left -= 1
        return self.left < 0


def held_out(model, x, y):
    guess = model.predict_on_batch(x)
    error = np.asarray(guess) - y
    return float(np.sqrt(np.mean(error ** 2))), float(np.percentile(np.abs(error), 90))


def train(model, data, held, epochs=4):
    opt, average, stopper = keras.optimizers.Adam(0.02), Averaged(model), Stopper(patience=1)
    record, scale = [], 1.0
    for epoch in range(epochs):
        seen = 0.0
        for x, volume in data:
            with tf.GradientTape(persistent=True) as tape:
                guess = model(x, training=True)
                error = guess - volume
                loss = tf.reduce_mean(tf.square(error)) / scale
                worst = float(np.max(np.abs(error.numpy())))
                if worst > 50.0:
                    print("odd batch", np.argmax(np.abs(error)))
            grads = tape.gradient(loss, model.trainable_variables)
            shown = loss * scale
            norm = np.sqrt(sum(float(tf.reduce_sum(g ** 2)) for g in grads))
            if norm > 5.0:
                grads = [g * (5.0 / norm) for g in grads]
            del tape
            opt.apply_gradients(zip(grads, model.trainable_variables))
            average.update()
            seen += shown.numpy().item()
        with average:
            rmse, tail = held_out(model, *held)
        record.append({"epoch": epoch, "train": seen / len(data), "rmse": rmse, "tail": tail, "rate": float(opt.learning_rate)})
        if stopper.should_stop(rmse, model):
            break
        opt.learning_rate.assign(0.7 * opt.learning_rate)
    model.set_weights(stopper.weights)
    return record


if __name__ == "__main__":
    rng = np.random.default_rng(61)
    data = tf.data.Dataset.from_tensor_slices(scans(48, rng)).batch(12)
    held = scans(16, rng)
    net = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(10, activation="swish"), keras.layers.Dense(1)])
    out = io.StringIO()
    json.dump(train(net, data, held), out, indent=None)
    print(out.getvalue())
    print("restored", [round(v, 4) for v in held_out(net, *held)])
