"""Factorisation of perfume ratings: notes, wearers and one offset; only the new season's factors may move."""
import numpy as np
import tensorflow as tf

NOTES = ["bergamot", "iris", "oud", "vetiver", "tonka"]
WEARERS, FACTORS = 14, 3


def ratings(rng, share=0.6):
    taste = rng.normal(size=(WEARERS, FACTORS))
    scent = rng.normal(size=(len(NOTES), FACTORS))
    full = taste @ scent.T + 0.1 * rng.normal(size=(WEARERS, len(NOTES)))
    known = rng.random(full.shape) < share
    table = np.where(known, full, np.nan)
    rows, columns = np.nonzero(~np.isnan(table))
    return rows.astype(np.int32), columns.astype(np.int32), table[rows, columns].astype(np.float32)


class Factors(tf.Module):
    def __init__(self, rng):
        super().__init__(name="factors")
        self.wearer = tf.Variable(0.3 * rng.normal(size=(WEARERS, FACTORS)).astype(np.float32), name="wearer")
        self.note = tf.Variable(0.3 * rng.normal(size=(len(NOTES), FACTORS)).astype(np.float32), name="note")
        self.offset = tf.Variable(0.0, name="offset")

    def predict(self, rows, columns):
        left = tf.gather(self.wearer, rows)
        right = tf.gather(self.note, columns)
        return tf.reduce_sum(left * right, axis=1) + self.offset


def loss_of(factors, rows, columns, values, ridge):
    miss = factors.predict(rows, columns) - values
    return tf.reduce_mean(tf.square(miss)) + ridge * tf.nn.l2_loss(factors.note)


class Season:
    """One season of re-fitting; `moving` names the parts that may change."""

    def __init__(self, factors, moving, rate):
        self.factors = factors
        self.moving = [getattr(factors, name) for name in moving]
        self.optimizer = tf.keras.optimizers.SGD(rate)

    def refit(self, data, turns, ridge=0.01):
        trace = []
        for _ in range(turns):
            with tf.GradientTape(watch_accessed_variables=False) as tape:
                tape.watch(self.factors.wearer)
                loss = loss_of(self.factors, *data, ridge)
            grads = tape.gradient(loss, self.moving)
            steps = [tf.IndexedSlices(g.values, g.indices, g.dense_shape) if isinstance(g, tf.IndexedSlices) else g for g in grads]
            self.optimizer.apply_gradients([(g, v) for g, v in zip(steps, self.moving) if g is not None])
            trace.append(float(loss))
        return trace


def top_note(factors):
    table = factors.wearer.numpy() @ factors.note.numpy().T
    favourite = np.bincount(np.argmax(table, axis=1), minlength=len(NOTES))
    return NOTES[int(favourite.argmax())]


def main():
    rng = np.random.default_rng(64)
    data = ratings(rng)
    factors = Factors(rng)
    wearers_before = factors.wearer.numpy()
    spring = Season(factors, ["wearer"], rate=1.0)
    print("spring", np.round(spring.refit(data, 4), 4))
    frozen = factors.wearer.numpy()
    autumn = Season(factors, ["note", "offset"], rate=0.5)
    print("autumn", np.round(autumn.refit(data, 4), 4))
    print("wearers moved in spring", np.abs(frozen - wearers_before).max().round(3),
          "in autumn", np.abs(factors.wearer.numpy() - frozen).max())
    print("top note", top_note(factors))


if __name__ == "__main__":
    main()
