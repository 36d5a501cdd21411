"""Calibrate an avalanche rule for a dune from two laser scans of its profile."""
import numpy as np
import tensorflow as tf

DX = 0.5
DT = 0.05
STEPS = 12
CELLS = 40


def scan(rng):
    """Profile before the storm, and a noisy one after, made with known coefficients."""
    x = np.arange(CELLS) * DX
    before = 3.0 * np.exp(-((x - 9.0) / 2.4) ** 2) + 1.2 * np.exp(-((x - 15.0) / 1.1) ** 2)
    after = before.copy()
    for _ in range(STEPS):
        slope = np.gradient(after, DX)
        flux = np.where(np.abs(slope) > 0.45, 1.6 * slope, 0.25 * slope)
        after = after + DT * np.gradient(flux, DX)
    after += rng.normal(0.0, 0.002, size=CELLS)
    return x, before.astype("float32"), after.astype("float32")


class Avalanche(tf.Module):
    """Slow creep everywhere, fast sliding where the slope is above the critical one."""

    def __init__(self, critical=0.45):
        super().__init__(name="avalanche")
        self.critical = critical
        self.creep = tf.Variable(0.5, name="creep")
        self.slide = tf.Variable(1.0, name="slide")

    def flux(self, height):
        slope = np.gradient(height, DX)
        steep = np.abs(slope) > self.critical
        return np.where(steep, self.slide * slope, self.creep * slope)

    def run(self, height, steps):
        for _ in range(steps):
            height = height + DT * np.gradient(self.flux(height), DX)
        return height


def volume(height):
    """Sand above the datum, by the trapezoidal rule."""
    return DX * (np.sum(height) - 0.5 * (height[0] + height[-1]))


def calibrate(rule, before, after, iterations=5):
    optimizer = tf.keras.optimizers.Adam(0.1)
    history = np.zeros((iterations, 3))
    for k in range(iterations):
        with tf.GradientTape() as tape:
            final = rule.run(before, STEPS)
            misfit = tf.reduce_mean(tf.square(final - after)) * 1e3
            drift = tf.square(volume(final) - volume(before))
            loss = misfit + 0.1 * drift
        grads = tape.gradient(loss, rule.trainable_variables)
        optimizer.apply_gradients(zip(grads, rule.trainable_variables))
        history[k] = float(loss), rule.creep.numpy(), rule.slide.numpy()
        print(f"iteration {k}: loss {history[k, 0]:.5f} creep {history[k, 1]:.4f} slide {history[k, 2]:.4f}")
    return history


def main():
    x, before, after = scan(np.random.default_rng(14))
    lost = volume(before) - volume(after)
    moved = np.abs(after - before)
    print(f"volume lost {lost:.4f}, largest change {moved.max():.3f} m at x = {x[np.argmax(moved)]:.1f} m")
    rule = Avalanche()
    history = calibrate(rule, before, after)
    crest = np.gradient(np.asarray(rule.run(before, STEPS)), DX)
    print("steepest slope left", np.abs(crest).max().round(3), "improved", bool(history[-1, 0] < history[0, 0]))


if __name__ == "__main__":
    main()
