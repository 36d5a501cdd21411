"""Reflow oven: a surrogate of the board's temperature profile, and how each zone setting moves the peak and the soak."""
import dataclasses

import numpy as np
import tensorflow as tf

ZONES, SAMPLES = 5, 12
AMBIENT = 25.0


@dataclasses.dataclass
class Spec:
    peak: float = 2.3
    soak: float = 1.6
    soak_window: tuple = (4, 8)


class OvenSurrogate(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.mix = tf.keras.layers.Dense(10, activation="swish")
        self.profile = tf.keras.layers.Dense(SAMPLES)

    def call(self, settings):
        return tf.cumsum(0.2 * tf.nn.softplus(self.profile(self.mix(settings))), axis=1)


def measured_runs(runs, rng):
    settings = rng.uniform(0.5, 2.5, size=(runs, ZONES))
    position = np.linspace(0, ZONES - 1, SAMPLES)
    heat = np.array([np.interp(position, np.arange(ZONES), row) for row in settings])
    profile = np.zeros_like(heat)
    profile[:, 0] = 0.3 * heat[:, 0]
    for k in range(1, SAMPLES):
        profile[:, k] = profile[:, k - 1] + 0.25 * (heat[:, k] - profile[:, k - 1])
    return settings.astype(np.float32), profile.astype(np.float32)


def fit(model, settings, profile, steps=8):
    optimizer = tf.keras.optimizers.Adam(0.02)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(settings, training=True) - profile))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return float(loss)


def retune(model, settings, spec):
    """Gauss-Newton move of the zone settings of each board towards the specification."""
    settings = tf.constant(settings)
    first, last = spec.soak_window
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(settings)
        profile = model(settings)
        peak = tf.reduce_max(profile, axis=1)
        soak = tf.reduce_mean(profile[:, first:last], axis=1)
        features = tf.stack([peak, soak], axis=1)
        every_third = tf.reduce_mean(profile, axis=0)[::3]

    sensitivity = tape.batch_jacobian(features, settings)
    board_mean = tape.jacobian(every_third, settings)
    del tape

    wanted = np.array([spec.peak, spec.soak], dtype=np.float32)
    moves = np.empty(settings.shape, dtype=np.float32)
    for board, jac in enumerate(sensitivity.numpy()):
        error = wanted - features[board].numpy()
        moves[board] = np.linalg.lstsq(jac, error, rcond=0.05)[0]
    spread = np.linalg.norm(board_mean.numpy().reshape(-1, settings.shape[0], ZONES).sum(axis=1), axis=1)
    return np.clip(settings.numpy() + 0.5 * moves, 0.5, 2.5), features.numpy(), spread


def main():
    rng = np.random.default_rng(19)
    settings, profile = measured_runs(40, rng)
    model = OvenSurrogate()
    print("surrogate error", round(fit(model, settings, profile), 5))
    boards, spec = settings[:3], Spec()
    for turn in range(3):
        boards, reached, spread = retune(model, boards, spec)
        gap = np.abs(reached - [spec.peak, spec.soak]).mean(axis=0)
        print(f"turn {turn}: mean gap peak {gap[0]:.4f} soak {gap[1]:.4f}  influence {spread.round(3)}")
    print("settings in degrees", (AMBIENT + 100.0 * boards).round(1).tolist())


if __name__ == "__main__":
    main()
