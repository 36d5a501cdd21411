"""Grain silo: learn wall friction and flow angle so that the simulated pressure profile matches the load cells."""
import numpy as np
import tensorflow as tf

CELLS = np.array([0.5, 1.5, 2.5, 4.0, 6.0], dtype=np.float32)
DENSITY, GRAVITY = 0.78, 9.81


def janssen(depth, friction, ratio, radius):
    """Wall pressure at each depth (Janssen), with a smooth cap for the hopper."""
    scale = radius / (2.0 * friction * ratio)
    pressure = DENSITY * GRAVITY * scale * (1.0 - np.exp(-depth / scale))
    hopper = 1.0 / (1.0 + np.exp(-(depth - 5.0)))
    pressure = np.where(depth > 3.0, pressure * (1.0 - 0.2 * hopper), pressure)
    return (ratio * pressure).astype(np.float32)


def wall_pressure(depth, friction, ratio, radius=1.8):
    wall = tf.numpy_function(janssen, [depth, friction, ratio, np.float32(radius)], tf.float32)
    wall.set_shape(depth.shape)
    return wall


def robust(residual, width=0.5):
    """Pseudo-Huber, so that one bad load cell does not rule the fit."""
    return tf.reduce_mean(width ** 2 * (tf.sqrt(1.0 + tf.square(residual / width)) - 1.0))


class SiloFit:
    def __init__(self):
        self.raw_friction = tf.Variable(-0.4, name="raw_friction")
        self.raw_ratio = tf.Variable(0.3, name="raw_ratio")
        self.offset = tf.Variable(tf.zeros([len(CELLS)]), name="offset")
        self.optimizer = tf.keras.optimizers.Adam(0.05)
        self.kept = []

    def parameters(self):
        return tf.nn.softplus(self.raw_friction), tf.sigmoid(self.raw_ratio)

    def update(self, readings):
        variables = [self.raw_friction, self.raw_ratio, self.offset]
        with tf.GradientTape() as tape:
            friction, ratio = self.parameters()
            expected = wall_pressure(tf.constant(CELLS), friction, ratio)
            residual = readings - expected - self.offset
            loss = robust(residual) + 0.1 * tf.reduce_mean(tf.square(self.offset))
        grads = tape.gradient(loss, variables)
        pairs = [(g, v) for g, v in zip(grads, variables) if g is not None]
        self.optimizer.apply_gradients(pairs)
        self.kept.append(len(pairs))
        return loss


def load_cells(fillings, rng):
    """Readings from several fillings; the true silo is evaluated with the same formula, in double precision."""
    truth = janssen(CELLS.astype(np.float64), 0.35, 0.55, 1.8)
    readings = truth + rng.normal(0, 0.15, size=(fillings, len(CELLS)))
    readings[rng.integers(fillings), 2] += 3.0
    return np.round(readings, 2).astype(np.float32)


def main():
    rng = np.random.default_rng(16)
    fit = SiloFit()
    losses = np.zeros(10)
    for k, row in enumerate(load_cells(len(losses), rng)):
        losses[k] = fit.update(tf.constant(row))
        if k % 3 == 0:
            print(f"filling {k}: loss {losses[k]:.4f}, {fit.kept[-1]} parts moved")
    friction, ratio = (float(p) for p in fit.parameters())
    profile = janssen(np.linspace(0.1, 6.0, 50), friction, ratio, 1.8)
    print(f"friction {friction:.3f} ratio {ratio:.3f} highest pressure {profile.max():.2f} kPa")
    print("offsets", fit.offset.numpy().round(3), "loss trend", np.polyfit(np.arange(len(losses)), losses, 1)[0].round(4))


if __name__ == "__main__":
    main()
