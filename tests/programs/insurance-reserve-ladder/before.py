"""Claims reserve by a learned chain ladder: development factors as a smooth curve, cumulative products in NumPy."""
import io

import numpy as np
import tensorflow as tf

TRIANGLE = """
1120 1890 2310 2520 2610 2660
1260 2080 2590 2800 2910
1180 2010 2460 2680
1390 2310 2830
1440 2480
1510
"""


def read_triangle(text):
    """Cumulative claims, NaN where the future is not known yet; in thousands."""
    rows = [np.loadtxt(io.StringIO(line), ndmin=1) for line in text.strip().splitlines()]
    table = np.full((len(rows), len(rows[0])), np.nan)
    for year, row in enumerate(rows):
        table[year, :row.size] = row
    return table / 1000.0


def classic_factors(table):
    """Volume-weighted factors of the textbook."""
    return np.array([np.nansum(table[:-k - 1, k + 1]) / np.sum(table[:len(table) - k - 1, k]) for k in range(table.shape[1] - 1)])


class Ladder(tf.Module):
    """log(factor - 1) is linear in the age; the last step is a tail factor."""

    def __init__(self):
        super().__init__(name="ladder")
        self.start = tf.Variable(-0.2, name="start")
        self.slope = tf.Variable(-0.9, name="slope")
        self.tail = tf.Variable(0.02, name="tail")

    def factors(self, ages):
        return np.add(1.0, np.exp(self.start + self.slope * np.arange(ages, dtype=np.float32)))

    def pattern(self, ages):
        """Share of the ultimate claim known at each age, rising to 1 / (1 + tail)."""
        ahead = np.cumprod(np.flip(self.factors(ages)))
        ultimate = np.append(np.flip(ahead), 1.0) * (1.0 + self.tail)
        return np.reciprocal(ultimate)

    def roughness(self, ages):
        steps = np.diff(np.log(self.factors(ages)), n=1)
        return np.sum(np.power(steps[1:] - steps[:-1], 2)) + np.prod(self.factors(ages)[-2:]) - 1.0


def fit(ladder, table, iterations=5):
    known = np.isfinite(table)
    claims = np.nan_to_num(table).astype(np.float32)
    weight = known[:, 1:].astype(np.float32)
    ages = table.shape[1] - 1
    optimizer = tf.keras.optimizers.Adam(0.05)
    for n in range(iterations):
        with tf.GradientTape() as tape:
            pattern = ladder.pattern(ages)
            ratio = pattern[1:] / pattern[:-1]
            miss = (claims[:, :-1] * ratio - claims[:, 1:]) * weight
            loss = tf.reduce_sum(tf.square(miss)) + 0.01 * ladder.roughness(ages) + 0.1 * tf.square(ladder.tail)
        grads = tape.gradient(loss, ladder.trainable_variables)
        optimizer.apply_gradients([(g, v) for g, v in zip(grads, ladder.trainable_variables) if g is not None])
        print(f"iteration {n}: loss {float(loss):.5f}")
    return np.asarray(ladder.pattern(ages))


def main():
    table = read_triangle(TRIANGLE)
    ladder = Ladder()
    pattern = fit(ladder, table)
    latest = np.array([row[np.isfinite(row)][-1] for row in table])
    age = np.isfinite(table).sum(axis=1) - 1
    reserve = latest / pattern[age] - latest
    print("reserve by year", reserve.round(3).tolist(), "total", np.cumsum(reserve)[-1].round(3))
    print("factors", np.asarray(ladder.factors(table.shape[1] - 1)).round(3), "textbook", classic_factors(table).round(3))


if __name__ == "__main__":
    main()
