"""Watering model for a roof garden, written against TensorFlow's own NumPy namespace. Everything is differentiable."""
import json

import numpy
import tensorflow as tf
import tensorflow.experimental.numpy as np
from numpy.random import default_rng

BEDS = 5


def weather(days, rng):
    """Plain arrays from the real NumPy: sun hours and rain."""
    sun = numpy.clip(rng.normal(7.0, 2.5, size=days), 0.0, 14.0)
    rain = numpy.where(rng.random(days) < 0.3, rng.gamma(2.0, 3.0, size=days), 0.0)
    return numpy.float32(sun), numpy.float32(rain)


class Bed:
    """Soil bucket of one bed; what it does not need runs off."""

    def __init__(self, depth, name):
        self.depth = depth
        self.name = name
        self.thirst = tf.Variable(0.5, name=f"thirst_{name}")
        self.leak = tf.Variable(0.1, name=f"leak_{name}")

    def moisture(self, sun, rain):
        level = tf.constant(0.5 * self.depth)
        levels = []
        for hours, fall in zip(sun, rain):
            used = np.minimum(self.thirst * np.sqrt(np.maximum(hours, 0.0)), level)
            level = np.clip(level + fall - used - self.leak * level, 0.0, self.depth)
            levels.append(level)
        return np.stack(levels)


def misfit(modelled, probe):
    gap = np.subtract(modelled, probe)
    return np.mean(np.square(gap)) + 0.1 * np.abs(np.mean(gap))


def probes(rng, sun, rain):
    rows = []
    for depth, thirst, leak in zip(numpy.linspace(8, 16, BEDS), rng.uniform(0.4, 0.9, BEDS), rng.uniform(0.05, 0.2, BEDS)):
        level, row = 0.5 * depth, []
        for hours, fall in zip(sun, rain):
            level = min(max(level + fall - min(thirst * hours ** 0.5, level) - leak * level, 0.0), depth)
            row.append(level)
        rows.append(row)
    table = numpy.array(rows, dtype="float32") + rng.normal(0, 0.1, size=(BEDS, len(sun))).astype("float32")
    table[table < 0] = 0.0
    return table


def main():
    rng = default_rng(10)
    sun, rain = weather(12, rng)
    table = probes(rng, sun, rain)
    beds = [Bed(float(depth), str(k)) for k, depth in enumerate(numpy.linspace(8, 16, BEDS))]
    optimizer = tf.keras.optimizers.Adam(0.05)
    variables = [v for bed in beds for v in (bed.thirst, bed.leak)]
    history = []
    for _ in range(3):
        with tf.GradientTape() as tape:
            losses = [misfit(bed.moisture(sun, rain), row) for bed, row in zip(beds, table)]
            loss = np.mean(np.array(losses))
        grads = tape.gradient(loss, variables)
        optimizer.apply_gradients(zip(grads, variables))
        history.append({"loss": round(float(loss), 4), "worst": beds[int(numpy.argmax([float(l) for l in losses]))].name})
    print(json.dumps(history))
    print("gradient norms", numpy.round([numpy.linalg.norm(g) for g in grads], 3).tolist())


if __name__ == "__main__":
    main()
