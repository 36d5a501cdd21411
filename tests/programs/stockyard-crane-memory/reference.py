"""Policy gradient for a yard crane that stacks containers; probabilities are remembered while an episode is played."""
import random

import numpy as np
import tensorflow as tf
from tensorflow import keras

STACKS, HEIGHT, DISCOUNT = 4, 5, 0.97


class Yard:
    def reset(self):
        self.heights = np.zeros(STACKS, dtype=np.int64)
        self.order = random.randint(0, 9)
        return self.view()

    def view(self):
        return np.append(self.heights / HEIGHT, self.order / 10.0).astype(np.float32)

    def put(self, stack):
        full = self.heights[stack] >= HEIGHT
        self.heights[stack] = min(self.heights[stack] + 1, HEIGHT)
        uneven = self.heights.max() - self.heights.min()
        self.order = random.randint(0, 9)
        return self.view(), -1.0 * full - 0.3 * uneven, bool(full)


class Memory:
    def __init__(self):
        self.clear()

    def clear(self):
        self.views, self.actions, self.probs, self.rewards = [], [], [], []

    def add(self, view, action, probs, reward):
        self.views.append(view)
        self.actions.append(action)
        self.probs.append(probs)
        self.rewards.append(reward)

    def returns(self):
        out = np.zeros(len(self.rewards), dtype=np.float32)
        running = 0.0
        for t in range(len(self.rewards) - 1, -1, -1):
            running = self.rewards[t] + DISCOUNT * running
            out[t] = running
        return (out - out.mean()) / (out.std() + 1e-6)


class CraneAgent:
    def __init__(self, entropy=0.01):
        self.net = keras.Sequential([
            keras.Input((STACKS + 1,)),
            keras.layers.Dense(12, activation="relu"),
            keras.layers.Dense(STACKS),
            keras.layers.Softmax(),
        ])
        self.opt = keras.optimizers.Adam(0.01)
        self.entropy = entropy
        self.memory = Memory()

    def decide(self, view):
        probs = self.net(view[None]).numpy()[0]
        action = int(np.searchsorted(np.cumsum(probs), np.random.rand()))
        return min(action, STACKS - 1), probs

    def play(self, yard, limit=20):
        view, done = yard.reset(), False
        while not done and len(self.memory.rewards) < limit:
            action, probs = self.decide(view)
            after, reward, done = yard.put(action)
            self.memory.add(view, action, probs, reward)
            view = after

    def learn(self):
        weight = self.memory.returns()
        actions = np.array(self.memory.actions)
        with tf.GradientTape() as tape:
            probs = self.net(np.stack(self.memory.views))
            taken = tf.gather(probs, actions, axis=1, batch_dims=1)
            spread = -tf.reduce_mean(tf.reduce_sum(probs * tf.math.log(probs + 1e-8), axis=1))
            loss = -tf.reduce_mean(tf.math.log(taken + 1e-8) * weight) - self.entropy * spread
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        total = sum(self.memory.rewards)
        self.memory.clear()
        return float(loss), float(spread), total


def main(episodes=4):
    yard, agent = Yard(), CraneAgent()
    best = -np.inf
    for n in range(episodes):
        agent.play(yard)
        loss, spread, total = agent.learn()
        best = max(best, total)
        print(f"episode {n}: reward {total:.2f} best {best:.2f} loss {loss:+.4f} entropy {spread:.3f} heights {yard.heights.tolist()}")


if __name__ == "__main__":
    main()
