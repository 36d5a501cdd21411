"""Double Q-learning with a slow copy of the network."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

from .memory import summarise


def value_net(width, actions):
    net = keras.Sequential([keras.Input((width,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(actions)])
    return net


class DoubleAgent:
    def __init__(self, width, actions, discount=0.95, slowness=0.1):
        self.live, self.slow = value_net(width, actions), value_net(width, actions)
        self.slow.set_weights(self.live.get_weights())
        self.optimizer = keras.optimizers.Adam(5e-3)
        self.discount, self.slowness, self.actions = discount, slowness, actions
        self.average_q = tf.Variable(0.0, trainable=False)
        self.log = []

    def act(self, state, epsilon, rng):
        if rng.random() < epsilon:
            return int(rng.integers(self.actions))
        return int(tf.argmax(self.live(state[None]), axis=1)[0])

    def target(self, rows):
        choice = np.argmax(self.live(rows["after"]).numpy(), axis=1)
        ahead = np.take_along_axis(self.slow(rows["after"]).numpy(), choice[:, None], axis=1)[:, 0]
        ahead[rows["final"] > 0] = 0.0
        return rows["reward"] + self.discount * ahead

    def learn(self, rows, weight):
        with tf.GradientTape() as tape:
            target = self.target(rows)
            values = self.live(rows["state"], training=True)
            taken = tf.gather(values, rows["action"], axis=1, batch_dims=1)
            error = target - taken
            loss = tf.reduce_mean(weight * tf.where(tf.abs(error) < 1.0, 0.5 * error ** 2, tf.abs(error) - 0.5))
            mean_q, spread_q = summarise(values)
        grads = tape.gradient(loss, self.live.trainable_variables)
        grads = [tf.clip_by_norm(g, 5.0) for g in grads]
        self.optimizer.apply_gradients(zip(grads, self.live.trainable_variables))
        self.average_q.assign(0.9 * self.average_q + 0.1 * mean_q)
        self.follow()
        self.log.append({"loss": float(loss), "q": mean_q, "spread": spread_q})
        return error.numpy()

    def follow(self):
        for slow, live in zip(self.slow.variables, self.live.variables):
            slow.assign((1.0 - self.slowness) * slow + self.slowness * live)
