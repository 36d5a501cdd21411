import numpy as np
import tensorflow as tf

from .wakes import deficit, overlap

LIMIT = np.deg2rad(30.0)


class YawPlan(tf.Module):
    """One yaw angle per turbine; yawing bends the wake away and costs own power."""

    def __init__(self, along, across):
        super().__init__(name="yaw_plan")
        self.along, self.across = along, across
        start = 0.2 * np.sin(1.0 + np.arange(len(along)))
        self.raw = tf.Variable(start.astype(np.float32), name="raw")
        self.bend = tf.Variable(0.25, name="bend")

    def angles(self):
        return LIMIT * tf.tanh(self.raw)

    def power(self):
        """Power of every turbine as a share of what it would make alone."""
        yaw = self.angles()
        deflection = self.bend * np.tanh(self.along / 3.0) * yaw[None, :]
        lost = overlap(deficit(self.along, self.across, deflection))
        return (1.0 - lost) ** 3 * tf.cos(yaw) ** 1.88
