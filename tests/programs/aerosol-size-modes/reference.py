"""Fit two log-normal modes to the size spectrum of an optical particle counter."""
import csv
import io

import numpy.linalg as la
import tensorflow as tf
from numpy import array, exp, log, log10, logspace, newaxis, pi, random, sqrt, sum as total

BIN_FILE = """bin,counts
17.8,410
31.6,1260
56.2,2190
100.0,2480
177.8,1720
316.2,840
562.3,330
1000.0,90
"""


def read_bins(text):
    """Diameters in nm and counts per bin."""
    rows = list(csv.DictReader(io.StringIO(text)))
    diameters = array([float(row["bin"]) for row in rows])
    counts = array([float(row["counts"]) for row in rows])
    if total(counts) <= 0:
        raise ValueError("the counter saw nothing")
    return diameters, counts


def bootstrap(counts, repeats):
    """Poisson copies of the spectrum, one per repeat."""
    gen = random.default_rng(5)
    return gen.poisson(counts, size=(repeats, len(counts))).astype("float32")


class TwoModes(tf.Module):
    def __init__(self):
        super().__init__(name="two_modes")
        self.log_number = tf.Variable([6.8, 7.2], name="log_number")
        self.log_median = tf.Variable([3.9, 5.0], name="log_median")
        self.log_width = tf.Variable([-0.5, -0.3], name="log_width")

    def spectrum(self, diameters):
        """Expected counts at the given diameters, both modes added up."""
        width = tf.exp(self.log_width)
        z = (log(diameters)[:, newaxis] - self.log_median) / width
        density = tf.exp(-0.5 * z ** 2) / (sqrt(2.0 * pi) * width)
        return tf.reduce_sum(tf.exp(self.log_number) * density, axis=1)


def deviance(counts, expected):
    """Poisson deviance without the terms that hold no parameter."""
    return tf.reduce_mean(expected - counts * tf.math.log(expected + 1e-3)) / 1000.0


def fit(model, diameters, copies, rate=0.05):
    optimizer = tf.keras.optimizers.Adam(rate)
    trace = []
    for counts in copies:
        with tf.GradientTape() as tape:
            loss = deviance(counts, model.spectrum(diameters))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        trace.append(float(loss))
    return array(trace)


def main():
    diameters, counts = read_bins(BIN_FILE)
    model = TwoModes()
    trace = fit(model, diameters, bootstrap(counts, repeats=6))
    fine = logspace(log10(diameters[0]), log10(diameters[-1]), 5)
    print("loss", trace.round(4), "drop", round(trace[0] - trace[-1], 4))
    print("curve", model.spectrum(fine).numpy().round(1).tolist())
    print("medians (nm)", exp(model.log_median.numpy()).round(1),
          "misfit", la.norm(model.spectrum(diameters) - counts).round(1))


if __name__ == "__main__":
    main()
