"""Pump scheduling: efficiency of each pump differentiated with respect to the shared speed plan."""
import numpy as np
import tensorflow as tf
from tensorflow import GradientTape, Variable, constant

PUMPS = 3
HOURS = 8
RATED = constant([[1.0, 0.8, 1.3]])


def tariff(hours):
    """Price per kWh, cheap at night."""
    price = np.full(hours, 0.31, dtype=np.float32)
    price[: hours // 3] = 0.18
    return price * (1.0 + 0.02 * np.sin(np.arange(hours)))


def head_curve(speed):
    """Head of every pump at every hour, in bar."""
    flow = RATED * speed
    return 3.0 * tf.square(speed) - 0.6 * tf.square(flow)


class Plan(tf.Module):
    def __init__(self, seed):
        super().__init__()
        start = np.random.default_rng(seed).normal(0.0, 0.3, size=(HOURS, PUMPS))
        self.raw = Variable(start.astype(np.float32), name="raw_speed")
        self.bias = Variable(np.zeros(PUMPS, dtype=np.float32), name="bias")

    def speed(self):
        return 0.4 + 0.8 * tf.sigmoid(self.raw + self.bias)

    def cost_by_pump(self, price):
        speed = self.speed()
        energy = tf.reshape(price, [-1, 1]) * speed ** 3
        shortfall = tf.nn.relu(1.0 - head_curve(speed))
        return tf.reduce_sum(energy, axis=0) + 2.0 * tf.reduce_sum(tf.square(shortfall), axis=0)


def clip_each(grads, limit=1.0):
    return [tf.clip_by_norm(g, limit) for g in grads]


def improve(plan, price, optimizer):
    variables = list(plan.trainable_variables)
    with GradientTape(persistent=True) as tape:
        cost = plan.cost_by_pump(constant(price, tf.float32))
        floor = tf.reduce_min(plan.speed(), axis=0)
        costs = [cost[p] for p in range(PUMPS)]
        floors = [floor[p] * floor[p] for p in range(PUMPS)]

    by_pump = [clip_each(tape.gradient(costs[p], variables)) for p in range(PUMPS)]
    slow = {p: tape.gradient(floors[p], plan.raw) for p in range(PUMPS) if price[p - 1] > 0.2}
    summed = [tf.add_n(parts) for parts in zip(*by_pump)]
    optimizer.apply_gradients(zip(summed, variables))
    return cost.numpy(), {p: float(tf.norm(g)) for p, g in slow.items()}


def report(plan, price):
    speed = plan.speed().numpy()
    spent = (price[:, None] * speed ** 3).sum(axis=0)
    busiest = speed.argmax(axis=0)
    return [f"pump {p}: {spent[p]:.3f} EUR, busiest at {busiest[p]}:00, mean speed {speed[:, p].mean():.3f}" for p in range(PUMPS)]


def main():
    price = tariff(HOURS)
    plan = Plan(seed=8)
    optimizer = tf.keras.optimizers.SGD(0.2)
    curve = np.zeros((5, PUMPS))
    for turn in range(len(curve)):
        curve[turn], slow = improve(plan, price, optimizer)
        print(f"turn {turn} cost {curve[turn].round(4)} slow-side pull {slow}")
    print("saved", (curve[0] - curve[-1]).round(3), "total", np.ptp(curve.sum(axis=1)).round(3))
    print("\n".join(report(plan, price)))


if __name__ == "__main__":
    main()
