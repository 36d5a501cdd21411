"""Estimate the sound power of every street from readings at the house fronts."""
import numpy as np
import tensorflow as tf

from noisemap import energy_mean, street_levels
from noisemap.tables import survey, without_missing

HOUSES, STREETS, MISSING = 12, 4, -99.0


def cost(power, distances, screens, readings):
    known = tf.cast(readings > MISSING + 1.0, tf.float32)
    gap = known * (street_levels(power, distances, screens) - readings)
    return tf.reduce_sum(tf.square(gap)) / tf.reduce_sum(known) + 0.01 * tf.reduce_mean(tf.square(power))


def main(turns=7, rate=0.4):
    rng = np.random.default_rng(8)
    distances, screens, readings = survey(HOUSES, STREETS, rng)
    power = tf.Variable(tf.zeros([STREETS]), name="power")
    optimizer = tf.keras.optimizers.Adam(rate)
    costs = []
    for turn in range(turns):
        with tf.GradientTape() as tape:
            value = cost(power, distances, screens, readings)
        grads = tape.gradient(value, [power])
        optimizer.apply_gradients(zip(grads, [power]))
        costs.append(float(value))
        print(f"turn {turn}: cost {costs[-1]:.4f}")
    levels = street_levels(power, distances, screens)
    print("power", np.round(power.numpy(), 2), "mean level", round(float(energy_mean(levels)), 2),
          "of readings", round(float(energy_mean(without_missing(readings))), 2), "loudest house", int(np.argmax(levels)))


if __name__ == "__main__":
    main()
