"""Rank valleys by the chance of a wolf sighting; trained straight on Spearman's rank correlation."""
import numpy as np
import tensorflow as tf
from tensorflow import keras


def valleys(count, rng):
    forest = rng.uniform(0, 1, count)
    deer = rng.gamma(2.0, 1.0, count)
    roads = rng.exponential(0.5, count)
    sightings = rng.poisson(np.exp(0.8 * forest + 0.4 * deer - 0.9 * roads))
    x = np.stack([forest, deer / 3.0, roads], axis=1).astype(np.float32)
    return x, (sightings + 1e-3 * rng.random(count)).astype(np.float32)


def ranks(values):
    """0 for the smallest, n - 1 for the largest."""
    order = tf.argsort(values)
    return tf.argsort(order)


def spearman(a, b):
    ra = tf.cast(ranks(a), tf.float32)
    rb = tf.cast(ranks(b), tf.float32)
    ra -= tf.reduce_mean(ra)
    rb -= tf.reduce_mean(rb)
    return tf.reduce_sum(ra * rb) / tf.sqrt(tf.reduce_sum(ra ** 2) * tf.reduce_sum(rb ** 2))


class Ranker:
    def __init__(self):
        self.net = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(6, activation="tanh"), keras.layers.Dense(1)])
        self.opt = keras.optimizers.Adam(0.02)
        self.past = []

    def score(self, x):
        return tf.squeeze(self.net(x), axis=1)

    def learn(self, x, sightings):
        with tf.GradientTape() as tape:
            score = self.score(x)
            agreement = spearman(score, sightings)
            loss = 1.0 - agreement
        grads = tape.gradient(loss, self.net.trainable_variables)
        if all(g is None for g in grads):
            print("  nothing to learn from in this batch")
            return float(loss)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        self.past.append(float(agreement))
        return float(loss)


def top_share(score, sightings, share=0.2):
    """Share of all sightings in the valleys ranked highest."""
    count = max(1, int(share * len(score)))
    best = np.argsort(np.asarray(score))[::-1][:count]
    return sightings[best].sum() / sightings.sum()


def main():
    rng = np.random.default_rng(14)
    x, sightings = valleys(60, rng)
    ranker = Ranker()
    for epoch in range(2):
        losses = [ranker.learn(x[rows], sightings[rows]) for rows in np.array_split(rng.permutation(len(x)), 3)]
        print(f"epoch {epoch}: loss {np.mean(losses):.4f}")
    print("top fifth holds", top_share(ranker.score(x), sightings).round(3), "steps taken", len(ranker.past))


if __name__ == "__main__":
    main()
