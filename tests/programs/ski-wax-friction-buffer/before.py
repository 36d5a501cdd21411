"""Ski base temperature along a track: friction heats, snow cools, the wax recipe decides. The recipe is learnt from lap times."""
import numpy as np
import tensorflow as tf

SEGMENTS = 16
RECIPES = ("paraffin", "fluor", "graphite")


def track(rng):
    slope = np.cumsum(rng.normal(0, 0.4, SEGMENTS))
    slope -= slope.mean()
    snow = -6.0 + 2.0 * np.sin(np.linspace(0, np.pi, SEGMENTS))
    wet = np.zeros(SEGMENTS, dtype=np.float32)
    wet[snow > -4.5] = 0.3
    return slope.astype(np.float32), snow.astype(np.float32), wet


class WaxModel(tf.Module):
    def __init__(self):
        super().__init__(name="wax")
        self.mix = tf.Variable([0.2, 0.0, -0.2], name="mix")
        self.wear = tf.Variable(0.05, name="wear")
        self.heat = tf.constant([0.9, 0.5, 0.7])

    def friction(self, wet):
        share = tf.nn.softmax(self.mix)
        dry = tf.reduce_sum(share * self.heat)
        return dry * (1.0 - 0.5 * wet * share[1])

    def run(self, slope, snow, wet):
        """Base temperature and time lost on every segment of one lap."""
        warmth = np.zeros(len(slope) + 1, dtype=np.float32)
        lost = np.zeros(len(slope), dtype=np.float32)
        for k in range(len(slope)):
            drag = self.friction(wet[k]) * (1.0 + self.wear * k)
            gap = warmth[k] - snow[k] / 10.0
            warmth[k + 1] = warmth[k] + 0.3 * drag - 0.2 * gap
            lost[k] += drag * tf.nn.softplus(-slope[k])
            lost[k] += 0.1 * tf.square(warmth[k + 1] - 0.4)
        return tf.convert_to_tensor(warmth[1:]), tf.convert_to_tensor(lost)


def lap_loss(model, laps):
    total = 0.0
    for (slope, snow, wet), seconds in laps:
        warmth, lost = model.run(slope, snow, wet)
        total += tf.square(tf.reduce_sum(lost) - seconds) / SEGMENTS
        total += 0.01 * tf.reduce_mean(tf.nn.relu(warmth - 1.0))
    return total / len(laps)


def measured(rng, count=3):
    """Laps skied with a known recipe, timed by hand."""
    truth = WaxModel()
    truth.mix.assign([0.0, 1.5, 0.3])
    truth.wear.assign(0.02)
    laps = []
    for _ in range(count):
        conditions = track(rng)
        _, lost = truth.run(*conditions)
        laps.append((conditions, np.float32(np.sum(lost) + rng.normal(0, 0.05))))
    return laps


def main():
    rng = np.random.default_rng(58)
    laps = measured(rng)
    model = WaxModel()
    opt = tf.keras.optimizers.Adam(0.1)
    table = np.empty((6, 2))
    for turn in range(len(table)):
        with tf.GradientTape() as tape:
            loss = lap_loss(model, laps)
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        table[turn] = float(loss), model.wear.numpy()
        print(f"turn {turn}: loss {table[turn, 0]:.4f}")
    share = tf.nn.softmax(model.mix).numpy()
    print("recipe", {name: round(float(s), 3) for name, s in zip(RECIPES, share)}, "wear", table[:, 1].round(3).tolist())
    warmth, lost = model.run(*laps[0][0])
    print("warmest segment", int(np.argmax(warmth)), "time lost", np.round(lost, 2).max())


if __name__ == "__main__":
    main()
