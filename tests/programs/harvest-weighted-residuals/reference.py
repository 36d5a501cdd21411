"""Wheat yield per field from soil and rain, weighted by area. All the data are double precision."""
from dataclasses import dataclass

import numpy as np
import tensorflow as tf


@dataclass
class Season:
    soil: np.ndarray
    rain: np.ndarray
    area: np.ndarray
    tonnes: np.ndarray

    @classmethod
    def simulate(cls, fields, rng):
        soil = rng.uniform(0.0, 1.0, size=(fields, 3))
        rain = rng.gamma(4.0, 0.25, size=fields)
        area = np.round(rng.lognormal(1.0, 0.5, size=fields), 1)
        per_hectare = 3.0 + soil @ np.array([1.0, 0.5, -0.8]) + 1.5 * np.sqrt(rain)
        return cls(soil, rain, area, np.multiply(per_hectare, area) * rng.normal(1.0, 0.05, size=fields))


class YieldCurve(tf.Module):
    """Linear in the soil, a power law in the rain."""

    def __init__(self):
        super().__init__(name="yield_curve")
        self.soil = tf.Variable(tf.zeros([3]), name="soil")
        self.base = tf.Variable(2.0, name="base")
        self.gain = tf.Variable(1.0, name="gain")
        self.exponent = tf.Variable(0.8, name="exponent")

    def per_hectare(self, season):
        linear = tf.linalg.matvec(tf.cast(season.soil, tf.float32), self.soil)
        rain = tf.multiply(self.gain, tf.pow(tf.cast(season.rain, tf.float32), self.exponent))
        return tf.add(self.base, tf.add(linear, rain))


def weighted_loss(curve, season, delta=1.5):
    """Area-weighted mean of a robust residual, in tonnes per hectare."""
    target = np.divide(season.tonnes, season.area)
    residual = tf.subtract(tf.cast(target, tf.float32), curve.per_hectare(season))
    robust = delta ** 2 * (tf.sqrt(1.0 + tf.square(residual / delta)) - 1.0)
    weights = tf.cast(season.area, tf.float32)
    return tf.reduce_sum(robust * weights) / tf.reduce_sum(weights)


def fit(curve, seasons, optimizer):
    losses = []
    for season in seasons:
        with tf.GradientTape() as tape:
            loss = weighted_loss(curve, season)
        grads = tape.gradient(loss, curve.trainable_variables)
        optimizer.apply_gradients(zip(grads, curve.trainable_variables))
        losses.append(loss.numpy())
    return losses


def main():
    rng = np.random.default_rng(35)
    seasons = [Season.simulate(25, rng) for _ in range(5)]
    curve = YieldCurve()
    losses = fit(curve, seasons, tf.keras.optimizers.Adam(0.05))
    for year, (season, loss) in enumerate(zip(seasons, losses)):
        print(f"{2019 + year}: {season.area.sum():6.1f} ha, loss {loss:.5f}")
    check = Season.simulate(12, rng)
    share = np.average(np.asarray(curve.per_hectare(check)), weights=check.area)
    print("forecast", np.round(share, 3), "t/ha against", np.round(check.tonnes.sum() / check.area.sum(), 3))


if __name__ == "__main__":
    main()
