"""Two-burn transfer between orbits: an optimisation over dataclasses whose properties do the NumPy."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import tensorflow as tf

MU = 1.0


class Orbit(NamedTuple):
    radius: float
    period: float

    @classmethod
    def circular(cls, radius):
        return cls(radius, float(2.0 * np.pi * np.sqrt(radius ** 3 / MU)))


@dataclass
class Burn:
    """A change of velocity at a distance; speed and angle may be variables."""

    distance: object
    speed: object
    angle: object

    @property
    def radial(self):
        return self.speed * np.sin(self.angle)

    @property
    def along(self):
        return self.speed * np.cos(self.angle)

    def size(self, local):
        """Length of the velocity change against the local circular speed."""
        return np.sqrt(np.square(self.along - local) + np.square(self.radial))


@dataclass
class Transfer:
    start: Orbit
    goal: Orbit
    burns: list[Burn] = field(default_factory=list)

    @staticmethod
    def circular_speed(distance):
        return np.sqrt(MU / distance)

    @property
    def energy(self):
        first = self.burns[0]
        return 0.5 * np.power(first.speed, 2) - MU / first.distance

    @property
    def momentum(self):
        return self.burns[0].distance * self.burns[0].along

    def apocentre(self):
        """Farthest point of the ellipse after the first burn."""
        eccentricity = np.sqrt(np.maximum(1.0 + 2.0 * self.energy * np.square(self.momentum) / MU ** 2, 1e-6))
        return np.square(self.momentum) / MU / (1.0 - eccentricity)

    def cost(self, weight=10.0):
        total = sum(burn.size(self.circular_speed(burn.distance)) for burn in self.burns)
        reach = self.apocentre() - self.goal.radius
        arrive = self.burns[1].along * self.goal.radius - self.momentum
        return total + weight * (np.square(reach) + np.square(arrive))


def plan(goal, steps=5):
    start = Orbit.circular(1.0)
    names = ("speed_1", "angle_1", "speed_2", "angle_2")
    knobs = {name: tf.Variable(value, name=name) for name, value in zip(names, (1.1, 0.02, 0.75, 0.01))}
    transfer = Transfer(start, goal, [Burn(start.radius, knobs["speed_1"], knobs["angle_1"]),
                                      Burn(goal.radius, knobs["speed_2"], knobs["angle_2"])])
    optimizer = tf.keras.optimizers.Adam(0.01)
    for step in range(steps):
        with tf.GradientTape() as tape:
            cost = tf.convert_to_tensor(transfer.cost())
        grads = tape.gradient(cost, list(knobs.values()))
        optimizer.apply_gradients(zip(grads, knobs.values()))
        print(f"  step {step}: cost {float(cost):.5f} reach {float(transfer.apocentre()):.4f}")
    return {name: knob.numpy().round(4) for name, knob in knobs.items()}


def hohmann(start, goal):
    """Textbook answer, in plain numbers."""
    half = np.sqrt(2.0 * goal.radius / (start.radius + goal.radius))
    return Transfer.circular_speed(start.radius) * (half - 1.0)


if __name__ == "__main__":
    for radius in (1.5, 2.0):
        target = Orbit.circular(radius)
        print(f"radius {radius}, period {target.period:.2f}, first burn by Hohmann {hohmann(Orbit.circular(1.0), target):.4f}")
        print("  found", plan(target))
