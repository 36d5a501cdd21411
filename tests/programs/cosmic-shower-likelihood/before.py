"""Direction and energy of a cosmic-ray shower from detector stations, with the math module on scalar tensors."""
import math
from math import cos, exp, pi, sin

import numpy as np
import tensorflow as tf

SPACING = 150.0
STATIONS = [(SPACING * i, SPACING * j) for i in range(-2, 3) for j in range(-2, 3) if abs(i) + abs(j) < 4]
LIGHT = 0.3  # metres per nanosecond
SIGMA = 4.0


def degrees(angle):
    return 180.0 * float(angle) / pi


def simulate(zenith, azimuth, log_energy, rng):
    """Arrival times in ns and signals for every station that fires."""
    event = []
    for x, y in STATIONS:
        along = sin(zenith) * (x * cos(azimuth) + y * sin(azimuth))
        distance = math.sqrt(max(x * x + y * y - along * along, 1.0))
        expected = exp(log_energy) * math.pow(1.0 + distance / 80.0, -2.4)
        signal = rng.poisson(expected)
        if signal > 0:
            event.append((x, y, -along / LIGHT + rng.normal(0.0, SIGMA), signal))
    return event


class Shower(tf.Module):
    def __init__(self, zenith, azimuth, log_energy):
        super().__init__(name="shower")
        self.zenith = tf.Variable(zenith, name="zenith")
        self.azimuth = tf.Variable(azimuth, name="azimuth")
        self.log_energy = tf.Variable(log_energy, name="log_energy")

    def station(self, x, y):
        """Expected time and signal at one station."""
        along = math.sin(self.zenith) * (x * math.cos(self.azimuth) + y * math.sin(self.azimuth))
        distance = math.sqrt(x * x + y * y - along * along + 1.0)
        return -along / LIGHT, math.exp(self.log_energy) * math.pow(1.0 + distance / 80.0, -2.4)

    def negative_log_likelihood(self, event):
        total = 0.0
        for x, y, time, signal in event:
            when, expected = self.station(x, y)
            pull = (time - when) / SIGMA
            total += 0.5 * pull ** 2 + math.log(SIGMA * math.sqrt(2.0 * pi))
            total += expected - signal * math.log(expected) + math.lgamma(signal + 1.0)
        upgoing = 1.0 / (1.0 + math.exp(-20.0 * (self.zenith - 1.2)))
        return total / len(event) + math.fabs(upgoing) + 0.01 * math.log1p(math.tanh(self.zenith) ** 2)


def reconstruct(shower, event, steps=5):
    optimizer = tf.keras.optimizers.Adam(0.02)
    for step in range(steps):
        with tf.GradientTape() as tape:
            nll = tf.convert_to_tensor(shower.negative_log_likelihood(event))
        grads = tape.gradient(nll, shower.trainable_variables)
        optimizer.apply_gradients(zip(grads, shower.trainable_variables))
        print(f"step {step}: {float(nll):.4f} zenith {degrees(shower.zenith):.2f} azimuth {degrees(shower.azimuth):.2f}")
    return nll.numpy()


def main():
    rng = np.random.default_rng(33)
    truth = (0.5, 1.1, 4.2)
    event = simulate(*truth, rng)
    print(len(event), "of", len(STATIONS), "stations, log10 of the signal", round(math.log10(sum(row[3] for row in event)), 3))
    shower = Shower(0.3, 0.8, 3.9)
    reconstruct(shower, event)
    opening = math.acos(min(1.0, cos(truth[0]) * cos(float(shower.zenith)) + sin(truth[0]) * sin(float(shower.zenith))
                            * cos(truth[1] - float(shower.azimuth))))
    print(f"opening angle {degrees(opening):.2f} degrees, energy ratio {exp(float(shower.log_energy) - truth[2]):.3f}")


if __name__ == "__main__":
    main()
