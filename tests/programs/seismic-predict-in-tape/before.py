"""Pick P-wave arrivals: a network scores every sample of a trace, the arrival is the score-weighted mean time."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

SAMPLES = 40
STEP = 0.05


def traces(count, rng):
    times = np.arange(SAMPLES) * STEP
    arrival = rng.uniform(0.5, 1.5, count)
    noise = rng.normal(0, 0.2, size=(count, SAMPLES))
    late = np.maximum(times - arrival[:, None], 0.0)
    wave = np.sin(18.0 * late) * np.exp(-2.0 * late) * (late > 0)
    x = noise + 1.5 * wave
    x /= np.abs(x).max(axis=1, keepdims=True)
    return x.astype("float32"), arrival.astype("float32")


def scorer():
    return keras.Sequential([
        keras.layers.Input((SAMPLES, 1)),
        keras.layers.Conv1D(6, 5, padding="same", activation="relu"),
        keras.layers.Conv1D(6, 5, padding="same", activation="relu"),
        keras.layers.Conv1D(1, 1),
        keras.layers.Flatten(),
    ], name="scorer")


class Picker:
    def __init__(self, rate=5e-3):
        self.scorer = scorer()
        self.times = tf.constant(np.arange(SAMPLES) * STEP, dtype=tf.float32)
        self.opt = keras.optimizers.Adam(rate)
        self.mean_error = keras.metrics.Mean()

    def pick(self, scores):
        share = tf.nn.softmax(scores, axis=1)
        return tf.linalg.matvec(share, self.times)

    def learn(self, x, arrival):
        with tf.GradientTape() as tape:
            scores = self.scorer.predict(x[..., None], verbose=0)
            picked = self.pick(scores)
            loss = tf.reduce_mean(tf.abs(picked - arrival))
            sharp = tf.reduce_mean(tf.reduce_max(tf.nn.softmax(scores), axis=1))
            loss = loss - 0.05 * sharp
        grads = tape.gradient(loss, self.scorer.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.scorer.trainable_variables))
        self.mean_error.update_state(np.abs(picked.numpy() - arrival))
        return loss

    def evaluate(self, x, arrival):
        picked = self.pick(self.scorer.predict(x[..., None], batch_size=16, verbose=0)).numpy()
        error = picked - arrival
        return {"bias": float(np.mean(error)), "spread": float(np.std(error)), "within 0.2 s": float(np.mean(np.abs(error) < 0.2))}


def main():
    rng = np.random.default_rng(25)
    x, arrival = traces(40, rng)
    held = traces(12, rng)
    picker = Picker()
    for epoch in range(2):
        for rows in np.array_split(rng.permutation(len(x)), 3):
            picker.learn(x[rows], arrival[rows])
        print(f"epoch {epoch}: mean error {float(picker.mean_error.result()):.4f}")
        picker.mean_error.reset_state()
    print({k: round(v, 3) for k, v in picker.evaluate(*held).items()})


if __name__ == "__main__":
    main()
