"""Tamping plan for a railway line: how many millimetres to lift at each sleeper group, by descent on a track-quality index."""
import numpy as np
import tensorflow as tf

GROUPS = 10
SETTLE = 0.3


def surveyed(rng):
    """Measured sag in millimetres, rounded by the trolley to whole ones."""
    sag = 6.0 + 3.0 * np.sin(np.linspace(0, 5, GROUPS)) + rng.normal(0, 1.0, GROUPS)
    return np.rint(sag).astype(int)


def roughness(level):
    bend = level[2:] - 2.0 * level[1:-1] + level[:-2]
    return tf.reduce_mean(tf.square(bend))


class TampingPlan:
    def __init__(self, sag, budget=40.0):
        self.sag = tf.constant(sag, dtype=tf.float32)
        self.budget = budget
        self.lift = tf.Variable([5] * GROUPS, name="lift")
        self.crown = tf.Variable(0.5, name="crown")

    def level(self):
        lift = tf.cast(self.lift, tf.float32)
        cambered = self.crown * tf.constant(np.hanning(GROUPS), dtype=tf.float32)
        return (1.0 - SETTLE) * lift - self.sag + cambered

    def cost(self):
        lift = tf.cast(self.lift, tf.float32)
        level = self.level()
        over = tf.nn.relu(tf.reduce_sum(lift) - self.budget)
        return roughness(level) + 0.5 * tf.reduce_mean(tf.square(level)) + 0.05 * over

    def improve(self, rate):
        with tf.GradientTape() as tape:
            cost = self.cost()
        lift_slope, crown_slope = tape.gradient(cost, [self.lift, self.crown])
        self.lift.assign_sub(rate * lift_slope)
        self.crown.assign_sub(0.1 * rate * crown_slope)
        return float(cost)


def work_order(plan):
    """What the crew gets: whole millimetres and the sleepers to skip."""
    lift = np.rint(np.asarray(plan.lift)).astype(int)
    skipped = np.flatnonzero(lift < 2)
    order = np.zeros(GROUPS, dtype=[("group", int), ("lift", int)])
    order["group"] = np.arange(GROUPS)
    order["lift"] = np.where(lift < 2, 0, lift)
    return order, skipped


def main():
    rng = np.random.default_rng(33)
    sag = surveyed(rng)
    plan = TampingPlan(sag)
    costs = []
    for turn in range(12):
        costs.append(plan.improve(rate=0.4))
        if turn % 4 == 0:
            print(f"turn {turn:2d} cost {costs[-1]:.4f} total lift {np.sum(plan.lift.numpy()):.1f}")
    order, skipped = work_order(plan)
    print("cost", round(costs[0], 3), "->", round(costs[-1], 3))
    print("order", order.tolist(), "skip", skipped.tolist())


if __name__ == "__main__":
    main()
