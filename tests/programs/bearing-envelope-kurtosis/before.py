"""Tune a band-pass filter so that the envelope of a bearing's vibration becomes as spiky as possible."""
import argparse

import numpy as np
import tensorflow as tf

RATE = 2048.0
SAMPLES = 512


def vibration(defect_hz, resonance_hz, rng):
    """Repeated impacts that ring at the resonance, on top of shaft noise."""
    t = np.arange(SAMPLES) / RATE
    signal = 0.4 * np.sin(2 * np.pi * 29.0 * t) + 0.2 * rng.standard_normal(SAMPLES)
    for start in np.arange(0.01, t[-1], 1.0 / defect_hz):
        later = np.clip(t - start, 0.0, None)
        signal += np.where(t >= start, np.exp(-180.0 * later) * np.sin(2 * np.pi * resonance_hz * later), 0.0)
    return signal


class EnvelopeFilter(tf.Module):
    """Gaussian band in the frequency domain; centre and width in units of 100 Hz are learnt."""

    def __init__(self, centre=4.0, width=1.5):
        super().__init__()
        self.centre = tf.Variable(centre, name="centre")
        self.width = tf.Variable(width, name="width")

    def gain(self, hertz):
        return np.exp(-0.5 * np.square((hertz / 100.0 - self.centre) / self.width))

    def envelope(self, signal):
        """Magnitude of the analytic signal inside the band."""
        hertz = np.fft.fftfreq(len(signal), d=1.0 / RATE)
        spectrum = np.fft.fft(signal)
        one_sided = np.where(hertz > 0, 2.0, 0.0)
        analytic = np.fft.ifft(spectrum * one_sided * self.gain(hertz))
        return np.abs(analytic)


def kurtosis(x):
    centred = x - np.mean(x)
    return np.mean(centred ** 4) / np.mean(centred ** 2) ** 2


def tune(band, records, args):
    optimizer = tf.keras.optimizers.Adam(args.rate)
    board = []
    for step in range(args.steps):
        record = records[step % len(records)]
        with tf.GradientTape() as tape:
            spikiness = kurtosis(band.envelope(record))
            loss = tf.convert_to_tensor(-spikiness, dtype=tf.float32)
        grads = tape.gradient(loss, [band.centre, band.width])
        optimizer.apply_gradients(zip(grads, [band.centre, band.width]))
        board.append((float(spikiness), band.centre.numpy(), band.width.numpy()))
        print(f"step {step}: kurtosis {board[-1][0]:.4f} centre {100 * board[-1][1]:.1f} Hz")
    return np.array(board)


def main(args):
    rng = np.random.default_rng(args.seed)
    records = [vibration(hz, 610.0, rng) for hz in (22.0, 31.0)]
    raw = [kurtosis(record) for record in records]
    print("kurtosis of the raw records", np.round(raw, 3))
    board = tune(EnvelopeFilter(), records, args)
    peak = np.fft.rfftfreq(SAMPLES, 1.0 / RATE)[np.argmax(np.abs(np.fft.rfft(records[0])))]
    print(f"strongest line {peak:.0f} Hz, best kurtosis {board[:, 0].max():.4f} at step {board[:, 0].argmax()}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=5)
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=2)
    main(parser.parse_args())
