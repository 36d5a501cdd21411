import numpy as np
import tensorflow as tf

from .tables import place

__all__ = ["front_level", "street_levels", "energy_mean"]


def front_level(power, distance, screen):
    """Level at one front from all streets, in decibels relative to the reference."""
    spreading = 10.0 * np.log10(distance) + 0.5 * distance
    energy = tf.pow(10.0, 0.1 * (power - spreading - screen))
    return 10.0 * tf.math.log(tf.reduce_sum(energy)) / np.log(10.0)


def street_levels(power, distances, screens):
    """One level a house; distances and screens are (house, street)."""
    levels = np.zeros(len(distances), dtype=np.float32)
    for house in range(len(distances)):
        place(levels, house, front_level(power, distances[house], screens[house]))
    return tf.convert_to_tensor(levels)


def energy_mean(levels):
    return 10.0 * np.log10(np.mean(10.0 ** (0.1 * np.asarray(levels))))
