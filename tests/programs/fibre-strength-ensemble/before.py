"""Tensile strength of flax fibres: an ensemble of small heads, trained with a disagreement bonus."""
import numpy as np
import tensorflow as tf
import tensorflow.keras as K

HEADS = 5
BONUS = 0.05


class Fibres:
    """Length, diameter and humidity of each fibre, with the load at which it broke."""

    def __init__(self, count, seed):
        gen = np.random.default_rng(seed)
        self.x = np.column_stack([gen.uniform(0.5, 2.0, count), gen.gamma(9.0, 0.1, count), gen.uniform(size=count)])
        weakest = np.min(gen.weibull(4.0, size=(count, 6)), axis=1)
        load = weakest * self.x[:, 1] ** 2 / np.sqrt(self.x[:, 0]) * (1.0 - 0.3 * self.x[:, 2])
        self.x, self.load = self.x.astype("float32"), load.astype("float32")

    def folds(self, count):
        order = np.argsort(self.load, kind="stable")
        for k in range(count):
            rows = order[k::count]
            yield tf.constant(self.x[rows]), tf.constant(self.load[rows])


class Ensemble(K.Model):
    def __init__(self):
        super().__init__()
        self.trunk = K.layers.Dense(8, activation="softplus")
        self.heads = [K.layers.Dense(1, name=f"head{k}") for k in range(HEADS)]

    def call(self, x):
        shared = self.trunk(x)
        return [tf.squeeze(head(shared), axis=-1) for head in self.heads]


def objective(votes, load):
    """Error of the mean vote, error of each vote, and the bonus for votes that differ."""
    table = np.array(votes)
    mean = table.mean(axis=0)
    spread = table.var(axis=0, ddof=1)
    own = np.stack([tf.reduce_mean(tf.square(vote - load)) for vote in votes])
    ranked = np.vstack([mean - load, 0.5 * (mean - load)])
    joint = np.sum(np.square(ranked)) / len(load)
    return joint + own.sum() / HEADS - BONUS * spread.mean(), own


def main():
    fibres = Fibres(40, seed=27)
    net = Ensemble()
    net(fibres.x[:1])
    optimizer = K.optimizers.RMSprop(0.01)
    curves = np.zeros((4, HEADS))
    for n, (x, load) in enumerate(fibres.folds(4)):
        with tf.GradientTape() as tape:
            votes = net(x, training=True)
            loss, own = objective(votes, load)
            loss = tf.convert_to_tensor(loss)
        grads = tape.gradient(loss, net.trainable_variables)
        optimizer.apply_gradients(zip(grads, net.trainable_variables))
        curves[n] = own
        print(f"fold {n}: loss {loss.numpy():.5f} best head {int(np.argmin(own))}")
    votes = np.array([vote.numpy() for vote in net(fibres.x)])
    print("head errors", curves.mean(axis=0).round(4), "disagreement", votes.std(axis=0).mean().round(4))
    print("correlation with the load", np.corrcoef(votes.mean(axis=0), fibres.load)[0, 1].round(3))


if __name__ == "__main__":
    main()
