"""Which pumping rates drive the drawdown at which monitoring well: a sensitivity table from a learned aquifer model."""
import csv
import io
import math

import numpy as np
import tensorflow as tf

PUMPS = [(0.0, 0.0), (1.2, 0.4), (0.3, 1.5), (1.6, 1.7)]
WELLS = {"old mosque": (0.4, 0.3), "date garden": (1.0, 1.1), "school": (1.5, 0.9)}


def distances():
    table = np.empty((len(WELLS), len(PUMPS)), dtype=np.float32)
    for row, (wx, wy) in enumerate(WELLS.values()):
        for column, (px, py) in enumerate(PUMPS):
            table[row, column] = math.hypot(wx - px, wy - py)
    return table


class Aquifer(tf.Module):
    """Steady drawdown of each well: log-distance kernel with learned transmissivity, reach and a dry-season term."""

    def __init__(self, reach=3.0):
        super().__init__(name="aquifer")
        self.distance = tf.constant(distances())
        self.log_transmissivity = tf.Variable(tf.zeros([len(WELLS)]), name="log_t")
        self.log_reach = tf.Variable(math.log(reach), name="log_reach")

    def drawdown(self, rates):
        kernel = tf.nn.softplus(self.log_reach - tf.math.log(self.distance))
        linear = tf.linalg.matvec(kernel, rates) / (2.0 * math.pi * tf.exp(self.log_transmissivity))
        return linear + 0.05 * tf.square(linear)


def observed(rates, rng):
    truth = Aquifer(reach=2.2)
    truth.log_transmissivity.assign([0.3, -0.2, 0.1])
    levels = np.stack([truth.drawdown(r).numpy() for r in rates])
    return levels * rng.lognormal(0.0, 0.02, size=levels.shape).astype(np.float32)


def calibrate(model, rates, levels, rounds):
    optimizer = tf.keras.optimizers.Adam(0.05)
    history = []
    for _ in range(rounds):
        with tf.GradientTape() as tape:
            simulated = tf.stack([model.drawdown(r) for r in rates])
            loss = tf.reduce_mean(tf.square(simulated - levels))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        history.append(loss.numpy())
    return history


def sensitivity_table(model, rates):
    """Rows are wells, columns are pumps."""
    rates = tf.Variable(rates)
    with tf.GradientTape(persistent=True) as tape:
        levels = model.drawdown(rates)
    rows = {}
    for index, well in enumerate(WELLS):
        level = levels[index]
        share = level / tf.reduce_sum(levels)
        if well == "school":
            rows[well] = tape.gradient(level, rates)
        else:
            rows[well] = tape.gradient(share, rates)
    del tape
    return {well: (row.numpy(), int(np.argmax(np.abs(row)))) for well, row in rows.items()}


def as_csv(table):
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["well", *[f"pump{k}" for k in range(len(PUMPS))], "main"])
    for well, (row, main_pump) in table.items():
        writer.writerow([well, *np.round(row, 4).tolist(), main_pump])
    return out.getvalue()


if __name__ == "__main__":
    rng = np.random.default_rng(12)
    pumping = rng.gamma(2.0, 0.4, size=(6, len(PUMPS))).astype(np.float32)
    aquifer = Aquifer()
    curve = calibrate(aquifer, pumping, observed(pumping, rng), rounds=6)
    print("misfit", np.round(curve, 4), "kept" if curve[-1] < curve[0] else "worse")
    print(as_csv(sensitivity_table(aquifer, pumping.mean(axis=0))))
