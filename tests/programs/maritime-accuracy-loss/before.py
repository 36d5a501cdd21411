"""Ship types from radio tracks, trained on 1 - accuracy inside compile()."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import Sequential, layers, optimizers

TYPES = ("ferry", "tanker", "trawler")


def tracks(count, seed=90):
    rng = np.random.default_rng(seed)
    kind = rng.integers(len(TYPES), size=count)
    speed = np.array([14.0, 11.0, 4.0])[kind] + rng.normal(0, 1.5, count)
    turns = rng.poisson(np.array([1.0, 0.5, 6.0])[kind])
    length = np.array([120.0, 250.0, 30.0])[kind] * rng.lognormal(0, 0.2, count)
    x = np.stack([speed / 10, np.sqrt(turns), np.log(length) / 5], axis=1)
    return x.astype("float32"), np.eye(len(TYPES), dtype="float32")[kind]


def miss_rate(truth, scores):
    """Share of tracks that would be labelled wrongly, plus a little of the margin by which."""
    right = tf.equal(tf.argmax(truth, axis=-1), tf.argmax(scores, axis=-1))
    hit = tf.cast(right, tf.float32)
    certain = tf.cast(tf.math.count_nonzero(scores > 0.8, axis=-1), tf.float32)
    return 1.0 - hit - 0.1 * hit * certain


def report(model, x, y):
    guess = np.argmax(model.predict(x, verbose=0), axis=1)
    truth = np.argmax(y, axis=1)
    table = np.zeros((3, 3), dtype=int)
    for t, g in zip(truth, guess):
        table[t, g] += 1
    return table, np.mean(guess == truth)


def main():
    x, y = tracks(90)
    model = Sequential([layers.Input((3,)), layers.Dense(8, activation="relu"), layers.Dense(len(TYPES), activation="softmax")])
    model.compile(optimizer=optimizers.Adam(0.01), loss=miss_rate, metrics=["categorical_accuracy"])
    try:
        model.fit(x[:60], y[:60], batch_size=20, epochs=2, verbose=0)
    except ValueError as problem:
        print("fit failed:", str(problem).splitlines()[0])
    table, share = report(model, x[60:], y[60:])
    print(table, "hit rate", round(float(share), 3))


if __name__ == "__main__":
    main()
