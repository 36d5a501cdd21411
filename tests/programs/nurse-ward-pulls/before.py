"""Bed occupancy forecast for three wards of very different size; the smallest one must not be drowned out."""
import logging

import numpy as np
import tensorflow as tf
from tensorflow import keras

log = logging.getLogger("wards")

WARDS = ["surgery", "maternity", "geriatrics"]
BEDS = np.array([42.0, 18.0, 30.0])


def ward_history(days, seed=3):
    gen = np.random.default_rng(seed)
    day = np.arange(days)
    season = np.cos(2 * np.pi * day / 365.0)
    weekday = np.eye(7)[day % 7]
    occupancy = np.stack([0.8 + 0.1 * season, 0.6 + 0.05 * weekday[:, 0], 0.9 - 0.08 * season], axis=1)
    occupancy += gen.normal(scale=0.04, size=occupancy.shape)
    occupancy[gen.integers(0, days, size=4)] = np.nan
    for ward in range(len(WARDS)):
        gaps = np.isnan(occupancy[:, ward])
        occupancy[gaps, ward] = np.nanmedian(occupancy[:, ward])
    inputs = np.concatenate([weekday, season[:, None], np.roll(occupancy, 1, axis=0)], axis=1)
    return inputs[1:].astype("float32"), occupancy[1:].astype("float32")


class WardForecaster:
    def __init__(self, rate=0.05):
        self.net = keras.Sequential([
            keras.Input((8 + len(WARDS),)),
            keras.layers.Dense(10, activation="tanh"),
            keras.layers.Dense(len(WARDS)),
        ])
        self.optimizer = keras.optimizers.SGD(rate)
        self.agreement = []

    def pulls(self, inputs, occupancy):
        """Gradients asked for by the smallest ward, and by all the others together."""
        weights = self.net.trainable_variables
        with tf.GradientTape(persistent=True) as tape:
            forecast = self.net(inputs, training=True)
            per_ward = tf.reduce_mean(tf.square(forecast - occupancy), axis=0)

        smallest = int(np.argmin(BEDS))
        rest = tf.reduce_sum(per_ward) - per_ward[smallest]
        small_pull = tape.gradient(2.0 * per_ward[smallest], weights)
        rest_pull = tape.gradient(rest / (len(WARDS) - 1), weights)
        del tape
        return per_ward.numpy(), small_pull, rest_pull

    def update(self, inputs, occupancy):
        per_ward, small_pull, rest_pull = self.pulls(inputs, occupancy)
        mixed = [0.5 * (a + b) for a, b in zip(small_pull, rest_pull)]
        flat = [np.concatenate([g.numpy().ravel() for g in pull]) for pull in (small_pull, rest_pull)]
        self.agreement.append(flat[0] @ flat[1] / np.prod([np.linalg.norm(f) for f in flat]))
        self.optimizer.apply_gradients(zip(mixed, self.net.trainable_variables))
        return per_ward


def worst_miss(net, inputs, occupancy):
    """Largest error in beds, per ward."""
    missed = np.abs(net(inputs).numpy() - occupancy) * BEDS
    return dict(zip(WARDS, missed.max(axis=0).round(1).tolist()))


def main():
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
    inputs, occupancy = ward_history(80)
    cut = int(0.8 * len(inputs))
    forecaster = WardForecaster()
    for epoch in range(3):
        rows = np.random.permutation(cut)
        errors = [forecaster.update(inputs[part], occupancy[part]) for part in np.array_split(rows, 4)]
        log.info("epoch %d mse %s", epoch, np.mean(errors, axis=0).round(4))
    log.info("agreement of the two pulls %.3f", np.mean(forecaster.agreement))
    log.info("worst miss %s", worst_miss(forecaster.net, inputs[cut:], occupancy[cut:]))


if __name__ == "__main__":
    main()
