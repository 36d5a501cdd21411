"""Date of bud break from a lapse-rate correction of the station temperature and learned stage parameters."""
import numpy as np
import tensorflow as tf

import phenology as ph
from phenology.calendar import first_warm_day
from phenology.elementwise import CALLS
from phenology.phases import units


class BudModel(tf.keras.Model):
    def __init__(self, stages):
        super().__init__()
        self.stages = stages
        self.lapse = self.add_weight(shape=(), initializer="zeros", name="lapse")
        self.stage_parameters = self.add_weight(shape=(len(stages),), initializer=tf.keras.initializers.Constant(6.0), name="stages")
        self.date = tf.keras.layers.Dense(1, kernel_initializer="zeros", name="date")

    def call(self, inputs):
        temperature, height = inputs
        at_vine = temperature + self.lapse * height
        sums = units(self.stages, tf.unstack(tf.convert_to_tensor(self.stage_parameters)), at_vine)
        return self.date(sums / 100.0)


def fit(model, data, epochs):
    optimizer = tf.keras.optimizers.Adam(0.05)
    for epoch in range(epochs):
        losses = []
        for temperature, height, budded in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model((temperature, height)) - budded))
            grads = tape.gradient(loss, model.trainable_variables)
            known = [(g, v) for g, v in zip(grads, model.trainable_variables) if g is not None]
            optimizer.apply_gradients(known)
            losses.append(loss.numpy())
        print(f"epoch {epoch}: {np.mean(losses):.5f}, parts that learn: {[v.name for _, v in known]}")


if __name__ == "__main__":
    rng = np.random.default_rng(30)
    seasons = ph.load_seasons(24, rng)
    model = BudModel(ph.STAGES)
    model((seasons[0][:1], seasons[1][:1]))
    fit(model, tf.data.Dataset.from_tensor_slices(seasons).batch(8), epochs=4)
    print("lapse", round(float(model.lapse), 4), "parameters", np.round(model.stage_parameters.numpy(), 3))
    print("first warm days", [first_warm_day(row) for row in seasons[0][:4]], "calls so far", sum(CALLS.values()) > 100)
