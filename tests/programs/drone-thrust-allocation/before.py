"""Gains of a quadrotor's position controller, tuned through a short simulated flight compiled with tf.function."""
import collections

import numpy as np
import tensorflow as tf

GRAVITY = np.array([0.0, 0.0, -9.81], dtype=np.float32)
ARM = 0.2
DT = 0.05
Flight = collections.namedtuple("Flight", "start goal wind")


def mixer():
    """Thrust of four rotors from total thrust and roll, pitch, yaw torque."""
    layout = ARM / np.sqrt(2.0) * np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]])
    matrix = np.vstack([np.ones(4), layout[:, 1], -layout[:, 0], 0.05 * np.array([1, -1, 1, -1])])
    return np.linalg.inv(matrix).astype(np.float32)


MIXER = mixer()


def flights(count, rng):
    for _ in range(count):
        goal = rng.uniform(-1.0, 1.0, size=3)
        wind = rng.normal(0.0, 0.4, size=3)
        wind[2] = 0.0
        yield Flight(np.zeros(3, np.float32), goal.astype(np.float32), np.float32(wind))


class Controller(tf.Module):
    def __init__(self):
        super().__init__()
        self.stiff = tf.Variable([3.0, 3.0, 5.0], name="stiff")
        self.damp = tf.Variable([2.0, 2.0, 3.0], name="damp")
        self.tilt = tf.Variable(0.15, name="tilt")

    def force(self, error, velocity):
        """Wanted force; its horizontal part is limited to a share of the vertical one."""
        wanted = self.stiff * error - self.damp * velocity - GRAVITY
        level = np.linalg.norm(wanted[:2]) + 1e-6
        limit = np.abs(wanted[2]) * np.tan(self.tilt)
        scale = np.where(level > limit, limit / level, 1.0)
        return np.concatenate([wanted[:2] * scale, wanted[2:]])

    def rotors(self, force, heading):
        torque = 0.05 * np.cross(heading, force)
        command = np.concatenate([np.linalg.norm(force)[None], torque])
        thrust = np.clip(np.dot(MIXER, command), 0.0, 6.0)
        return thrust, np.sum(np.square(thrust - np.mean(thrust)))


@tf.function
def fly(controller, flight, steps):
    position, velocity = flight.start, tf.zeros(3)
    heading = tf.constant([1.0, 0.0, 0.0])
    cost = 0.0
    for _ in range(steps):
        force = controller.force(flight.goal - position, velocity)
        thrust, uneven = controller.rotors(force, heading)
        push = force / tf.norm(force) * tf.reduce_sum(thrust)
        velocity += DT * (push + GRAVITY + flight.wind - 0.2 * velocity)
        position += DT * velocity
        cost += tf.reduce_sum(tf.square(flight.goal - position)) + 1e-3 * uneven
    return cost / float(steps), position


def main():
    rng = np.random.default_rng(16)
    controller = Controller()
    optimizer = tf.keras.optimizers.Adam(0.1)
    misses = []
    for n, flight in enumerate(flights(4, rng)):
        with tf.GradientTape() as tape:
            cost, position = fly(controller, Flight(*map(tf.constant, flight)), 12)
        grads = tape.gradient(cost, controller.trainable_variables)
        optimizer.apply_gradients(zip(grads, controller.trainable_variables))
        misses.append(np.linalg.norm(position.numpy() - flight.goal))
        print(f"flight {n}: cost {cost.numpy():.4f} miss {misses[-1]:.3f} m, wind {np.linalg.norm(flight.wind):.2f}")
    print("gains", np.concatenate([controller.stiff.numpy(), controller.damp.numpy()]).round(3), "median miss", np.median(misses).round(3))


main()
