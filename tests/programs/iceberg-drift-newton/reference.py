"""Drift of icebergs: the drift speed solves an implicit force balance, found by Newton's method inside the loss."""
import json

import numpy as np
import tensorflow as tf

TOLERANCE = 1e-4
MAX_NEWTON = 12


def tracks(count, seed=37):
    """Wind and current speed, and the drift that the satellites saw."""
    rng = np.random.default_rng(seed)
    wind, current = rng.uniform(2.0, 14.0, size=count), rng.normal(0.2, 0.1, size=count)
    drift = 0.02 * wind + current
    guess = drift.copy()
    for _ in range(30):
        force = 4e-3 * np.abs(wind - guess) * (wind - guess) - 3.0 * np.abs(guess - current) * (guess - current) - 0.05 * guess
        guess = guess + 0.05 * force
    seen = guess + rng.normal(0.0, 0.01, size=count)
    return [np.asarray(v, dtype="float32") for v in (wind, current, seen)]


class Drag(tf.Module):
    def __init__(self):
        super().__init__(name="drag")
        self.air = tf.Variable(2.5, name="air")        # in units of 1e-3
        self.water = tf.Variable(2.0, name="water")
        self.wave = tf.Variable(0.08, name="wave")

    def balance(self, speed, wind, current):
        """Net force and its derivative with respect to the speed."""
        air, water = wind - speed, speed - current
        force = 1e-3 * self.air * tf.abs(air) * air - self.water * tf.abs(water) * water - self.wave * speed
        slope = -2e-3 * self.air * tf.abs(air) - 2.0 * self.water * tf.abs(water) - self.wave
        return force, tf.minimum(slope, -0.05)

    def solve(self, wind, current):
        speed = np.add(current, np.multiply(0.02, wind))
        rounds = 0
        while rounds < MAX_NEWTON:
            force, slope = self.balance(speed, wind, current)
            move = tf.clip_by_value(tf.divide(force, slope), -0.3, 0.3)
            speed = tf.subtract(speed, move)
            rounds += 1
            if np.max(np.abs(move)) < TOLERANCE:
                break
        return speed, rounds


def main():
    wind, current, seen = tracks(40)
    drag = Drag()
    optimizer = tf.keras.optimizers.Adam(0.05)
    rows = []
    for epoch in range(5):
        part = slice(8 * epoch, 8 * epoch + 8)
        with tf.GradientTape() as tape:
            speed, rounds = drag.solve(wind[part], current[part])
            loss = 1e3 * tf.reduce_mean(tf.square(speed - seen[part]))
        grads = tape.gradient(loss, drag.trainable_variables)
        optimizer.apply_gradients(zip(grads, drag.trainable_variables))
        rows.append({"epoch": epoch, "loss": round(float(loss), 5), "newton": rounds,
                     "fastest": round(float(np.max(speed)), 4)})
    print(json.dumps(rows[-1]), "mean loss", np.mean([row["loss"] for row in rows]).round(5))
    final, _ = drag.solve(wind, current)
    print("rms", np.sqrt(np.mean((np.asarray(final) - seen) ** 2)).round(5), "drag", [round(float(v), 4) for v in drag.trainable_variables])


if __name__ == "__main__":
    main()
