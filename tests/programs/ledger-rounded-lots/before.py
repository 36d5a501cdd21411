"""Order sizes for a small exchange: the network's wish is rounded to whole lots before the cost is worked out."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import Sequential, layers, optimizers

LOT = 5.0
FEE = 0.2


class Market:
    def __init__(self, items, seed):
        rng = np.random.default_rng(seed)
        self.items = items
        self.price = np.round(rng.lognormal(1.0, 0.3, size=items), 2).astype("float32")
        self.rng = rng

    def day(self):
        """Signals known in the morning and the demand seen in the evening."""
        mood = self.rng.normal(size=(self.items, 3))
        demand = np.maximum(0.0, 20.0 + 6.0 * mood @ np.array([1.0, -0.5, 0.2]) + self.rng.normal(0, 2, self.items))
        return mood.astype("float32"), np.rint(demand).astype("float32")


def whole_lots(amount):
    """Exchanges take whole lots only."""
    lots = tf.round(amount / LOT)
    return LOT * tf.maximum(lots, 0.0)


def day_cost(order, demand, price):
    left_over = tf.nn.relu(order - demand)
    missing = tf.nn.relu(demand - order)
    fees = FEE * tf.math.floor(order / LOT)
    return tf.reduce_mean(price * (0.3 * left_over + 1.0 * missing) + fees)


def main():
    market = Market(12, seed=5)
    net = Sequential([layers.Input((3,)), layers.Dense(6, activation="relu"), layers.Dense(1, bias_initializer=lambda s, dtype: tf.fill(s, 18.0))])
    sgd = optimizers.SGD(0.01)
    ledger = []
    for _ in range(4):
        mood, demand = market.day()
        with tf.GradientTape() as tape:
            wish = net(mood)[:, 0]
            order = whole_lots(wish)
            cost = day_cost(order, demand, market.price)
        grads = tape.gradient(cost, net.trainable_variables)
        print("cost", round(float(cost), 3), "orders", order.numpy().astype(int).tolist())
        sgd.apply_gradients(zip(grads, net.trainable_variables))
        ledger.append(np.round(order.numpy().sum() * market.price.mean(), 2))
    print("turnover", ledger, "rounded mean", round(float(np.mean(ledger)), 1))


if __name__ == "__main__":
    main()
