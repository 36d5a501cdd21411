"""Tune the shift map of a two-speed gearbox through a differentiable drive cycle, with AutoGraph switched off."""
import numpy as np
import tensorflow as tf

STEP = 1.0
RATIOS = (3.2, 1.4)
MASS = 1200.0


def drive_cycle(seconds, seed):
    """Wanted speed in m/s: random plateaus joined by ramps."""
    gen = np.random.default_rng(seed)
    knots = np.concatenate([[2.0], gen.uniform(3.0, 20.0, size=4), [5.0]])
    speed = np.interp(np.arange(seconds), np.linspace(0, seconds - 1, len(knots)), knots)
    if speed.min() < 0:
        raise ValueError("the car cannot roll backwards")
    return np.maximum(speed + gen.normal(0.0, 0.2, size=seconds), 0.5).astype("float32")


class ShiftMap(tf.Module):
    def __init__(self):
        super().__init__()
        self.shift_speed = tf.Variable(9.0, name="shift_speed")
        self.softness = tf.Variable(1.5, name="softness")
        self.torque_gain = tf.Variable(25.0, name="torque_gain")
        self.idle = tf.Variable(0.4, name="idle")


def losses_in_gear(engine_speed):
    """Friction loss; above 120 rad/s the oil pump bypass opens."""
    friction = 0.02 * engine_speed
    return tf.where(engine_speed > 120.0, friction + 0.001 * tf.square(engine_speed - 120.0), friction)


@tf.function(autograph=False)
def consumption(gearbox, wanted, hybrid=False):
    speed = wanted[0]
    fuel = 0.0
    for second in range(1, wanted.shape[0]):
        upper = tf.sigmoid((speed - gearbox.shift_speed) / gearbox.softness)
        ratio = RATIOS[0] * (1.0 - upper) + RATIOS[1] * upper
        engine_speed = 10.0 * ratio * speed
        demand = gearbox.torque_gain * (wanted[second] - speed)
        accelerating = demand > 0.0
        pull = demand * ratio
        pull_burn = 1e-3 * pull + gearbox.idle * tf.sqrt(tf.where(accelerating, demand, 1.0)) * 0.1
        coast = 0.5 * demand
        coast_burn = 1e-4 * gearbox.idle * engine_speed
        if hybrid:
            coast_burn = coast_burn + 1e-4 * coast
        torque = tf.where(accelerating, pull, coast)
        burn = tf.where(accelerating, pull_burn, coast_burn)
        torque = torque - losses_in_gear(engine_speed)
        speed = speed + STEP * 30.0 * torque / MASS
        speed = tf.where(speed < 0.5, 0.5, speed)
        fuel += burn + 0.01 * tf.square(wanted[second] - speed)
    return fuel


def tune(gearbox, cycles, rounds=3):
    optimizer = tf.keras.optimizers.Adam(0.1)
    log = []
    for n in range(rounds):
        for cycle in cycles:
            with tf.GradientTape() as tape:
                fuel = consumption(gearbox, tf.constant(cycle))
            grads = tape.gradient(fuel, gearbox.trainable_variables)
            optimizer.apply_gradients(zip(grads, gearbox.trainable_variables))
            log.append(float(fuel))
        if log[-1] < 1.1 * min(log):
            print(f"round {n}: fuel {np.mean(log[-len(cycles):]):.4f}")
    return log


def main():
    cycles = [drive_cycle(20, seed) for seed in (3, 4)]
    gearbox = ShiftMap()
    log = tune(gearbox, cycles)
    print("fuel", np.round(log, 3).tolist())
    print({v.name.split(":")[0]: round(float(v), 3) for v in gearbox.trainable_variables}, "top speed", max(c.max() for c in cycles))


main()
