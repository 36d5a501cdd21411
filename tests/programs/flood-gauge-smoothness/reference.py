"""Interpolate river levels between gauges; a smoothness term is meant to hold the curve in check."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import Sequential
from tensorflow.keras.layers import Dense, Input
from tensorflow.keras.optimizers import Adam

GAUGES_KM = np.array([0.0, 3.5, 9.0, 14.0, 22.5, 30.0], dtype="float32")
GRID_KM = np.linspace(0.0, 30.0, 31, dtype="float32")


def readings(days, seed=40):
    """Level over datum at each gauge, one row a day, with a flood wave running through."""
    gen = np.random.default_rng(seed)
    rows = []
    for day in range(days):
        crest = 5.0 + 6.0 * day
        wave = 1.5 * np.exp(-((GAUGES_KM - crest) / 5.0) ** 2)
        rows.append(4.0 - 0.1 * GAUGES_KM + wave + gen.normal(0.0, 0.05, size=GAUGES_KM.shape))
    table = np.array(rows, dtype="float32")
    table[gen.random(table.shape) < 0.2] = np.nan
    return table


def features(km):
    scaled = km / 30.0
    return np.stack([scaled] + [np.sin(np.pi * k * scaled) for k in (1, 2, 3)], axis=1)


class River:
    def __init__(self, day_readings, stiffness):
        known = np.isfinite(day_readings)
        self.x, self.y = features(GAUGES_KM[known]), day_readings[known][:, None]
        self.grid = features(GRID_KM)
        self.stiffness = np.float32(stiffness)
        self.curve = Sequential([Input((4,)), Dense(8, activation="tanh"), Dense(1)])

    def bending(self):
        """Summed squared second difference along the grid."""
        level = self.curve(self.grid)[:, 0]
        second = level[2:] - 2.0 * level[1:-1] + level[:-2]
        return tf.reduce_sum(tf.square(second))

    def size(self):
        return tf.add_n([tf.nn.l2_loss(w) for w in self.curve.trainable_variables if len(w.shape) > 1])

    def loss(self):
        miss = tf.reduce_mean(tf.square(self.curve(self.x) - self.y))
        return miss + self.stiffness * self.bending() + 1e-3 * self.size()


def settle(river, rounds=4):
    optimizer = Adam(0.03)
    shown = []
    for _ in range(rounds):
        with tf.GradientTape() as tape:
            loss = river.loss()
        weights = river.curve.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        shown.append({"loss": float(loss), "bending": float(river.bending()), "size": round(float(river.size()), 4)})
    return shown


def main():
    table = readings(3)
    print("missing readings", int(np.isnan(table).sum()))
    for day, row in enumerate(table):
        river = River(row, stiffness=0.5 * (day + 1))
        last = settle(river)[-1]
        level = river.curve(river.grid).numpy().ravel()
        print(f"day {day}: loss {last['loss']:.4f} bending {last['bending']:.4f} size {last['size']} "
              f"highest {level.max():.2f} at km {GRID_KM[level.argmax()]:.0f}")


main()
