"""Velocity prediction for a small yacht: sail and hull coefficients fitted to logged speeds."""
import math
from collections import namedtuple

import numpy as np
import tensorflow as tf

Run = namedtuple("Run", "wind angle speed")
AREA, LENGTH = 28.0, 8.5
HULL_SPEED = 1.34 * math.sqrt(LENGTH / 0.3048)


def logbook(count, rng):
    runs = []
    for _ in range(count):
        wind, angle = rng.uniform(4.0, 18.0), rng.uniform(40.0, 160.0)
        drive = 0.5 * wind ** 2 * AREA * (0.011 * math.sin(math.radians(angle)) + 0.002)
        speed = min(math.sqrt(drive / 0.42), 0.95 * HULL_SPEED)
        runs.append(Run(wind, angle, round(speed + rng.normal(0, 0.1), 2)))
    return sorted(runs, key=lambda run: run.angle)


class Yacht(tf.Module):
    def __init__(self):
        super().__init__(name="yacht")
        self.lift = tf.Variable(0.008, name="lift")
        self.drag = tf.Variable(0.004, name="drag")
        self.resistance = tf.Variable(0.6, name="resistance")
        self.limit = tf.Variable(0.9, name="limit")

    def drive(self, wind, angle):
        radians = math.radians(angle)
        force = self.lift * math.sin(radians) - self.drag * math.cos(radians) * 0.5
        return 0.5 * wind ** 2 * AREA * force

    def speed(self, wind, angle):
        free = tf.sqrt(self.drive(wind, angle) / self.resistance)
        return tf.minimum(free, self.limit * HULL_SPEED)


def misfit(yacht, runs):
    gaps = [yacht.speed(run.wind, run.angle) - run.speed for run in runs]
    square = sum(gap ** 2 for gap in gaps) / len(runs)
    worst = max(abs(gap) for gap in gaps)
    return square + 0.1 * worst


RATES = {"lift": 2e-6, "drag": 2e-6, "resistance": 5e-3, "limit": 5e-3}


def fit(yacht, runs, turns):
    table = []
    for turn in range(turns):
        with tf.GradientTape() as tape:
            loss = tf.convert_to_tensor(misfit(yacht, runs), dtype=tf.float32)
        slopes = tape.gradient(loss, {name: getattr(yacht, name) for name in RATES})
        for name, slope in slopes.items():
            getattr(yacht, name).assign_sub(RATES[name] * slope)
        table.append(float(loss))
        print(f"turn {turn}: misfit {table[-1]:.5f}")
    return table


def polar(yacht, wind):
    """Speeds over the angles, as plain floats for the chart."""
    speeds = [round(float(yacht.speed(wind, angle)), 2) for angle in range(40, 161, 30)]
    return speeds, max(speeds), sum(speeds) / len(speeds)


if __name__ == "__main__":
    runs = logbook(18, np.random.default_rng(4))
    yacht = Yacht()
    table = fit(yacht, runs, turns=6)
    speeds, fastest, mean = polar(yacht, 10.0)
    print("fell by", round(table[0] - min(table), 4), "polar", speeds, "fastest", fastest, "mean", round(mean, 2))
    print({name: round(float(getattr(yacht, name)), 4) for name in RATES})
