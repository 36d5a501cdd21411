"""Aroma of ripening cheese: a shared encoder for two instruments, a head that predicts the panel's score."""
import json

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Instrument:
    """Gas sensors drift from week to week; a spectrometer does not."""

    def __init__(self, channels, drift, gen):
        self.channels, self.drift, self.gen = channels, drift, gen
        self.mix = gen.normal(size=(5, channels))

    def measure(self, aroma, week):
        clean = np.tanh(aroma @ self.mix / 2.0)
        return (clean + self.drift * week + 0.05 * self.gen.normal(size=clean.shape)).astype("float32")


def ripening(gen, wheels=30, weeks=3):
    nose, spectro = Instrument(7, 0.05, gen), Instrument(9, 0.0, gen)
    for week in range(weeks):
        aroma = gen.gamma(1.0 + 0.3 * week, 1.0, size=(wheels, 5))
        score = aroma @ np.array([0.5, -0.2, 0.3, 0.1, 0.0]) + 0.1 * gen.normal(size=wheels)
        yield nose.measure(aroma, week), spectro.measure(aroma, week), score.astype("float32")[:, None]


class AromaModel:
    def __init__(self, width=4):
        self.encode_nose = keras.Sequential([keras.Input((7,)), keras.layers.Dense(width, activation="tanh", name="nose")])
        self.encode_spectro = keras.Sequential([keras.Input((9,)), keras.layers.Dense(width, activation="tanh", name="spectro")])
        self.head = keras.Sequential([keras.Input((2 * width,)), keras.layers.Dense(1, name="head")])
        self.cache = {}

    @property
    def weights(self):
        return (self.encode_nose.trainable_variables + self.encode_spectro.trainable_variables
                + self.head.trainable_variables)

    def embed(self, encoder, batch, key):
        """Embedding of a batch; the last one of each instrument is kept for the plot."""
        embedding = encoder(batch)
        self.cache[key] = embedding.numpy()
        return embedding

    def score(self, nose, spectro):
        joint = tf.concat([self.embed(self.encode_nose, nose, "nose"),
                                self.embed(self.encode_spectro, spectro, "spectro")], axis=1)
        return self.head(joint)

    def spread(self):
        return {key: np.std(z, axis=0).round(3).tolist() for key, z in self.cache.items()}


def main():
    gen = np.random.default_rng(23)
    batches = list(ripening(gen))
    model = AromaModel()
    optimizer = keras.optimizers.SGD(0.05)
    history = []
    for sweep in range(2):
        for nose, spectro, score in batches:
            with tf.GradientTape() as tape:
                error = model.score(nose, spectro) - score
                loss = tf.reduce_mean(tf.square(error))
            grads = tape.gradient(loss, model.weights)
            optimizer.apply_gradients(zip(grads, model.weights))
            history.append(float(loss))
    print("loss", np.round(history, 4).tolist())
    print(json.dumps(model.spread()))
    print("rms of the last week", np.sqrt(np.mean((model.score(*batches[-1][:2]).numpy() - batches[-1][2]) ** 2)).round(4))


if __name__ == "__main__":
    main()
