import numpy as np

from .curves import HOURS, rate_of_change


def fermentations(count, rng):
    """Recipe (starter, temperature, fat) and the pH over the hours; stalled batches are thrown out."""
    starter, warmth, fat = rng.uniform(0.5, 1.5, count), rng.normal(0, 1, count), rng.beta(2, 3, count)
    hours = np.arange(HOURS)
    speed = 0.5 * starter + 0.1 * warmth
    curves = 6.6 - 2.1 / (1.0 + np.exp(-(hours - 4.0 / speed[:, None] * 0.6)))
    curves += rng.normal(0, 0.03, curves.shape)
    slope = rate_of_change(curves)
    slope[np.abs(slope) < 0.02] = 0.0
    going = slope.min(axis=1) < -0.1
    recipe = np.stack([starter - 1.0, warmth, fat], axis=1)
    return recipe[going].astype(np.float32), ((curves[going] - 5.5) / 1.2).astype(np.float32)
