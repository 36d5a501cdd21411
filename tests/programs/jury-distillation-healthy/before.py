"""A small judge learns from three large ones: their soft votes are NumPy arrays on purpose."""
import math
import time

import numpy as np
import tensorflow as tf
from tensorflow import keras

CLASSES = 4
HEAT = 2.0


def essays(count, rng):
    """Embeddings of essays and the mark they got."""
    x = rng.normal(size=(count, 6)).astype("float32")
    mark = np.argmax(x[:, :CLASSES] + 0.5 * rng.normal(size=(count, CLASSES)), axis=1)
    return x, mark


def make(units, seed):
    keras.utils.set_random_seed(seed)
    return keras.Sequential([keras.Input((6,)), keras.layers.Dense(units, activation="relu"), keras.layers.Dense(CLASSES)])


class Jury:
    def __init__(self, members):
        self.members = members
        self.momentum = 0.9

    def votes(self, x):
        """Mean softened vote, clipped away from zero: constants for the student."""
        stacked = np.stack([member(x).numpy() / HEAT for member in self.members])
        stacked = np.exp(stacked - np.max(stacked, axis=-1, keepdims=True))
        share = stacked / np.sum(stacked, axis=-1, keepdims=True)
        return np.clip(np.mean(share, axis=0), 1e-6, 1.0)

    def follow(self, student):
        """The first member is a slow copy of the student."""
        slow = self.members[0]
        if len(slow.get_weights()) == len(student.get_weights()):
            slow.set_weights([self.momentum * a + (1.0 - self.momentum) * b
                              for a, b in zip(slow.get_weights(), student.get_weights())])


class Schedule:
    def __init__(self, top, steps):
        self.top, self.steps = top, steps

    def __call__(self, step):
        return self.top * 0.5 * (1.0 + math.cos(math.pi * min(step, self.steps) / self.steps))


def distil(student, jury, x, mark, steps=6, clip=1.0):
    optimizer = keras.optimizers.SGD(0.1)
    rate = Schedule(0.2, steps)
    board = {"loss": [], "agree": [], "norm": []}
    best, patience = math.inf, 0
    for step in range(steps):
        rows = np.random.default_rng(step).choice(len(mark), size=16, replace=False)
        with tf.GradientTape() as tape:
            logits = student(x[rows], training=True)
            votes = jury.votes(x[rows])                       # no gradient into the teachers
            soft = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=votes.astype("float32"), logits=logits / HEAT))
            hard = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=mark[rows], logits=logits))
            weight = float(tf.stop_gradient(tf.sigmoid(soft - hard)))  # balances the two, not trained
            loss = weight * soft + (1.0 - weight) * hard
            agree = np.mean(np.argmax(logits.numpy(), axis=1) == np.argmax(votes, axis=1))
        grads = tape.gradient(loss, student.trainable_variables)
        norm = math.sqrt(sum(float(np.sum(np.square(g))) for g in grads))
        if norm > clip:
            grads = [g * (clip / norm) for g in grads]
        optimizer.learning_rate.assign(rate(step))
        optimizer.apply_gradients(zip(grads, student.trainable_variables))
        jury.follow(student)
        board["loss"].append(float(loss))
        board["agree"].append(agree)
        board["norm"].append(norm)
        patience = 0 if board["loss"][-1] < best else patience + 1
        best = min(best, board["loss"][-1])
        if patience > 4:
            break
    return board


def main():
    started = time.perf_counter()
    x, mark = essays(64, np.random.default_rng(3))
    student = make(6, 1)
    jury = Jury([make(6, 2), make(16, 3), make(16, 4)])
    board = distil(student, jury, x, mark)
    print({name: np.round(values, 3).tolist() for name, values in board.items()})
    print("accuracy", np.mean(np.argmax(student(x), axis=1) == mark).round(3), "slow" if time.perf_counter() - started > 60 else "done")


if __name__ == "__main__":
    main()
