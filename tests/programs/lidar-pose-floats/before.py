"""Register two lidar scans: the pose goes through Python floats on its way into the rotation matrix."""
import numpy as np
import tensorflow as tf


def room(rng, points=40):
    """Points on the walls of a rectangular room with one open door."""
    along = rng.uniform(-1.0, 1.0, size=points)
    wall = rng.integers(0, 4, size=points)
    x = np.where(wall == 0, 2.0, np.where(wall == 1, -2.0, 2.0 * along))
    y = np.where(wall == 2, 1.5, np.where(wall == 3, -1.5, 1.5 * along))
    door = (wall == 0) & (np.abs(along) < 0.2)
    return np.stack([x[~door], y[~door]], axis=1).astype(np.float32)


def moved(points, angle, shift, rng):
    c, s = np.cos(angle), np.sin(angle)
    return (points @ np.array([[c, s], [-s, c]]) + shift + rng.normal(0, 0.01, points.shape)).astype(np.float32)


class Pose(tf.Module):
    """x, y and heading, plus a learnt scale and a trust for the prior."""

    def __init__(self):
        super().__init__(name="pose")
        self.shift = tf.Variable([0.0, 0.0], name="shift")
        self.heading = tf.Variable(0.0, name="heading")
        self.log_scale = tf.Variable(0.0, name="log_scale")

    def matrix(self):
        heading = np.float64(self.heading)
        scale = float(tf.exp(self.log_scale))
        c, s = np.cos(heading), np.sin(heading)
        return scale * tf.constant([[c, s], [-s, c]], dtype=tf.float32)

    def apply(self, points):
        x, y = self.shift.numpy().tolist()
        return tf.matmul(points, self.matrix()) + tf.constant([x, y])

    def prior(self):
        """Odometry says: little turn, no scaling."""
        turn = self.heading.numpy().item()
        stretch = np.float32(self.log_scale)
        return 0.1 * turn ** 2 + 10.0 * stretch ** 2


def registration_error(pose, source, goal):
    """Mean distance of each moved point to its nearest neighbour (the pairing is held fixed)."""
    there = pose.apply(source)
    gaps = there.numpy()[:, None] - goal[None]
    nearest = np.argmin(np.sum(np.square(gaps), axis=-1), axis=1)
    return tf.reduce_mean(tf.reduce_sum(tf.square(there - goal[nearest]), axis=1)), nearest


def main():
    rng = np.random.default_rng(25)
    source = room(rng)
    goal = moved(source, 0.2, np.array([0.15, -0.1]), rng)
    pose, optimizer = Pose(), tf.keras.optimizers.Adam(0.03)
    log = []
    for step in range(6):
        with tf.GradientTape() as tape:
            error, nearest = registration_error(pose, source, goal)
            loss = error + pose.prior()
        grads = tape.gradient(loss, [pose.shift, pose.heading, pose.log_scale])
        optimizer.apply_gradients(zip(grads, [pose.shift, pose.heading, pose.log_scale]))
        log.append({"step": step, "loss": float(loss), "heading": pose.heading.numpy().item(),
                    "shift": pose.shift.numpy().tolist(), "pairs": int(np.unique(nearest).size)})
    for row in log[::5]:
        print({k: np.round(v, 4).tolist() if k != "pairs" else v for k, v in row.items()})


if __name__ == "__main__":
    main()
