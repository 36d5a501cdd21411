"""Open lanes at a toll plaza, hour by hour: somebody tried to find whole numbers by gradient descent."""
import numpy as np
import tensorflow as tf

HOURS, MOST = 12, 8
SERVICE = tf.constant([0.0, 9.0, 17.5, 25.5, 33.0, 40.0, 46.5, 52.5, 58.0])      # cars per minute for 0..8 lanes


def arrivals(rng):
    hour = np.arange(HOURS)
    level = 12.0 + 25.0 * np.exp(-0.5 * ((hour - 3) / 1.2) ** 2) + 20.0 * np.exp(-0.5 * ((hour - 9) / 1.6) ** 2)
    return rng.poisson(level).astype(np.float32)


class Roster:
    def __init__(self, start):
        self.lanes = tf.Variable(np.asarray(start, dtype=np.int32), name="lanes")
        self.patience = tf.Variable(2.0, name="patience")

    def capacity(self):
        """Looked up in the measured table: lanes hinder each other, there is no formula."""
        return tf.gather(SERVICE, self.lanes)

    def waiting(self, cars):
        load = cars / (self.capacity() + 1.0)
        return tf.nn.softplus(self.patience * (load - 0.8))

    def changes(self):
        return tf.reduce_sum(tf.abs(self.lanes[1:] - self.lanes[:-1]))


def cost(roster, cars):
    staff = 0.08 * tf.cast(tf.reduce_sum(roster.lanes), tf.float32)
    moved = 0.02 * tf.cast(roster.changes(), tf.float32)
    return tf.reduce_mean(roster.waiting(cars)) + staff / HOURS + moved / HOURS


def descend(roster, cars, rate=3.0):
    with tf.GradientTape() as tape:
        value = cost(roster, cars)
    slopes = tape.gradient(value, [roster.lanes, roster.patience])
    step = tf.cast(tf.round(rate * slopes[0]), tf.int32)
    roster.lanes.assign(tf.clip_by_value(roster.lanes - step, 1, MOST))
    return float(value)


def by_hand(cars):
    """The rule in use today: one lane for every eight cars a minute."""
    return np.clip(np.ceil(cars / 8.0), 1, MOST).astype(int)


def main():
    rng = np.random.default_rng(20)
    days = np.stack([arrivals(rng) for _ in range(4)])
    roster = Roster(by_hand(days.mean(axis=0)))
    print("today", round(float(cost(roster, tf.constant(days[0]))), 4), "lanes", roster.lanes.numpy().tolist())
    costs = [descend(roster, tf.constant(cars)) for cars in days]
    print("cost by day", np.round(costs, 4), "lanes", roster.lanes.numpy().tolist())


if __name__ == "__main__":
    main()
