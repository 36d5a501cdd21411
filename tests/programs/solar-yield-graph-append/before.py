"""Battery behind a solar roof: a policy network decides hour by hour, the whole day is unrolled in one graph."""
import numpy as np
import tensorflow as tf

CAPACITY, RATE = 5.0, 1.5


def days(count, hours, rng):
    t = np.arange(hours) / hours
    sun = np.clip(np.sin(np.pi * (t * 1.6 - 0.3)), 0.0, None) * rng.uniform(0.4, 1.0, size=(count, 1))
    use = 0.4 + 0.3 * np.exp(-0.5 * ((t - 0.8) / 0.1) ** 2) + rng.normal(0, 0.03, size=(count, hours))
    price = np.where((t > 0.7) & (t < 0.95), 0.4, 0.2)
    out = np.stack([sun, use, np.broadcast_to(price, sun.shape)], axis=-1)
    return out.astype(np.float32)


class Policy(tf.keras.Model):
    def __init__(self, width=8):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(width, activation="tanh")
        self.out = tf.keras.layers.Dense(1, activation="tanh", kernel_initializer="zeros")

    def call(self, view):
        return RATE * self.out(self.hidden(view))[:, 0]


def settle(charge, wish):
    """What the battery can really take or give."""
    after = tf.clip_by_value(charge + wish, 0.0, CAPACITY)
    return after, after - charge


@tf.function
def unroll(policy, forecast):
    """Bill of every hour and the course of the charge, batch by batch."""
    charge = tf.fill([tf.shape(forecast)[0]], 0.5 * CAPACITY)
    bills, levels = [], []
    for hour in tf.range(tf.shape(forecast)[1]):
        now = forecast[:, hour]
        view = tf.concat([now, charge[:, None] / CAPACITY], axis=1)
        charge, moved = settle(charge, policy(view))
        bought = now[:, 1] - now[:, 0] + moved
        bills.append(now[:, 2] * tf.nn.softplus(4.0 * bought) / 4.0)
        levels.append(charge)
    return tf.stack(bills, axis=1), tf.stack(levels, axis=1)


def train(policy, data, epochs):
    optimizer = tf.keras.optimizers.Adam(0.02)
    for epoch in range(epochs):
        paid = []
        for forecast in data:
            with tf.GradientTape() as tape:
                bills, levels = unroll(policy, forecast)
                empty = tf.reduce_mean(tf.nn.relu(0.5 - levels[:, -1]))
                loss = tf.reduce_mean(tf.reduce_sum(bills, axis=1)) + 0.3 * empty
            grads = tape.gradient(loss, policy.trainable_variables)
            optimizer.apply_gradients(zip(grads, policy.trainable_variables))
            paid.append(float(loss))
        print(f"epoch {epoch}: paid {np.mean(paid):.4f}, lowest charge {levels.numpy().min():.2f}")


def baseline(forecast):
    """Bill of a battery that always charges at noon and empties at night, in plain NumPy."""
    charge, total = np.full(len(forecast), 0.5 * CAPACITY), np.zeros(len(forecast))
    for hour in range(forecast.shape[1]):
        sun, use, price = forecast[:, hour].T
        after = np.clip(charge + np.where(sun > use, RATE, -RATE), 0.0, CAPACITY)
        total += price * np.logaddexp(0.0, 4.0 * (use - sun + after - charge)) / 4.0
        charge = after
    return total.mean()


if __name__ == "__main__":
    rng = np.random.default_rng(36)
    table = days(24, 12, rng)
    policy = Policy()
    policy(tf.zeros([1, 4]))
    train(policy, tf.data.Dataset.from_tensor_slices(table).batch(8), epochs=2)
    bills, _ = unroll(policy, tf.constant(table[:6]))
    print("network", bills.numpy().sum(axis=1).mean().round(4), "rule", baseline(table[:6]).round(4))
