"""Transcribe a choir: one small head for each part, looped over with tf.range inside a tf.function."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, optimizers

PARTS = ["soprano", "alto", "tenor", "bass"]
PITCHES = 5
WEIGHTS = {"soprano": 1.0, "alto": 1.3, "tenor": 1.3, "bass": 0.8}


def chorale(bars, seed=18):
    """Spectrogram-like frames (bars, 8) and one pitch class for each part."""
    gen = np.random.default_rng(seed)
    notes = np.zeros((bars, len(PARTS)), dtype=np.int32)
    for part in range(len(PARTS)):
        notes[:, part] = np.cumsum(gen.integers(-1, 2, size=bars)) % PITCHES
    bank = gen.normal(size=(len(PARTS), PITCHES, 8))
    frames = sum(bank[part][notes[:, part]] for part in range(len(PARTS)))
    return (frames + 0.1 * gen.normal(size=frames.shape)).astype("float32"), notes


class Transcriber(tf.Module):
    def __init__(self, width=10):
        super().__init__(name="transcriber")
        self.body = layers.Dense(width, activation="tanh")
        self.heads = [layers.Dense(PITCHES, name=part) for part in PARTS]
        self.temperature = {part: tf.Variable(1.0, name=f"temperature_{part}") for part in PARTS}

    @tf.function
    def loss(self, frames, notes):
        hidden = self.body(frames)
        parts = []
        total = 0.0
        for p in range(len(PARTS)):
            logits = self.heads[p](hidden) / self.temperature[PARTS[p]]
            wrong = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=notes[:, p], logits=logits)
            parts.append(tf.reduce_mean(wrong))
            total += WEIGHTS[PARTS[p]] * parts[p]
        worst = tf.reduce_max(tf.stack(parts))
        return total / len(PARTS) + 0.1 * worst

    @tf.function
    def jumps(self, notes):
        """Mean size of the melodic steps, bar by bar; the number of bars is a tensor."""
        size = tf.constant(0.0)
        for bar in tf.range(1, tf.shape(notes)[0]):
            step = tf.abs(notes[bar] - notes[bar - 1])
            size += tf.reduce_mean(tf.cast(tf.minimum(step, PITCHES - step), tf.float32))
        return size / tf.cast(tf.shape(notes)[0] - 1, tf.float32)

    def read(self, frames):
        hidden = self.body(frames)
        return np.stack([np.argmax(head(hidden), axis=1) for head in self.heads], axis=1)


def main(epochs=2, batch=8):
    frames, notes = chorale(32)
    model = Transcriber()
    model.read(frames[:1])
    variables = [v for layer in [model.body, *model.heads] for v in layer.trainable_variables] + list(model.temperature.values())
    optimizer = optimizers.Adam(0.02)
    for epoch in range(epochs):
        curve = []
        for start in range(0, len(frames), batch):
            x, y = tf.constant(frames[start:start + batch]), tf.constant(notes[start:start + batch])
            with tf.GradientTape() as tape:
                loss = model.loss(x, y)
            grads = tape.gradient(loss, variables)
            optimizer.apply_gradients(zip(grads, variables))
            curve.append(loss.numpy())
        print(f"epoch {epoch} loss {np.mean(curve):.4f}")
    hits = (model.read(frames) == notes).mean(axis=0)
    print({part: round(float(hit), 3) for part, hit in zip(PARTS, hits)}, "steps", round(float(model.jumps(tf.constant(notes))), 3))


if __name__ == "__main__":
    main()
