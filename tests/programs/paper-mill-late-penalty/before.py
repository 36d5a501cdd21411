"""Paper moisture from pulp measurements: Huber fit, a smoothness penalty over the web and weight decay."""
import json
import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow import keras

POSITIONS = 9


def reels(count, rng):
    pulp = rng.normal(size=(count, 6))
    across = np.linspace(-1.0, 1.0, POSITIONS)
    moisture = 6.0 + 0.4 * pulp[:, :1] + np.outer(pulp[:, 1], across ** 2) + 0.2 * np.sin(3 * across) * pulp[:, 2:3]
    moisture += rng.standard_t(3, size=moisture.shape) * 0.1
    return pulp.astype("float32"), ((moisture - moisture.mean()) / moisture.std()).astype("float32")


class MoistureTrainer:
    def __init__(self, smooth=0.05, decay=1e-3):
        self.smooth, self.decay = smooth, decay
        self.net = keras.Sequential([
            keras.Input((6,)),
            keras.layers.Dense(14, activation="gelu", name="body"),
            keras.layers.Dropout(0.1),
            keras.layers.Dense(POSITIONS, name="web"),
        ])
        self.huber = keras.losses.Huber(delta=0.5)
        self.opt = keras.optimizers.AdamW(5e-3)
        self.log = []

    def roughness(self, profile):
        bend = profile[:, 2:] - 2.0 * profile[:, 1:-1] + profile[:, :-2]
        return tf.reduce_mean(tf.square(bend))

    def weight_penalty(self):
        kernels = [v for v in self.net.trainable_variables if "kernel" in v.path]
        return tf.add_n([tf.nn.l2_loss(k) for k in kernels])

    def step(self, pulp, moisture):
        with tf.GradientTape() as tape:
            profile = self.net(pulp, training=True)
            fit = self.huber(moisture, profile)

        loss = fit
        if self.smooth:
            loss = loss + self.smooth * self.roughness(profile)
        loss += self.decay * self.weight_penalty()
        grads = tape.gradient(loss, self.net.trainable_variables)
        grads, norm = tf.clip_by_global_norm(grads, 2.0)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        self.log.append({"fit": float(fit), "loss": float(loss), "norm": float(norm)})
        return loss

    def score(self, pulp, moisture):
        profile = self.net(pulp, training=False)
        return {
            "huber": round(float(self.huber(moisture, profile)), 4),
            "rough": round(float(self.roughness(profile)), 4),
            "worst": round(float(np.abs(profile - moisture).max()), 3),
        }


def main():
    rng = np.random.default_rng(77)
    pulp, moisture = reels(60, rng)
    held = reels(15, rng)
    trainer = MoistureTrainer()
    for epoch in range(3):
        for part in np.array_split(np.random.permutation(len(pulp)), 4):
            trainer.step(tf.constant(pulp[part]), tf.constant(moisture[part]))
        print(epoch, trainer.score(*held))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log.json")
        with open(path, "w") as out:
            json.dump(trainer.log, out)
        print("log of", os.path.getsize(path) > 100, "last", {k: round(v, 4) for k, v in trainer.log[-1].items()})


if __name__ == "__main__":
    main()
