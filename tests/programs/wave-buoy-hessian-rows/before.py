"""Fit a JONSWAP-like spectrum to a wave buoy by damped Newton steps with an exact Hessian."""
import numpy as np
import tensorflow as tf

FREQ = np.linspace(0.05, 0.4, 24)
NAMES = ("log height", "log peak", "log sharpness")


def measured(rng):
    spectrum = shape(np.log([2.1, 0.12, 2.5]), FREQ)
    return spectrum * rng.gamma(8.0, 1.0 / 8.0, size=FREQ.size) + 1e-3


def shape(theta, freq):
    """Reference form in NumPy, for the synthetic record and the plot."""
    height, peak, sharpness = np.exp(theta)
    ratio = peak / freq
    body = height ** 2 * ratio ** 5 * np.exp(-1.25 * ratio ** 4)
    width = np.where(freq <= peak, 0.07, 0.09)
    return body * sharpness ** np.exp(-0.5 * ((freq - peak) / (width * peak)) ** 2)


class SpectrumFit:
    def __init__(self, spectrum):
        self.freq = tf.constant(FREQ, dtype=tf.float64)
        self.seen = tf.constant(spectrum, dtype=tf.float64)
        self.theta = tf.Variable(np.log([1.5, 0.15, 1.5]), dtype=tf.float64, name="theta")
        self.damping = 1.0

    def model(self):
        height, peak, sharpness = tf.unstack(tf.exp(self.theta))
        ratio = peak / self.freq
        body = height ** 2 * ratio ** 5 * tf.exp(-1.25 * ratio ** 4)
        bump = tf.exp(-0.5 * tf.square((self.freq - peak) / (0.08 * peak)))
        return body * tf.pow(sharpness, bump)

    def cost(self):
        """Whittle likelihood per frequency."""
        expected = self.model() + 1e-3
        return tf.reduce_mean(tf.math.log(expected) + self.seen / expected)

    def curvature(self):
        with tf.GradientTape(persistent=True) as outer:
            with tf.GradientTape() as inner:
                cost = self.cost()
            slope = inner.gradient(cost, self.theta)
        rows = []
        for k in range(len(NAMES)):
            rows.append(outer.gradient(slope[k], self.theta))
        curve = outer.gradient(tf.reduce_sum(slope ** 2), self.theta)
        del outer
        return cost, slope, tf.stack(rows), curve

    def step(self):
        cost, slope, hessian, curve = self.curvature()
        h = 0.5 * (hessian.numpy() + hessian.numpy().T)
        values, vectors = np.linalg.eigh(h)
        values = np.maximum(np.abs(values), self.damping)
        move = -vectors @ ((vectors.T @ slope.numpy()) / values)
        self.theta.assign_add(np.clip(move, -0.3, 0.3))
        after = float(self.cost())
        self.damping *= 0.5 if after < float(cost) else 4.0
        return float(cost), float(np.linalg.norm(slope)), float(np.linalg.norm(curve)), values.min()


def main():
    rng = np.random.default_rng(71)
    fit = SpectrumFit(measured(rng))
    table = [fit.step() for _ in range(6)]
    for turn, (cost, slope, curve, smallest) in enumerate(table):
        print(f"turn {turn}: cost {cost:.5f} slope {slope:.4f} curve {curve:.4f} smallest eigenvalue {smallest:.4f}")
    found = np.exp(fit.theta.numpy())
    print({name.split()[1]: round(float(v), 3) for name, v in zip(NAMES, found)})
    gap = np.abs(shape(fit.theta.numpy(), FREQ) - fit.seen.numpy())
    print("worst frequency", FREQ[int(gap.argmax())].round(3), "fell by", round(table[0][0] - table[-1][0], 4))


main()
