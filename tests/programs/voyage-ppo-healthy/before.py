"""Speed control of a cargo ship with clipped policy optimisation; rollouts are plain NumPy."""
from dataclasses import dataclass, field

import numpy as np
import tensorflow as tf
from tensorflow import keras

CLIP, DISCOUNT, LAMBDA = 0.2, 0.97, 0.9


class Voyage:
    """Remaining distance, hours left, head wind; action is the throttle."""

    def __init__(self, rng):
        self.rng = rng

    def reset(self):
        self.distance, self.left, self.wind = 1.0, 12, self.rng.normal(0, 0.3)
        return self.view()

    def view(self):
        return np.array([self.distance, self.left / 12.0, self.wind], dtype=np.float32)

    def step(self, throttle):
        speed = float(np.clip(throttle, 0.0, 1.5)) * 0.12 - 0.02 * self.wind
        fuel = 0.2 * throttle ** 3
        self.distance = max(self.distance - speed, 0.0)
        self.left -= 1
        self.wind = 0.8 * self.wind + self.rng.normal(0, 0.1)
        done = self.left == 0
        return self.view(), -abs(fuel) - (2.0 * self.distance if done else 0.0), done


@dataclass
class Rollout:
    views: list = field(default_factory=list)
    actions: list = field(default_factory=list)
    log_probs: list = field(default_factory=list)
    values: list = field(default_factory=list)
    rewards: list = field(default_factory=list)

    def advantages(self):
        out = np.zeros(len(self.rewards), dtype=np.float32)
        running, following = 0.0, 0.0
        for t in reversed(range(len(self.rewards))):
            delta = self.rewards[t] + DISCOUNT * following - self.values[t]
            running = delta + DISCOUNT * LAMBDA * running
            out[t], following = running, self.values[t]
        return out


class Captain(keras.Model):
    def __init__(self):
        super().__init__()
        self.body = keras.layers.Dense(12, activation="tanh")
        self.mean = keras.layers.Dense(1)
        self.worth = keras.layers.Dense(1)
        self.log_std = self.add_weight(shape=(), initializer=keras.initializers.Constant(-0.7), name="log_std")

    def call(self, views):
        h = self.body(views)
        return 0.7 + self.mean(h)[:, 0], self.worth(h)[:, 0]

    def log_prob(self, mean, action):
        z = (action - mean) / tf.exp(self.log_std)
        return -0.5 * tf.square(z) - self.log_std - 0.5 * np.log(2.0 * np.pi)


def sail(captain, voyage, rng):
    rollout, view, done = Rollout(), voyage.reset(), False
    while not done:
        mean, worth = captain(view[None])
        action = np.float32(rng.normal(mean.numpy()[0], np.exp(captain.log_std.numpy())))
        rollout.views.append(view)
        rollout.actions.append(action)
        rollout.log_probs.append(float(captain.log_prob(mean, action)[0]))
        rollout.values.append(worth.numpy()[0])
        view, reward, done = voyage.step(action)
        rollout.rewards.append(reward)
    return rollout


def improve(captain, optimizer, rollout, passes=3):
    views, actions = np.stack(rollout.views), np.array(rollout.actions)
    old = tf.convert_to_tensor(rollout.log_probs, dtype=tf.float32)
    advantage = rollout.advantages()
    goal = advantage + np.array(rollout.values, dtype=np.float32)
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
    for _ in range(passes):
        with tf.GradientTape() as tape:
            mean, worth = captain(views)
            ratio = tf.exp(captain.log_prob(mean, actions) - old)
            bounded = tf.clip_by_value(ratio, 1.0 - CLIP, 1.0 + CLIP)
            policy = -tf.reduce_mean(tf.minimum(ratio * advantage, bounded * advantage))
            loss = policy + 0.5 * tf.reduce_mean(tf.square(goal - worth)) - 0.01 * captain.log_std
            distance = float(np.mean(old.numpy() - captain.log_prob(mean, actions).numpy()))
        if distance > 0.5:
            break
        grads = tape.gradient(loss, captain.trainable_variables)
        optimizer.apply_gradients(zip(grads, captain.trainable_variables))
    return loss.numpy(), distance


if __name__ == "__main__":
    rng = np.random.default_rng(67)
    voyage, captain = Voyage(rng), Captain()
    captain(np.zeros((1, 3), np.float32))
    optimizer = keras.optimizers.Adam(0.01)
    for n in range(4):
        rollout = sail(captain, voyage, rng)
        loss, distance = improve(captain, optimizer, rollout)
        print(f"voyage {n}: reward {sum(rollout.rewards):.3f} loss {loss:+.4f} moved {distance:+.4f} std {np.exp(captain.log_std.numpy()):.3f}")
