"""Helpers for pH curves, used on the laboratory files and by the loss."""
import numpy as np

HOURS = 8


def rate_of_change(curves):
    """First differences, the last one repeated so that the length stays."""
    steps = np.diff(curves, axis=1)
    return np.concatenate([steps, steps[:, -1:]], axis=1)


def time_weight(power=0.5):
    weight = np.arange(1, HOURS + 1, dtype=np.float32) ** power
    return weight / weight.sum()
