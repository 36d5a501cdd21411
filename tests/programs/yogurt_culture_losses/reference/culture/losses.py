import keras
import numpy as np
import tensorflow as tf

from .curves import rate_of_change_tensor, time_weight


def curve_distance(observed, forecast):
    """Root mean square gap per batch, weighted towards the end of the fermentation."""
    gap = observed - forecast
    return np.sqrt(np.sum(time_weight() * np.square(gap), axis=1) + 1e-6)


def curve_distance_tensor(observed, forecast):
    """curve_distance() for tensors."""
    gap = observed - forecast
    return tf.sqrt(tf.reduce_sum(time_weight() * tf.square(gap), axis=1) + 1e-6)


class AcidityLoss(keras.losses.Loss):
    """Distance of the curves and of their slopes."""

    def __init__(self, slope_share=0.5, name="acidity"):
        super().__init__(name=name)
        self.slope_share = slope_share

    def call(self, y_true, y_pred):
        level = curve_distance_tensor(y_true, y_pred)
        slope = curve_distance_tensor(rate_of_change_tensor(y_true), rate_of_change_tensor(y_pred))
        return level + self.slope_share * slope
