"""Bleaching model: logistic response of coral cover to heat stress, fitted by hand-written gradient descent with backtracking."""
import numpy as np
import tensorflow as tf

SITES = 30


def reef_survey(rng):
    weeks = rng.gamma(3.0, 1.5, SITES)
    depth = rng.uniform(1.0, 15.0, SITES)
    x = np.stack([np.ones(SITES), weeks / 5.0, depth / 10.0], axis=1)
    odds = 1.0 / (1.0 + np.exp(-(x @ [-2.0, 2.5, -1.5])))
    bleached = np.clip(odds + rng.normal(0, 0.05, SITES), 0.01, 0.99)
    return x.astype(np.float32), bleached.astype(np.float32)


class BleachingModel:
    def __init__(self, features):
        self.beta = tf.Variable(tf.zeros([features]), name="beta")
        self.cap = tf.Variable(0.9, name="cap")
        self.best = (np.inf, None, None)
        self.path = []

    def response(self, x):
        return self.cap * tf.sigmoid(tf.linalg.matvec(x, self.beta))

    def loss(self, x, bleached):
        miss = self.response(x) - bleached
        return tf.reduce_mean(tf.square(miss)) + 1e-3 * tf.reduce_sum(tf.square(self.beta))

    def fit(self, x, bleached, rate, turns):
        previous = None
        for turn in range(turns):
            with tf.GradientTape() as tape:
                loss = self.loss(x, bleached)
            d_beta, d_cap = tape.gradient(loss, [self.beta, self.cap])

            if float(loss) < self.best[0]:
                self.best = (float(loss), self.beta, self.cap)
            if previous is not None and float(loss) > previous[0]:
                rate *= 0.5
                self.beta, self.cap = previous[1], previous[2]
            else:
                previous = (float(loss), self.beta, self.cap)
                self.beta = self.beta - rate * d_beta
                self.cap = tf.clip_by_value(self.cap - 0.05 * rate * d_cap, 0.5, 1.0)
            self.path.append(np.append(self.beta.numpy(), self.cap.numpy()))
            print(f"turn {turn}: loss {float(loss):.5f} rate {rate:.3f}")
        return self.best


def stress_at_half(beta, cap, depth):
    """Weeks of heat at which half of the coral is bleached."""
    logit = np.log(0.5 / (cap - 0.5))
    return 5.0 * (logit - beta[0] - beta[2] * depth / 10.0) / beta[1]


if __name__ == "__main__":
    x, bleached = reef_survey(np.random.default_rng(13))
    model = BleachingModel(x.shape[1])
    loss, beta, cap = model.fit(tf.constant(x), tf.constant(bleached), rate=60.0, turns=10)
    model.beta, model.cap = beta, cap
    again = float(model.loss(tf.constant(x), tf.constant(bleached)))
    print(f"best {loss:.5f}, recomputed {again:.5f}")
    steps = np.linalg.norm(np.diff(np.array(model.path), axis=0), axis=1)
    print("longest step", steps.max().round(3), "shortest", steps.min().round(4))
    for depth in (2.0, 10.0):
        print(f"half bleached at {depth:.0f} m after {stress_at_half(beta.numpy(), cap.numpy(), depth):.1f} weeks")
