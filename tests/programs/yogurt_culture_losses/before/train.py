"""Forecast the pH curve of a yogurt batch from its recipe."""
import keras
import numpy as np

from culture import build, curve_distance, fermentations


class Worst(keras.callbacks.Callback):
    """Remembers the batch that is forecast worst after every epoch."""

    def __init__(self, recipe, curves):
        super().__init__()
        self.recipe, self.curves, self.rows = recipe, curves, []

    def on_epoch_end(self, epoch, logs=None):
        distance = curve_distance(self.curves, self.model.predict(self.recipe, verbose=0))
        distance[distance < 0.05] = 0.0
        self.rows.append((int(np.argmax(distance)), float(distance.max())))


def main():
    rng = np.random.default_rng(15)
    recipe, curves = fermentations(60, rng)
    held = fermentations(15, rng)
    model, worst = build(), Worst(*held)
    run = model.fit(recipe, curves, batch_size=15, epochs=4, shuffle=False, verbose=0, callbacks=[worst])
    print("loss", np.round(run.history["loss"], 4), "mae", np.round(run.history["mae"], 4))
    print("worst batches", worst.rows)
    final = curve_distance(held[1], model.predict(held[0], verbose=0))
    print("held out", final.mean().round(4), "quartiles", np.percentile(final, [25, 75]).round(3))


if __name__ == "__main__":
    main()
