"""Biogas digester, a column of cells with diffusion and two learned rates; an explicit scheme on a (time, cell) grid."""
import argparse

import numpy as np
import tensorflow as tf

CELLS, STEPS = 10, 18
DT, DX = 0.05, 0.25


def start_profile():
    depth = np.linspace(0.0, 1.0, CELLS, dtype=np.float32)
    return 1.0 + 0.5 * np.cos(2.0 * np.pi * depth)


class Column(tf.Module):
    def __init__(self, mixing=-3.0, rate=-1.5):
        super().__init__(name="column")
        self.log_mixing = tf.Variable(mixing, name="log_mixing")
        self.log_rate = tf.Variable(rate, name="log_rate")
        self.feed = tf.Variable(0.6, name="feed")

    def integrate(self, start):
        mixing, rate = tf.exp(self.log_mixing), tf.exp(self.log_rate)
        grid = np.zeros((STEPS + 1, CELLS), dtype=np.float32)
        gas = np.zeros(STEPS, dtype=np.float32)
        grid[0] = start
        for t in range(STEPS):
            now = grid[t]
            spread = (now[2:] - 2.0 * now[1:-1] + now[:-2]) / DX ** 2
            burnt = rate * now / (0.5 + now)
            grid[t + 1, 1:-1] = now[1:-1] + DT * (mixing * spread - burnt[1:-1])
            grid[t + 1, 0] = self.feed
            grid[t + 1, -1] = grid[t + 1, -2]
            gas[t] = DX * burnt.numpy().sum()
        return grid, gas


def mismatch(column, start, samples, gas_seen):
    grid, gas = column.integrate(start)
    sampled = np.stack([grid[t, c] for t, c, _ in samples])
    values = np.array([v for _, _, v in samples], dtype=np.float32)
    return tf.reduce_mean(tf.square(sampled - values)) + 0.5 * tf.reduce_mean(tf.square(gas - gas_seen))


def laboratory(rng, start):
    """Grab samples (time, cell, value) and the gas meter, from a column with other rates."""
    truth = Column(mixing=-2.2, rate=-0.7)
    truth.feed.assign(1.1)
    grid, gas = truth.integrate(start)
    picks = [(int(t), int(c)) for t in (6, 12, 18) for c in rng.choice(CELLS - 1, size=3, replace=False)]
    samples = [(t, c, float(grid[t, c]) + rng.normal(0, 0.01)) for t, c in picks]
    return samples, np.asarray(gas) * rng.normal(1.0, 0.02, size=STEPS).astype(np.float32)


def main(args):
    rng = np.random.default_rng(args.seed)
    start = start_profile()
    samples, gas_seen = laboratory(rng, start)
    column = Column()
    opt = tf.keras.optimizers.Adam(args.rate)
    history = []
    for turn in range(args.turns):
        with tf.GradientTape() as tape:
            loss = mismatch(column, tf.constant(start), samples, tf.constant(gas_seen))
        grads = tape.gradient(loss, column.trainable_variables)
        opt.apply_gradients(zip(grads, column.trainable_variables))
        history.append(loss.numpy())
        print(f"turn {turn}: mismatch {history[-1]:.5f} feed {column.feed.numpy():.3f}")
    grid, _ = column.integrate(start)
    top = np.asarray(grid)[:, 1]
    print("best turn", int(np.argmin(history)), "rates", np.exp([column.log_mixing.numpy(), column.log_rate.numpy()]).round(4),
          "second cell", top[[0, -1]].round(3))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--turns", type=int, default=6)
    parser.add_argument("--rate", type=float, default=0.15)
    parser.add_argument("--seed", type=int, default=2)
    main(parser.parse_args())
