"""Hyperparameters of a Gaussian process for a quasar light curve, by maximum marginal likelihood."""
import numpy as np
import tensorflow as tf

JITTER = 1e-6


def light_curve(nights, seed=8):
    gen = np.random.default_rng(seed)
    t = np.sort(gen.uniform(0.0, 60.0, size=nights))
    flux = np.sin(t / 7.0) + 0.4 * np.cos(t / 2.3) + gen.normal(0.0, 0.15, size=nights)
    keep = np.abs(flux - np.median(flux)) < 3.0 * np.std(flux, ddof=1)
    t, flux = t[keep], flux[keep]
    return t, (flux - flux.mean()) / flux.std()


def rational_quadratic(lag, scale, shape):
    return (1.0 + np.square(lag) / (2.0 * shape * scale ** 2)) ** -shape


class QuasarProcess:
    def __init__(self, times, flux):
        self.times, self.flux = times, flux
        self.lag = np.abs(np.subtract.outer(times, times))
        make = lambda value, name: tf.Variable(np.log(value), dtype=tf.float64, name=name)
        self.log_scale = make(4.0, "log_scale")
        self.log_shape = make(1.0, "log_shape")
        self.log_amplitude = make(1.0, "log_amplitude")
        self.log_noise = make(0.4, "log_noise")

    @property
    def hyper(self):
        return [self.log_scale, self.log_shape, self.log_amplitude, self.log_noise]

    def covariance(self):
        scale, shape, amplitude, noise = np.exp(np.stack(self.hyper))
        kernel = amplitude * rational_quadratic(self.lag, scale, shape)
        return kernel + (noise ** 2 + JITTER) * np.eye(len(self.times))

    def evidence(self):
        """Log marginal likelihood per observation."""
        K = self.covariance()
        L = np.linalg.cholesky(K)
        weights = np.linalg.solve(K, self.flux)
        fit = -0.5 * np.dot(self.flux, weights)
        complexity = -np.log(np.diag(L)).sum()
        return (fit + complexity) / len(self.flux) - 0.5 * np.log(2.0 * np.pi)

    def predict(self, when):
        """Posterior mean, for the plot."""
        scale, shape, amplitude, _ = [np.exp(v.numpy()) for v in self.hyper]
        cross = amplitude * rational_quadratic(np.abs(np.subtract.outer(when, self.times)), scale, shape)
        return cross @ np.linalg.solve(np.asarray(self.covariance()), self.flux)


def main():
    process = QuasarProcess(*light_curve(24))
    optimizer = tf.keras.optimizers.Adam(0.1)
    climb = []
    for step in range(6):
        with tf.GradientTape() as tape:
            loss = tf.negative(process.evidence())
        grads = tape.gradient(loss, process.hyper)
        optimizer.apply_gradients(zip(grads, process.hyper))
        climb.append(-loss.numpy())
        print(f"step {step}: evidence {climb[-1]:.5f}")
    gain = np.diff(climb)
    print("smallest gain", gain.min().round(5), "scale", np.exp(process.log_scale.numpy()).round(3))
    print("forecast", process.predict(np.linspace(58.0, 66.0, 4)).round(3))


if __name__ == "__main__":
    main()
