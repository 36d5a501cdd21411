"""Learn bid prices for freight loads; the cost of a bid is piecewise, written with early returns."""
import random

import numpy as np
import tensorflow as tf

LANES = ("north", "south", "port")


class Load:
    """A load to carry: lane, distance, tonnes, and the highest price the shipper would have paid."""

    def __init__(self, rng):
        self.lane = rng.randrange(len(LANES))
        self.distance = rng.uniform(0.5, 3.0)
        self.tonnes = rng.uniform(5.0, 24.0)
        self.limit = (1.1 + 0.2 * self.lane) * self.distance + 0.03 * self.tonnes + rng.gauss(0.0, 0.1)
        if self.limit < 0.2:
            self.limit = 0.2

    def own_cost(self):
        if self.lane == 2 and self.tonnes > 20.0:
            return 0.9 * self.distance + 0.5
        return 0.9 * self.distance


class Bidder(tf.Module):
    def __init__(self):
        super().__init__(name="bidder")
        self.per_km = tf.Variable([1.05, 1.35, 1.45], name="per_km")
        self.per_tonne = tf.Variable(0.03, name="per_tonne")
        self.margin = tf.Variable(0.05, name="margin")

    def price(self, load):
        return self.per_km[load.lane] * load.distance + self.per_tonne * load.tonnes + self.margin

    def regret(self, load):
        """What a bid costs us: nothing inside the band, lost profit above the limit, money left below it."""
        gap = self.price(load) - load.limit
        far = 0.3 + 0.1 * tf.math.log(tf.where(gap > 0.3, gap, 0.3) / 0.3)
        below = tf.where(gap > -0.15, 0.0, 0.5 * tf.square(gap))
        return tf.where(gap > 0.3, far, tf.where(gap > 0, gap, below))

    def floor_penalty(self, load):
        """Bids under our own cost; only counted when they happen."""
        shortfall = load.own_cost() - self.price(load)
        return tf.where(shortfall > 0, 4.0 * shortfall, 0.0)


def train(bidder, loads, rate=0.0005):
    optimizer = tf.keras.optimizers.SGD(rate)
    report = []
    for load in loads:
        with tf.GradientTape() as tape:
            loss = bidder.regret(load) + bidder.floor_penalty(load)
        grads = tape.gradient(loss, bidder.trainable_variables)
        optimizer.apply_gradients(zip(grads, bidder.trainable_variables))
        report.append({"lane": LANES[load.lane], "regret": float(loss), "won": float(bidder.price(load)) <= load.limit})
    return report


def main():
    rng = random.Random(15)
    loads = [Load(rng) for _ in range(24)]
    report = train(Bidder(), loads)
    for name in LANES:
        rows = [r for r in report if r["lane"] == name]
        share = sum(r["won"] for r in rows) / len(rows) if rows else 0.0
        print(f"{name:6s} {len(rows):2d} loads, won {share:.2f}, mean regret {np.mean([r['regret'] for r in rows]):.4f}")


if __name__ == "__main__":
    main()
