"""Lagrangian network for a damped pendulum: conservative force from a learned energy, friction from a second gradient."""
import math

import numpy as np
import tensorflow as tf
from tensorflow.keras import Sequential, layers

DT = 0.02


def swings(count, seed=0):
    """Angles, speeds and noisy accelerations of a real pendulum."""
    gen = np.random.default_rng(seed)
    angle = gen.uniform(-2.0, 2.0, size=(count, 1))
    speed = gen.uniform(-1.5, 1.5, size=(count, 1))
    acceleration = -9.81 / 2.0 * np.sin(angle) - 0.3 * speed + gen.normal(0, 0.05, size=(count, 1))
    return [a.astype(np.float32) for a in (angle, speed, acceleration)]


class EnergyNet:
    def __init__(self):
        self.potential = Sequential([layers.Input((2,)), layers.Dense(16, activation="tanh"), layers.Dense(1, use_bias=False)])
        self.rayleigh = Sequential([layers.Input((1,)), layers.Dense(4, activation="softplus"), layers.Dense(1, use_bias=False)])

    @property
    def variables(self):
        return self.potential.trainable_variables + self.rayleigh.trainable_variables

    def features(self, angle):
        return tf.concat([tf.sin(angle), tf.cos(angle)], axis=1)

    def acceleration(self, angle, speed):
        """-dV/dangle - dR/dspeed, at unit inertia."""
        with tf.GradientTape(persistent=True) as inner:
            inner.watch(angle)
            inner.watch(speed)
            stored = tf.reduce_sum(self.potential(self.features(angle)))
            lost = tf.reduce_sum(self.rayleigh(tf.square(speed)))
        force = -inner.gradient(stored, angle)
        friction = -inner.gradient(lost, speed)
        return force + friction


def train(net, data, epochs):
    angle, speed, acceleration = data
    opt = tf.keras.optimizers.Adam(0.02)
    curve = []
    for epoch in range(epochs):
        for rows in np.array_split(np.random.permutation(len(angle)), 3):
            a, s, target = (tf.constant(part[rows]) for part in (angle, speed, acceleration))
            with tf.GradientTape() as outer:
                miss = net.acceleration(a, s) - target
                loss = tf.reduce_mean(tf.math.log(tf.cosh(miss)))
            grads = outer.gradient(loss, net.variables)
            opt.apply_gradients(zip(grads, net.variables))
            curve.append(loss.numpy())
        print(f"epoch {epoch} loss {curve[-1]:.4f}")
    return curve


def simulate(net, angle, speed, steps):
    """Semi-implicit Euler with the learned forces."""
    path = np.zeros((steps, 2), dtype=np.float32)
    state = np.array([[angle]], np.float32), np.array([[speed]], np.float32)
    for k in range(steps):
        a = net.acceleration(tf.constant(state[0]), tf.constant(state[1])).numpy()
        speed = state[1] + DT * a
        state = state[0] + DT * speed, speed
        path[k] = state[0].item(), state[1].item()
    return path


if __name__ == "__main__":
    model = EnergyNet()
    train(model, swings(48), epochs=4)
    path = simulate(model, math.radians(40.0), 0.0, steps=12)
    print("angle after the drop", np.degrees(path[-1, 0]).round(2), "largest speed", np.abs(path[:, 1]).max().round(3))
