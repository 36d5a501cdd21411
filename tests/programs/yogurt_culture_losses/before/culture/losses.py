import keras
import numpy as np

from .curves import rate_of_change, time_weight


def curve_distance(observed, forecast):
    """Root mean square gap per batch, weighted towards the end of the fermentation."""
    gap = observed - forecast
    return np.sqrt(np.sum(time_weight() * np.square(gap), axis=1) + 1e-6)


class AcidityLoss(keras.losses.Loss):
    """Distance of the curves and of their slopes."""

    def __init__(self, slope_share=0.5, name="acidity"):
        super().__init__(name=name)
        self.slope_share = slope_share

    def call(self, y_true, y_pred):
        level = curve_distance(y_true, y_pred)
        slope = curve_distance(rate_of_change(y_true), rate_of_change(y_pred))
        return level + self.slope_share * slope
