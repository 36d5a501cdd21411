"""Household attack rates: a beta-binomial regression whose likelihood is written with scipy.special."""
import numpy as np
import scipy.special as sps
import tensorflow as tf
from scipy.special import betaln, expit, gammaln
from scipy.stats import betabinom


def households(count, rng):
    """Household size, ventilation and crowding, with the number of secondary cases."""
    size = rng.integers(2, 7, size=count)
    air = rng.normal(size=count)
    crowd = rng.normal(size=count)
    risk = expit(-0.6 - 0.5 * air + 0.8 * crowd)
    cases = rng.binomial(size, rng.beta(4.0 * risk, 4.0 * (1.0 - risk)))
    x = np.stack([np.ones(count), air, crowd], axis=1)
    return x.astype("float32"), size.astype("float32"), cases.astype("float32")


class AttackModel:
    def __init__(self, inputs):
        self.beta = tf.Variable(tf.zeros([inputs]), name="beta")
        self.log_precision = tf.Variable(0.5, name="log_precision")
        self.optimizer = tf.keras.optimizers.Adam(0.05)

    @property
    def parameters(self):
        return [self.beta, self.log_precision]

    def shape_parameters(self, x):
        risk = expit(tf.linalg.matvec(x, self.beta))
        precision = np.exp(self.log_precision)
        return risk * precision, (1.0 - risk) * precision

    def log_likelihood(self, x, size, cases):
        a, b = self.shape_parameters(x)
        ways = gammaln(size + 1.0) - gammaln(cases + 1.0) - gammaln(size - cases + 1.0)
        return ways + betaln(cases + a, size - cases + b) - betaln(a, b)

    def prior(self):
        """Normal prior on the effects, a log-sum-exp bound on the largest, half-normal on the precision."""
        soft_largest = sps.logsumexp(np.abs(self.beta))
        return 0.05 * np.sum(self.beta ** 2) + 0.01 * soft_largest - sps.log_ndtr(3.0 - self.log_precision)

    def update(self, x, size, cases):
        with tf.GradientTape() as tape:
            loss = -np.mean(self.log_likelihood(x, size, cases)) + self.prior()
            loss = tf.convert_to_tensor(loss, dtype=tf.float32)
        grads = tape.gradient(loss, self.parameters)
        self.optimizer.apply_gradients(zip(grads, self.parameters))
        return float(loss)


def calibration(model, x, size, cases):
    """Expected and seen share of households without a secondary case."""
    risk = expit(x @ model.beta.numpy())
    precision = np.exp(model.log_precision.numpy())
    none = betabinom.pmf(0, size, risk * precision, (1.0 - risk) * precision)
    return float(np.mean(none)), float(np.mean(cases == 0)), float(sps.entr(none).mean())


def main():
    rng = np.random.default_rng(61)
    x, size, cases = households(60, rng)
    model = AttackModel(x.shape[1])
    losses = []
    for sweep in range(3):
        for rows in np.array_split(rng.permutation(len(size)), 3):
            losses.append(model.update(x[rows], size[rows], cases[rows]))
        print(f"sweep {sweep} loss {np.mean(losses[-3:]):.4f}")
    print("effects", model.beta.numpy().round(3), "precision", np.exp(model.log_precision.numpy()).round(3))
    print("no secondary case: expected %.3f, seen %.3f, entropy %.3f" % calibration(model, x, size, cases))


if __name__ == "__main__":
    main()
