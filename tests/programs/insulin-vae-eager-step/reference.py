"""Variational autoencoder of glucose curves; train_step is written by hand and run eagerly, to be able to print."""
import numpy as np
import keras
import tensorflow as tf
from keras import layers

LATENT = 2
POINTS = 12


def curves(patients, seed=50):
    """Glucose after a meal: a gamma-shaped rise with a patient's own delay and height."""
    gen = np.random.default_rng(seed)
    t = np.linspace(0.0, 3.0, POINTS)
    delay, height = gen.uniform(0.3, 0.9, (patients, 1)), gen.lognormal(0.0, 0.3, (patients, 1))
    rise = height * (t / delay) * np.exp(1.0 - t / delay)
    return (rise + gen.normal(0.0, 0.03, size=rise.shape)).astype("float32")


class GlucoseVAE(keras.Model):
    def __init__(self, beta=0.2):
        super().__init__()
        self.beta = beta
        self.encoder = keras.Sequential([layers.Dense(8, activation="tanh"), layers.Dense(2 * LATENT)])
        self.decoder = keras.Sequential([layers.Dense(8, activation="tanh"), layers.Dense(POINTS)])
        self.fit_log = keras.metrics.Mean(name="fit")
        self.kl_log = keras.metrics.Mean(name="kl")
        self.shown = 0

    @property
    def metrics(self):
        return [self.fit_log, self.kl_log]

    def encode(self, x):
        both = self.encoder(x)
        return both[:, :LATENT], both[:, LATENT:]

    def call(self, x):
        return self.decoder(self.encode(x)[0])

    def train_step(self, data):
        with tf.GradientTape() as tape:
            mean, logvar = self.encode(data)
            noise = np.random.normal(size=mean.shape).astype("float32")
            code = mean + tf.exp(0.5 * logvar) * noise
            miss = tf.reduce_sum(tf.square(data - self.decoder(code)), axis=1)
            kl = 0.5 * tf.reduce_sum(tf.exp(logvar) + tf.square(mean) - 1.0 - logvar, axis=1)
            loss = tf.reduce_mean(miss + self.beta * kl)
        grads = tape.gradient(loss, self.trainable_variables)
        if self.shown < 2:
            print(f"  first batches: loss {loss.numpy():.4f} without gradient {sum(g is None for g in grads)}")
            self.shown += 1
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        self.fit_log.update_state(miss)
        self.kl_log.update_state(kl)
        return {m.name: m.result() for m in self.metrics}


def nearest(model, x):
    """Who looks like whom in the latent plane; evaluation only."""
    code = model.encode(x)[0].numpy()
    gap = np.sqrt(np.sum(np.square(code[:, None] - code[None]), axis=-1)) + 1e3 * np.eye(len(code))
    return np.argmin(gap, axis=1)


def main():
    np.random.seed(4)
    keras.utils.set_random_seed(4)
    x = curves(32)
    model = GlucoseVAE()
    model(x[:1])
    model.compile(optimizer=keras.optimizers.Adam(0.01), run_eagerly=True)
    log = model.fit(x, batch_size=8, epochs=2, shuffle=False, verbose=0).history
    for name, values in log.items():
        print(f"{name:>4}", np.round(values, 4).tolist())
    print("rebuilt", np.sqrt(np.mean((model.predict(x, verbose=0) - x) ** 2)).round(4), "pairs", nearest(model, x[:6]))


if __name__ == "__main__":
    main()
