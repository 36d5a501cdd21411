"""Momentum contrast on satellite tiles: a slow encoder makes the keys, a NumPy queue holds the negatives."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers, optimizers

BANDS, CODE, QUEUE = 10, 6, 24
TEMPERATURE = np.float32(0.2)


def tiles(count, rng):
    """Spectra of a few land covers with their own shape."""
    cover = rng.integers(0, 4, count)
    centre = np.linspace(1, BANDS - 2, 4)[cover]
    spectrum = np.exp(-0.5 * ((np.arange(BANDS) - centre[:, None]) / 1.5) ** 2)
    return (spectrum * rng.uniform(0.7, 1.3, (count, 1))).astype(np.float32), cover


def augment(spectrum, rng):
    out = spectrum * rng.normal(1.0, 0.1, spectrum.shape)
    out[:, rng.integers(BANDS)] = 0.0
    return out.astype(np.float32)


def encoder(name):
    inputs = layers.Input((BANDS,))
    x = layers.Dense(16, activation="relu")(inputs)
    return Model(inputs, layers.Dense(CODE)(x), name=name)


class Queue:
    def __init__(self, rng):
        self.keys = rng.normal(size=(QUEUE, CODE)).astype(np.float32)
        self.keys /= np.linalg.norm(self.keys, axis=1, keepdims=True)
        self.at = 0

    def push(self, keys):
        for key in keys:
            self.keys[self.at] = key
            self.at = (self.at + 1) % QUEUE


class Contrast:
    def __init__(self, rng, momentum=0.9):
        self.fast, self.slow = encoder("fast"), encoder("slow")
        self.slow.set_weights(self.fast.get_weights())
        self.opt = optimizers.SGD(0.2)
        self.queue, self.momentum = Queue(rng), momentum

    def step(self, spectrum, rng):
        view_q, view_k = augment(spectrum, rng), augment(spectrum, rng)
        with tf.GradientTape() as tape:
            q = tf.math.l2_normalize(self.fast(view_q, training=True), axis=1)
            keys = self.slow(view_k).numpy()
            keys = keys / np.maximum(np.linalg.norm(keys, axis=1, keepdims=True), 1e-6)
            positive = tf.reduce_sum(q * keys, axis=1, keepdims=True)
            negative = tf.matmul(q, self.queue.keys.T)
            logits = tf.concat([positive, negative], axis=1) / TEMPERATURE
            labels = np.zeros(len(spectrum), dtype=np.int32)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
            spread = tf.stop_gradient(tf.math.reduce_std(q, axis=0))
            hit = np.mean(np.argmax(logits, axis=1) == 0)
        grads = tape.gradient(loss, self.fast.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.fast.trainable_variables))
        self.queue.push(keys)
        for s, f in zip(self.slow.variables, self.fast.variables):
            s.assign(self.momentum * s + (1.0 - self.momentum) * f)
        return float(loss), hit, float(tf.reduce_mean(spread))


def neighbours_agree(net, spectrum, cover):
    code = net.predict(spectrum, verbose=0)
    code /= np.linalg.norm(code, axis=1, keepdims=True) + 1e-9
    similar = code @ code.T
    np.fill_diagonal(similar, -np.inf)
    return np.mean(cover[similar.argmax(axis=1)] == cover)


def main():
    rng = np.random.default_rng(38)
    spectrum, cover = tiles(64, rng)
    learner = Contrast(rng)
    for epoch in range(2):
        rows = [learner.step(spectrum[part], rng) for part in np.array_split(rng.permutation(len(spectrum)), 4)]
        loss, hit, spread = np.mean(rows, axis=0)
        print(f"epoch {epoch}: loss {loss:.4f} hit {hit:.2f} spread {spread:.3f}")
    print("nearest neighbour of the same cover:", neighbours_agree(learner.fast, spectrum, cover).round(3))


if __name__ == "__main__":
    main()
